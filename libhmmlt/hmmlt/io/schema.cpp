// The declarations, and the names of family members.
#include "hmmlt/io/schema.hpp"

#include <fmt/format.h>

#include <charconv>

namespace hmmlt {

using enum ColumnType;

namespace {

constexpr bool nullable = true;
constexpr bool never_null = false;

ColumnSpec sequence_column() {
    return {"sequence", int32, never_null, Presence::required, Extent::single, "number of the sequence, from 0"};
}

ColumnSpec chain_column() {
    return {"chain", int32, never_null, Presence::required, Extent::single, "number of the chain"};
}

ColumnSpec sweep_column() {
    return {"sweep", int32, never_null, Presence::required, Extent::single, "number of the sweep, from 1"};
}

ColumnSpec time_column() {
    return {"t", int32, never_null, Presence::required, Extent::single, "step within the sequence, from 0"};
}

}  // namespace

std::string_view type_name(ColumnType type) {
    switch (type) {
        case int32:
            return "int32";
        case int64:
            return "int64";
        case float32:
            return "float32";
        case float64:
            return "float64";
        case string:
            return "string";
    }
    return "unknown";
}

const ColumnSpec* find_spec(const Schema& schema, std::string_view column) {
    const ColumnSpec* others = nullptr;
    for (const ColumnSpec& spec : schema.columns) {
        if (spec.extent == Extent::others) {
            others = &spec;
            continue;
        }
        const bool matches =
            spec.extent == Extent::family ? family_index(spec.name, column).has_value() : spec.name == column;
        if (matches) return &spec;
    }
    return others;
}

std::optional<std::size_t> family_index(std::string_view family, std::string_view column) {
    if (!column.starts_with(family) || column.size() < family.size() + 2 || column[family.size()] != '_') return {};
    const std::string_view digits = column.substr(family.size() + 1);
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    const bool canonical = digits.size() == 1 || digits.front() != '0';
    if (error != std::errc{} || end != digits.data() + digits.size() || !canonical) return {};
    return index;
}

std::string family_member(std::string_view family, std::size_t index) {
    return fmt::format("{}_{}", family, index);
}

const Schema& observations_schema() {
    static const Schema schema{
        "observations",
        1,
        {sequence_column(),
         time_column(),
         {"y", float64, nullable, Presence::one_of, Extent::family, "observed vector; null = missing"},
         {"symbol", int32, nullable, Presence::one_of, Extent::single, "observed symbol, from 0; null = missing"}}};
    return schema;
}

const Schema& sequences_schema() {
    static const Schema schema{
        "sequences",
        1,
        {sequence_column(),
         {"name", string, never_null, Presence::required, Extent::single, "what the user calls it"}}};
    return schema;
}

const Schema& truth_schema() {
    static const Schema schema{
        "truth",
        1,
        {sequence_column(),
         time_column(),
         {"theta", int32, never_null, Presence::optional, Extent::family, "true binary features, 0 or 1"},
         {"z", int32, never_null, Presence::optional, Extent::single, "true state, from 0"}}};
    return schema;
}

const Schema& weights_schema() {
    static const Schema schema{
        "weights",
        1,
        {{"feature", int32, never_null, Presence::required, Extent::single, "0 = the bias, d + 1 = feature d"},
         {"w", float64, never_null, Presence::required, Extent::family, "weight of the feature in output 0, 1, ..."}}};
    return schema;
}

const Schema& vocabulary_schema() {
    static const Schema schema{
        "vocabulary",
        1,
        {{"symbol", int32, never_null, Presence::required, Extent::single, "number of the symbol, from 0"},
         {"label", string, never_null, Presence::required, Extent::single, "the symbol as the data spell it"},
         {"name", string, nullable, Presence::optional, Extent::single, "a readable name; null = none"}}};
    return schema;
}

const Schema& channels_schema() {
    static const Schema schema{
        "channels",
        1,
        {{"channel", int32, never_null, Presence::required, Extent::single, "number of the channel, from 0"},
         {"name", string, never_null, Presence::required, Extent::single, "what the user calls it"}}};
    return schema;
}

const Schema& scaling_schema() {
    static const Schema schema{
        "scaling",
        1,
        {{"channel", int32, never_null, Presence::required, Extent::single, "number of the channel, from 0"},
         {"mean", float64, never_null, Presence::required, Extent::single, "what was taken from every value"},
         {"sd", float64, never_null, Presence::required, Extent::single, "by what the rest was divided"}}};
    return schema;
}

const Schema& trace_schema() {
    static const Schema schema{"trace",
                               1,
                               {chain_column(),
                                sweep_column(),
                                {"a scalar", float64, nullable, Presence::optional, Extent::others,
                                 "its value after the sweep; null = not computed"}}};
    return schema;
}

const Schema& timing_schema() {
    static const Schema schema{
        "timing",
        1,
        {sweep_column(),
         {"block", string, never_null, Presence::required, Extent::single, "what was done"},
         {"seconds", float64, never_null, Presence::required, Extent::single, "wall time that it took"}}};
    return schema;
}

const Schema& heldout_schema() {
    static const Schema schema{
        "heldout",
        1,
        {chain_column(),
         sweep_column(),
         {"sequence", int32, never_null, Presence::required, Extent::single, "number of the test sequence, from 0"},
         {"log_likelihood", float64, never_null, Presence::required, Extent::single,
          "of the sequence, states summed out"},
         {"log_likelihood_expected", float64, never_null, Presence::required, Extent::single,
          "the same with the emission at its expectation given the states of the training data"},
         {"n", int32, never_null, Presence::required, Extent::single, "steps of the sequence"}}};
    return schema;
}

const Schema& draws_schema() {
    static const Schema schema{
        "draws",
        1,
        {chain_column(),
         sweep_column(),
         {"variable", string, never_null, Presence::required, Extent::single, "name of the array"},
         {"i", int32, never_null, Presence::required, Extent::single, "row of the array, from 0"},
         {"j", int32, never_null, Presence::required, Extent::single, "column of the array, from 0"},
         {"value", float64, never_null, Presence::required, Extent::single, "its value there"}}};
    return schema;
}

const Schema& state_mean_schema() {
    static const Schema schema{"state_mean",
                               1,
                               {sequence_column(),
                                time_column(),
                                {"p", float64, never_null, Presence::required, Extent::family,
                                 "posterior mean of feature 0, 1, ..., or probability of state 0, 1, ..."}}};
    return schema;
}

const Schema& evaluation_schema() {
    static const Schema schema{
        "evaluation",
        1,
        {{"sequence", int32, never_null, Presence::required, Extent::single,
          "number of the sequence, from 0; -1 = all of them together"},
         {"n", int32, never_null, Presence::required, Extent::single,
          "steps that the value is about: observed ones for a likelihood, all for a score"},
         {"measure", string, never_null, Presence::required, Extent::single, "what was measured"},
         {"value", float64, never_null, Presence::required, Extent::single, "its value, not divided by n"}}};
    return schema;
}

const Schema& predictions_schema() {
    static const Schema schema{
        "predictions",
        1,
        {sequence_column(),
         time_column(),
         {"log_density", float64, never_null, Presence::required, Extent::single,
          "log predictive density of the step given the steps before it"},
         {"filtered", float64, never_null, Presence::required, Extent::family,
          "probability of feature (or state) 0, 1, ... given the steps up to this one"},
         {"smoothed", float64, never_null, Presence::required, Extent::family, "the same given all of the sequence"},
         {"state", int32, never_null, Presence::required, Extent::single,
          "state on the most likely path of one draw"}}};
    return schema;
}

const Schema& diagnostics_schema() {
    const auto statistic = [](const char* name, const char* meaning) {
        return ColumnSpec{name, float64, nullable, Presence::required, Extent::single, meaning};
    };
    static const Schema schema{
        "diagnostics",
        1,
        {{"name", string, never_null, Presence::required, Extent::single, "column of the trace"},
         {"n_chains", int32, never_null, Presence::required, Extent::single, "chains that were compared"},
         {"n_draws", int32, never_null, Presence::required, Extent::single, "values used of each chain"},
         statistic("mean", "of all values used"),
         statistic("sd", "their standard deviation"),
         statistic("q5", "their 5 % quantile"),
         statistic("q95", "their 95 % quantile"),
         statistic("rhat", "rank-normalised split R-hat; null = undefined"),
         statistic("ess_bulk", "effective sample size of the bulk"),
         statistic("ess_tail", "effective sample size of the tails"),
         statistic("ess_per_second", "ess_bulk by the seconds that the values used took; null = time unknown")}};
    return schema;
}

std::vector<const Schema*> all_schemas() {
    return {&observations_schema(), &sequences_schema(),   &truth_schema(),      &weights_schema(),
            &vocabulary_schema(),   &channels_schema(),    &scaling_schema(),    &trace_schema(),
            &timing_schema(),       &heldout_schema(),     &draws_schema(),      &state_mean_schema(),
            &evaluation_schema(),   &predictions_schema(), &diagnostics_schema()};
}

}  // namespace hmmlt
