// Which sequences are for testing.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/suggestion.hpp"
#include "hmmlt/model/generative.hpp"
#include "hmmlt/model/stream_blocks.hpp"
#include "hmmlt/random/uniform.hpp"
#include "pipelines/import/data_set.hpp"

namespace hmmlt {

namespace {

// A run of steps of one sequence.
struct Piece {
    std::size_t sequence;
    arma::uword first;
    arma::uword length;
};

ImportedData pick(const ImportedData& data, const std::vector<Piece>& pieces) {
    ImportedData out;
    out.channel_names = data.channel_names;
    out.labels = data.labels;
    std::vector<arma::uword> lengths;
    for (const Piece& piece : pieces) {
        lengths.push_back(piece.length);
        out.sequence_names.push_back(data.sequence_names[piece.sequence]);
    }
    const Observations& from = data.observations;
    Observations& to = out.observations;
    to.sequences = Sequences::of_lengths(lengths);
    if (data.labels.empty())
        to.y.set_size(from.y.n_rows, to.sequences.n_steps());
    else
        to.symbol.set_size(to.sequences.n_steps());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const arma::uword begin = to.sequences.first[i];
        const arma::uword end = begin + pieces[i].length - 1;
        if (data.labels.empty())
            to.y.cols(begin, end) = from.y.cols(pieces[i].first, pieces[i].first + pieces[i].length - 1);
        else
            to.symbol.subvec(begin, end) = from.symbol.subvec(pieces[i].first, pieces[i].first + pieces[i].length - 1);
    }
    return out;
}

// How many of n are for testing: the nearest number to the fraction, but some on either side.
std::size_t test_count(std::size_t n, double fraction, const char* what) {
    if (n < 2) throw UsageError(fmt::format("--test: expected at least 2 {} to divide, found {}", what, n));
    const auto nearest = static_cast<std::size_t>(std::lround(fraction * static_cast<double>(n)));
    return std::clamp(nearest, std::size_t{1}, n - 1);
}

// Each sequence draws a number of its own; those with the smallest are for testing.
std::vector<bool> drawn(std::size_t n_sequences, const TestPart& test) {
    std::vector<std::pair<double, std::size_t>> lots;
    for (std::size_t s = 0; s < n_sequences; ++s) {
        Stream rng({.seed = test.seed,
                    .chain = data_chain,
                    .sweep = 0,
                    .block = static_cast<std::uint32_t>(StreamBlock::import_split),
                    .item = static_cast<std::uint32_t>(s)});
        lots.emplace_back(draw_uniform(rng), s);
    }
    std::sort(lots.begin(), lots.end());
    std::vector<bool> is_test(n_sequences, false);
    for (std::size_t i = 0; i < test_count(n_sequences, test.fraction, "sequences"); ++i)
        is_test[lots[i].second] = true;
    return is_test;
}

std::vector<bool> named(const ImportedData& data, const TestPart& test) {
    std::vector<bool> is_test(data.sequence_names.size(), false);
    for (const std::string& name : test.names) {
        const auto found = std::find(data.sequence_names.begin(), data.sequence_names.end(), name);
        if (found == data.sequence_names.end())
            throw UsageError(fmt::format("--test-sequences: there is no sequence {}{}", name,
                                         did_you_mean(name, data.sequence_names)));
        is_test[static_cast<std::size_t>(found - data.sequence_names.begin())] = true;
    }
    if (std::find(is_test.begin(), is_test.end(), false) == is_test.end())
        throw UsageError("--test-sequences: no sequence would be left to train on");
    return is_test;
}

}  // namespace

std::pair<ImportedData, ImportedData> split(const ImportedData& data, const TestPart& test) {
    const Sequences& sequences = data.observations.sequences;
    if (test.names.empty() && sequences.count() == 1) {
        const arma::uword n_test = test_count(sequences.n_steps(), test.fraction, "steps");
        const arma::uword n_train = sequences.n_steps() - n_test;
        return {pick(data, {{0, 0, n_train}}), pick(data, {{0, n_train, n_test}})};
    }
    const std::vector<bool> is_test = test.names.empty() ? drawn(sequences.count(), test) : named(data, test);
    std::vector<Piece> parts[2];
    for (std::size_t s = 0; s < is_test.size(); ++s)
        parts[is_test[s] ? 1 : 0].push_back({s, sequences.first[s], sequences.length(s)});
    return {pick(data, parts[0]), pick(data, parts[1])};
}

}  // namespace hmmlt
