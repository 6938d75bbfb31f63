// Wide rows are copied, tall ones are laid out; what no row says is missing.
#include "pipelines/import/data_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/suggestion.hpp"
#include "pipelines/import/numbers.hpp"
#include "pipelines/import/steps.hpp"

namespace hmmlt {

namespace {

arma::mat wide_channels(const SourceTable& source, const Roles& roles, const Steps& steps) {
    arma::mat y(roles.channels.size(), steps.rows.size());
    for (std::size_t channel = 0; channel < roles.channels.size(); ++channel) {
        const Column& column = source.table.at(roles.channels[channel]);
        for (std::size_t i = 0; i < steps.rows.size(); ++i) y(channel, i) = number_at(source, column, steps.rows[i]);
    }
    return y;
}

// The number of each variable among the channels; nothing for one that is not wished for.
std::vector<std::optional<std::size_t>> channel_of_variables(const SourceTable& source, const Numbering& variables,
                                                             const std::vector<std::string>& channels) {
    for (const std::string& name : channels)
        if (std::find(variables.names.begin(), variables.names.end(), name) == variables.names.end())
            throw UsageError(fmt::format("--columns: {} has no variable {}{}", source.file, name,
                                         did_you_mean(name, variables.names)));
    std::vector<std::optional<std::size_t>> channel_of;
    for (const std::string& name : variables.names) {
        const auto found = std::find(channels.begin(), channels.end(), name);
        if (found == channels.end())
            channel_of.emplace_back();
        else
            channel_of.emplace_back(static_cast<std::size_t>(found - channels.begin()));
    }
    return channel_of;
}

arma::mat tall_channels(const SourceTable& source, const Roles& roles, const Steps& steps, ImportedData& data) {
    const Numbering variables = number_labels(source, source.table.at(roles.variable));
    data.channel_names = roles.channels.empty() ? variables.names : roles.channels;
    const auto channel_of = channel_of_variables(source, variables, data.channel_names);
    const std::size_t n_steps = steps.sequences.n_steps();
    const std::size_t n_rows = steps.rows.size();
    const std::size_t n_cells = data.channel_names.size() * n_steps;
    if (n_cells > 10'000'000 && n_cells / 100 > n_rows)
        throw DataError(fmt::format("{}: {} variables at {} steps, but only {} rows: is {} the column of variables?",
                                    source.file, data.channel_names.size(), n_steps, n_rows, roles.variable));
    const Column& values = source.table.at(roles.value);
    arma::mat y(data.channel_names.size(), n_steps, arma::fill::value(std::numeric_limits<double>::quiet_NaN()));
    std::vector<std::size_t> last(y.n_rows, n_rows);  // where in the order each channel had its last value
    for (std::size_t i = 0; i < n_rows; ++i) {
        const std::size_t row = steps.rows[i];
        const auto channel = channel_of[variables.of_row[row]];
        if (!channel) continue;
        const std::size_t earlier = std::exchange(last[*channel], i);
        if (earlier != n_rows && steps.of_rows[earlier] == steps.of_rows[i])
            throw DataError(
                fmt::format("{}: {} and {} have the same {}{} and {}: one variable must have one value at "
                            "each time",
                            source.file, source.place(steps.rows[earlier]), source.place(row),
                            roles.sequence.empty() ? "" : roles.sequence + ", ", roles.time, roles.variable));
        y(*channel, steps.of_rows[i]) = number_at(source, values, row);
    }
    return y;
}

std::optional<std::int64_t> whole_number(const std::string& text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return {};
    return number;
}

// Symbols as text, "" where missing. pandas turns whole numbers with gaps into doubles.
std::vector<std::string> symbol_texts(const SourceTable& source, const Column& column) {
    if (const auto* texts = std::get_if<std::vector<std::string>>(&column.values)) return *texts;
    std::vector<std::string> texts;
    for (std::size_t row = 0; row < column.size(); ++row) {
        const double number = number_at(source, column, row);
        if (!column.is_null(row) && number != std::trunc(number))
            throw DataError(fmt::format("{}: {}, column {}: expected text or a whole number, found {}", source.file,
                                        source.place(row), column.name, number));
        texts.push_back(column.is_null(row) ? "" : fmt::format("{:.0f}", number));
    }
    return texts;
}

arma::ivec symbols(const SourceTable& source, const Roles& roles, const Steps& steps, ImportedData& data) {
    const Column& column = source.table.at(roles.symbol);
    const std::vector<std::string> texts = symbol_texts(source, column);
    std::map<std::string, arma::sword> number_of;
    for (std::size_t row = 0; row < texts.size(); ++row)
        if (!column.is_null(row)) number_of.emplace(texts[row], 0);
    for (const auto& [label, number] : number_of) data.labels.push_back(label);
    if (std::all_of(data.labels.begin(), data.labels.end(), [](const auto& label) { return whole_number(label); }))
        std::stable_sort(data.labels.begin(), data.labels.end(),
                         [](const auto& a, const auto& b) { return *whole_number(a) < *whole_number(b); });
    for (std::size_t i = 0; i < data.labels.size(); ++i) number_of[data.labels[i]] = static_cast<arma::sword>(i);
    arma::ivec symbol(steps.rows.size());
    for (std::size_t i = 0; i < steps.rows.size(); ++i)
        symbol(i) = column.is_null(steps.rows[i]) ? no_symbol : number_of.at(texts[steps.rows[i]]);
    return symbol;
}

}  // namespace

ImportedData make_data_set(const SourceTable& source, const Roles& roles) {
    const Steps steps = order_steps(source, roles);
    ImportedData data;
    data.sequence_names = steps.sequence_names;
    data.notes = steps.notes;
    data.channel_names = roles.channels;
    data.observations.sequences = steps.sequences;
    if (!roles.symbol.empty())
        data.observations.symbol = symbols(source, roles, steps, data);
    else if (roles.layout == Layout::tall)
        data.observations.y = tall_channels(source, roles, steps, data);
    else
        data.observations.y = wide_channels(source, roles, steps);
    return data;
}

}  // namespace hmmlt
