// Column by column.
#include "pipelines/chorales/tables.hpp"

#include <numeric>

namespace hmmlt::chorales {

namespace {

std::vector<std::int32_t> numbers(std::size_t count) {
    std::vector<std::int32_t> from_zero(count);
    std::iota(from_zero.begin(), from_zero.end(), 0);
    return from_zero;
}

}  // namespace

Observations symbols_of(const std::vector<Chorale>& chorales, const std::vector<std::size_t>& chosen,
                        const Vocabulary& vocabulary) {
    std::vector<arma::uword> lengths;
    std::vector<arma::sword> symbols;
    for (const std::size_t index : chosen) {
        lengths.push_back(chorales[index].chords.size());
        for (const Chord& chord : chorales[index].chords) symbols.push_back(vocabulary.symbol_of.at(chord));
    }
    return {Sequences::of_lengths(lengths), {}, arma::ivec(symbols)};
}

Table sequences_table(const std::vector<Chorale>& chorales, const std::vector<std::size_t>& chosen) {
    std::vector<std::string> names;
    for (const std::size_t index : chosen) names.push_back(chorales[index].id);
    Table table("sequences");
    table.add_column("sequence", numbers(chosen.size())).add_column("name", std::move(names));
    return table;
}

Table vocabulary_table(const Vocabulary& vocabulary) {
    std::vector<std::string> labels;
    std::vector<std::string> names;
    for (const Chord& chord : vocabulary.chords) {
        labels.push_back(label(chord));
        names.push_back(name(chord));
    }
    Table table("vocabulary");
    table.add_column("symbol", numbers(vocabulary.chords.size()))
        .add_column("label", std::move(labels))
        .add_column("name", std::move(names));
    return table;
}

}  // namespace hmmlt::chorales
