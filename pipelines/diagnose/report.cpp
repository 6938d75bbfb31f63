// Numbers in columns, warnings in sentences.
#include "pipelines/diagnose/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace hmmlt {

namespace {

constexpr double good_rhat = 1.01;
constexpr double bad_rhat = 1.1;
constexpr double good_ess_per_chain = 100.0;
constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

double per_second(const AlignedChains& chains, const ScalarSummary& summary) {
    return chains.seconds ? summary.ess_bulk / *chains.seconds : undefined;
}

std::string number(double value, const char* layout) {
    return std::isnan(value) ? "-" : fmt::format(fmt::runtime(layout), value);
}

// A complaint about one scalar: "R-hat" 1.31 ": the 4 chains disagree ...". Those that differ in the number alone are
// told together.
struct Complaint {
    std::string what;   // before the number; empty if there is none
    std::string value;  // the number as text
    std::string rest;
};

std::string place_of_first_bad(const AlignedChains& chains, const ScalarDraws& scalar) {
    for (arma::uword row = 0; row < scalar.draws.n_rows; ++row)
        for (arma::uword chain = 0; chain < scalar.draws.n_cols; ++chain)
            if (!std::isfinite(scalar.draws(row, chain)))
                return fmt::format("{} in {} at sweep {}", scalar.draws(row, chain), chains.labels[chain],
                                   scalar.sweeps[row]);
    return "";
}

// Why a scalar has no R-hat.
std::optional<Complaint> obstacle(const AlignedChains& chains, const ScalarDraws& scalar) {
    if (scalar.draws.empty()) return Complaint{"", "", "no value after burn-in that all chains have"};
    if (!scalar.draws.is_finite())
        return Complaint{"", "", place_of_first_bad(chains, scalar) + ": nothing can be said"};
    if (scalar.draws.n_rows < 4)
        return Complaint{"", "",
                         fmt::format("only {} draws per chain, and 4 are the least: run longer", scalar.draws.n_rows)};
    if (scalar.draws.min() == scalar.draws.max())
        return Complaint{"constant at ", fmt::format("{:.6g}", scalar.draws(0, 0)), ": held fixed, or stuck"};
    return {};
}

std::optional<Complaint> about_rhat(double rhat, std::size_t n_chains) {
    if (std::isinf(rhat))
        return Complaint{"", "", fmt::format("each of the {} chains stands still at a value of its own", n_chains)};
    if (rhat > bad_rhat)
        return Complaint{
            "R-hat ", fmt::format("{:.2f}", rhat),
            fmt::format(": the {} chains disagree; run longer, and look whether they sit in different modes",
                        n_chains)};
    if (rhat > good_rhat)
        return Complaint{
            "R-hat ", fmt::format("{:.3f}", rhat),
            fmt::format(": the {} chains do not quite agree yet (up to {} is good); run longer", n_chains, good_rhat)};
    return {};
}

std::optional<Complaint> about_ess(const ScalarSummary& summary, std::size_t n_chains) {
    const double enough = good_ess_per_chain * static_cast<double>(n_chains);
    if (summary.ess_bulk < enough)
        return Complaint{
            "worth only ", fmt::format("{:.0f}", summary.ess_bulk),
            fmt::format(" independent draws ({:.0f} are good): the mean is uncertain; run longer", enough)};
    if (summary.ess_tail < enough)
        return Complaint{
            "worth only ", fmt::format("{:.0f}", summary.ess_tail),
            fmt::format(" independent draws in the tails ({:.0f} are good): quantiles are uncertain; run longer",
                        enough)};
    return {};
}

// Names and numbers of scalars with the same complaint.
struct Group {
    Complaint complaint;
    std::vector<std::string> names;
    std::vector<std::string> values;
};

std::string sentence(const Group& group) {
    constexpr std::size_t n_shown = 10;
    std::vector<std::string> names = group.names;
    std::string more;
    if (names.size() > n_shown) {
        more = fmt::format(" and {} more", names.size() - n_shown);
        names.resize(n_shown);
    }
    const auto by_number = [](const std::string& a, const std::string& b) { return std::stod(a) < std::stod(b); };
    std::string numbers;
    if (!group.complaint.value.empty()) {
        const auto [low, high] = std::minmax_element(group.values.begin(), group.values.end(), by_number);
        numbers = *low == *high ? *low : *low + " to " + *high;
    }
    return fmt::format("{}{}: {}{}{}", fmt::join(names, ", "), more, group.complaint.what, numbers,
                       group.complaint.rest);
}

}  // namespace

std::vector<ScalarSummary> summarise(const AlignedChains& chains, const std::function<void(std::size_t)>& done) {
    std::vector<ScalarSummary> summaries;
    for (const ScalarDraws& scalar : chains.scalars) {
        summaries.push_back(scalar.draws.empty() ? ScalarSummary{undefined, undefined, undefined, undefined, undefined,
                                                                 undefined, undefined}
                                                 : summarise(scalar.draws));
        done(summaries.size());
    }
    return summaries;
}

Table diagnostics_table(const AlignedChains& chains, const std::vector<ScalarSummary>& summaries) {
    std::vector<std::string> names;
    std::vector<std::int32_t> n_draws;
    for (const ScalarDraws& scalar : chains.scalars) {
        names.push_back(scalar.name);
        n_draws.push_back(static_cast<std::int32_t>(scalar.draws.n_rows));
    }
    const std::vector<std::int32_t> n_chains(names.size(), static_cast<std::int32_t>(chains.labels.size()));
    Table table("diagnostics");
    table.add_column("name", std::move(names)).add_column("n_chains", n_chains).add_column("n_draws", n_draws);
    const auto add = [&](const char* column, auto value_of) {
        std::vector<double> values;
        std::vector<bool> valid;
        for (const ScalarSummary& summary : summaries) {
            values.push_back(value_of(summary));
            valid.push_back(!std::isnan(values.back()));
        }
        table.add_column(column, std::move(values), std::move(valid));
    };
    add("mean", [](const ScalarSummary& s) { return s.mean; });
    add("sd", [](const ScalarSummary& s) { return s.sd; });
    add("q5", [](const ScalarSummary& s) { return s.q5; });
    add("q95", [](const ScalarSummary& s) { return s.q95; });
    add("rhat", [](const ScalarSummary& s) { return s.rhat; });
    add("ess_bulk", [](const ScalarSummary& s) { return s.ess_bulk; });
    add("ess_tail", [](const ScalarSummary& s) { return s.ess_tail; });
    add("ess_per_second", [&](const ScalarSummary& s) { return per_second(chains, s); });
    return table;
}

std::string diagnostics_text(const AlignedChains& chains, const std::vector<ScalarSummary>& summaries) {
    std::size_t width = 4;
    for (const ScalarDraws& scalar : chains.scalars) width = std::max(width, scalar.name.size());
    std::string text = fmt::format("{:<{}} {:>7} {:>11} {:>10} {:>11} {:>11} {:>7} {:>8} {:>8} {:>8}\n", "name", width,
                                   "draws", "mean", "sd", "5 %", "95 %", "R-hat", "ESS bulk", "ESS tail", "ESS/s");
    for (std::size_t i = 0; i < summaries.size(); ++i) {
        const ScalarSummary& s = summaries[i];
        text += fmt::format("{:<{}} {:>7} {:>11} {:>10} {:>11} {:>11} {:>7} {:>8} {:>8} {:>8}\n",
                            chains.scalars[i].name, width, chains.scalars[i].draws.n_elem, number(s.mean, "{:.5g}"),
                            number(s.sd, "{:.4g}"), number(s.q5, "{:.5g}"), number(s.q95, "{:.5g}"),
                            number(s.rhat, "{:.3f}"), number(s.ess_bulk, "{:.0f}"), number(s.ess_tail, "{:.0f}"),
                            number(per_second(chains, s), "{:.3g}"));
    }
    return text;
}

std::vector<std::string> warnings(const AlignedChains& chains, const std::vector<ScalarSummary>& summaries) {
    const std::size_t n_chains = chains.labels.size();
    std::vector<Group> groups;
    const auto warn = [&groups](const std::string& name, const std::optional<Complaint>& complaint) {
        if (!complaint) return false;
        auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& known) {
            return known.complaint.what == complaint->what && known.complaint.rest == complaint->rest;
        });
        if (group == groups.end()) group = groups.insert(group, Group{*complaint, {}, {}});
        group->names.push_back(name);
        group->values.push_back(complaint->value);
        return true;
    };
    for (std::size_t i = 0; i < summaries.size(); ++i) {
        const ScalarDraws& scalar = chains.scalars[i];
        if (scalar.has_gaps_of_its_own)
            warn(scalar.name,
                 Complaint{"", "",
                           fmt::format("not all chains have it at the same sweeps: the {} that they share are used",
                                       scalar.draws.n_rows)});
        warn(scalar.name, obstacle(chains, scalar)) || warn(scalar.name, about_rhat(summaries[i].rhat, n_chains)) ||
            warn(scalar.name, about_ess(summaries[i], n_chains));
    }
    std::vector<std::string> sentences;
    if (n_chains == 1) sentences.emplace_back("one chain alone cannot disagree: R-hat needs two or more");
    for (const Group& group : groups) sentences.push_back(sentence(group));
    return sentences;
}

}  // namespace hmmlt
