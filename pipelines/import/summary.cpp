// One labelled line per fact.
#include "pipelines/import/summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace hmmlt {

namespace {

constexpr std::size_t n_shown = 12;  // of channels, of ignored columns

std::string line(std::string_view label, std::string_view text) {
    return fmt::format("  {:<11}{}\n", label, text);
}

std::string joined(std::vector<std::string> texts) {
    const std::size_t n_more = texts.size() > n_shown ? texts.size() - n_shown : 0;
    texts.resize(texts.size() - n_more);
    std::string text = fmt::format("{}", fmt::join(texts, ", "));
    return n_more == 0 ? text : fmt::format("{} and {} more", text, n_more);
}

std::string layout_text(const Roles& roles) {
    if (roles.layout == Layout::tall)
        return fmt::format("long: one row per step and variable, by {} and {}", roles.variable, roles.value);
    return roles.symbol.empty() ? "wide: one row per step, one column per channel"
                                : "wide: one row per step, one column of symbols";
}

std::string data_line(const Roles& roles, const ImportedData& data) {
    if (!roles.symbol.empty())
        return line("symbols", fmt::format("{} different ones in {}", data.labels.size(), roles.symbol));
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < data.channel_names.size(); ++i)
        texts.push_back(fmt::format("y_{} = {}", i, data.channel_names[i]));
    return line("channels", fmt::format("{}: {}", data.channel_names.size(), joined(std::move(texts))));
}

std::string missing_text(const Observations& data) {
    if (data.y.n_rows == 0) {
        const auto n_missing = std::count(data.symbol.begin(), data.symbol.end(), no_symbol);
        return fmt::format("{} of {} symbols", n_missing, data.symbol.n_elem);
    }
    std::size_t n_missing = 0;
    std::size_t n_empty = 0;
    for (arma::uword step = 0; step < data.y.n_cols; ++step) {
        const auto n = static_cast<std::size_t>(std::count_if(data.y.begin_col(step), data.y.end_col(step),
                                                              [](double value) { return std::isnan(value); }));
        n_missing += n;
        n_empty += n == data.y.n_rows ? 1 : 0;
    }
    std::string text = fmt::format("{} of {} cells", n_missing, data.y.n_elem);
    return n_empty == 0 ? text : text + fmt::format("; {} without any", counted(n_empty, "step"));
}

}  // namespace

std::string counted(std::size_t n, std::string_view what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string lengths_text(const Sequences& sequences) {
    if (sequences.count() == 1) return "1 sequence of " + counted(sequences.n_steps(), "step");
    std::vector<arma::uword> lengths;
    for (arma::uword s = 0; s < sequences.count(); ++s) lengths.push_back(sequences.length(s));
    std::sort(lengths.begin(), lengths.end());
    if (lengths.front() == lengths.back())
        return fmt::format("{} sequences of {} each", lengths.size(), counted(lengths.front(), "step"));
    const auto twice_median = lengths[(lengths.size() - 1) / 2] + lengths[lengths.size() / 2];
    return fmt::format("{} sequences of {} to {} steps (median {})", lengths.size(), lengths.front(), lengths.back(),
                       static_cast<double>(twice_median) / 2.0);
}

std::string summary(const SourceTable& source, const Roles& roles, const ImportedData& data) {
    std::string text =
        fmt::format("{}: {}, {}\n", source.file, source.description, counted(source.table.n_rows(), "row"));
    text += line("layout", layout_text(roles));
    text += line("sequences", lengths_text(data.observations.sequences) +
                                  (roles.sequence.empty() ? "" : fmt::format(", by {}", roles.sequence)));
    text += line("order", roles.time.empty() ? "that of the rows" : "by " + roles.time);
    text += data_line(roles, data);
    text += line("missing", missing_text(data.observations));
    if (!roles.ignored.empty()) text += line("ignored", joined(roles.ignored));
    for (const auto* notes : {&roles.notes, &data.notes})
        for (const std::string& note : *notes) text += line("note", note);
    return text;
}

}  // namespace hmmlt
