// Splits and merges alone, beside draws of beta, against the exact posterior of z: every path of a tiny model, beta
// integrated out. No other block moves z here, so that none mends what these moves get wrong.
// Level: each functional at 1e-9 (tests/statistics.hpp), by batch means and Student's t.
#include "hmmlt/sampler/split_merge.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <set>
#include <string>

#include "hmmlt/conditionals/base_weights.hpp"
#include "hmmlt/conditionals/rates.hpp"
#include "hmmlt/conditionals/table_counts.hpp"
#include "hmmlt/conditionals/transition_counts.hpp"
#include "hmmlt/emission/groups.hpp"
#include "statistics.hpp"

using namespace hmmlt;
using testing::level;

namespace {

struct TinyCase {
    std::string name;
    Model model;
    Observations data;
};

Model tiny_model(arma::uword n_of_states, double rho, EmissionSpec emission) {
    Model model;
    model.n_states = n_of_states;
    model.gamma = 4.5;
    model.c = 3.0;
    model.rho = rho;
    model.emission = std::move(emission);
    return model;
}

std::vector<TinyCase> tiny_cases() {
    const double missing = arma::datum::nan;
    const GaussianSpec normal{{{0.1, 0.3, 1.0, 0.8}, {0.0, 0.5, 1.5, 1.0}}};
    return {
        {"sticky, normal, two sequences, missing cells",
         tiny_model(3, 0.4, normal),
         {Sequences::of_lengths({4, 2}),
          {{-1.2, missing, 0.9, 1.3, -0.8, 1.1}, {0.3, missing, -0.4, missing, 0.6, 0.1}},
          {}}},
        {"plain, normal",
         tiny_model(4, 0.0, normal),
         {Sequences::of_lengths({5}), {{-1.2, -1.0, 0.9, 1.3, -0.8}, {0.3, 0.1, -0.4, 0.2, 0.6}}, {}}},
        {"sticky, symbols",
         tiny_model(3, 0.3, CategoricalSpec{arma::vec{0.4, 0.7, 0.2}}),
         {Sequences::of_lengths({1, 5}), {}, {2, 0, 0, no_symbol, 1, 1}}},
    };
}

// Coefficients of a polynomial in one beta_k, the constant first.
using Polynomial = std::vector<double>;

Polynomial product(const Polynomial& a, const Polynomial& b) {
    Polynomial c(a.size() + b.size() - 1, 0.0);
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j) c[i + j] += a[i] * b[j];
    return c;
}

// E[p(z | beta) beta_k^extra] under beta ~ Dirichlet(gamma / J): p(z | beta) is a product over k of polynomials in
// beta_k, by Gamma(a + n) / Gamma(a) = a (a + 1) ... (a + n - 1), a = slope beta_k + constant.
double mean_probability(const Model& model, const arma::mat& n, arma::uword k_extra, std::size_t extra) {
    const double c = std::get<double>(model.c);
    const double rho = std::get<double>(model.rho);
    const double gamma = std::get<double>(model.gamma);
    const arma::uword n_of_states = model.n_states;
    const double g = gamma / static_cast<double>(n_of_states);
    double rows = 1.0;
    for (arma::uword j = 0; j <= n_of_states; ++j)
        for (double i = 0.0; i < arma::accu(n.row(j)); i += 1.0) rows /= c + i;
    Polynomial total{1.0};
    for (arma::uword k = 0; k < n_of_states; ++k) {
        Polynomial of_state{1.0};
        for (arma::uword j = 0; j <= n_of_states; ++j) {
            const double slope = j == n_of_states ? c : (1.0 - rho) * c;
            const double constant = j == k ? rho * c : 0.0;
            for (double i = 0.0; i < n(j, k); i += 1.0) of_state = product(of_state, {constant + i, slope});
        }
        for (std::size_t i = 0; k == k_extra && i < extra; ++i) of_state = product(of_state, {0.0, 1.0});
        for (std::size_t m = 0; m < of_state.size(); ++m)
            of_state[m] *= std::exp(std::lgamma(g + static_cast<double>(m)) - std::lgamma(g));
        total = product(total, of_state);
    }
    double sum = 0.0;
    for (std::size_t m = 0; m < total.size(); ++m)
        sum += total[m] * std::exp(std::lgamma(gamma) - std::lgamma(gamma + static_cast<double>(m)));
    return rows * sum;
}

// What is compared: functions of a path and of beta, linear in beta.
std::vector<double> functionals(const arma::uvec& z, double beta_of_first) {
    const std::set<arma::uword> used(z.begin(), z.end());
    std::vector<double> row;
    for (std::size_t n = 1; n <= 4; ++n) row.push_back(used.size() == n ? 1.0 : 0.0);
    for (arma::uword s = 0; s < z.n_elem; ++s)
        for (arma::uword t = s + 1; t < z.n_elem; ++t) row.push_back(z[s] == z[t] ? 1.0 : 0.0);
    row.push_back(z[0] == 0 ? 1.0 : 0.0);
    row.push_back(beta_of_first);
    row.push_back(used.size() == 2 ? beta_of_first : 0.0);
    return row;
}

arma::uvec path_of_code(std::size_t code, arma::uword n_steps, arma::uword n_of_states) {
    arma::uvec z(n_steps);
    for (arma::uword& state : z) {
        state = code % n_of_states;
        code /= n_of_states;
    }
    return z;
}

double log_marginal_of_path(const TinyCase& tiny, const arma::uvec& z) {
    const auto of = [&](const auto& groups) {
        double sum = 0.0;
        for (arma::uword k = 0; k < tiny.model.n_states; ++k) {
            auto group = groups.nothing();
            for (arma::uword t = 0; t < z.n_elem; ++t)
                if (z[t] == k) groups.add(t, group);
            sum += groups.log_marginal_likelihood(group);
        }
        return sum;
    };
    if (const auto* normal = std::get_if<GaussianSpec>(&tiny.model.emission)) return of(groups_of(*normal, tiny.data));
    return of(groups_of(std::get<CategoricalSpec>(tiny.model.emission), tiny.data));
}

std::vector<double> exact_means(const TinyCase& tiny) {
    const arma::uword n_steps = tiny.data.sequences.n_steps();
    const arma::uword n_of_states = tiny.model.n_states;
    const auto n_paths = static_cast<std::size_t>(std::pow(n_of_states, n_steps) + 0.5);
    std::vector<double> sum(functionals(path_of_code(0, n_steps, n_of_states), 0.0).size(), 0.0);
    double total = 0.0;
    arma::mat n;
    for (std::size_t code = 0; code < n_paths; ++code) {
        const arma::uvec z = path_of_code(code, n_steps, n_of_states);
        count_transitions(z, tiny.data.sequences, n_of_states, n);
        const double of_data = std::exp(log_marginal_of_path(tiny, z));
        const double weight = of_data * mean_probability(tiny.model, n, z[0], 0);
        const double beta_of_first = of_data * mean_probability(tiny.model, n, z[0], 1) / weight;
        const std::vector<double> row = functionals(z, beta_of_first);
        for (std::size_t f = 0; f < row.size(); ++f) sum[f] += weight * row[f];
        total += weight;
    }
    for (double& value : sum) value /= total;
    return sum;
}

// beta given z, by its tables: (16), (17), (25). gamma, c and rho are fixed.
void sample_beta(const TinyCase& tiny, State& state, std::uint32_t sweep) {
    const auto streams = [&](std::uint32_t block) { return BlockStreams({.seed = 5, .sweep = sweep, .block = block}); };
    arma::mat n, a, m;
    const arma::uword n_of_states = tiny.model.n_states;
    count_transitions(state.z, tiny.data.sequences, n_of_states, n);
    rate_shapes(state.log_beta, state.c, state.rho, a);
    sample_table_counts_given_failed_jumps(a, n, arma::mat(n_of_states, n_of_states, arma::fill::zeros), m, streams(1));
    const arma::vec w = sample_sticky_tables(m, state.log_beta, state.rho, streams(2));
    Stream stream = streams(3).item(0);
    sample_base_weights(base_tables(m, w), state.gamma, state.log_beta, stream);
}

struct Found {
    std::vector<double> p_values;  // of the functionals
    SplitMergeCounts counts;
};

Found run_moves(const TinyCase& tiny, const SplitMergeRules& rules, std::uint32_t n_sweeps) {
    constexpr std::uint32_t n_batches = 100;
    State state;
    state.gamma = std::get<double>(tiny.model.gamma);
    state.c = std::get<double>(tiny.model.c);
    state.rho = std::get<double>(tiny.model.rho);
    state.z.zeros(tiny.data.sequences.n_steps());
    state.log_beta.set_size(tiny.model.n_states);
    state.log_beta.fill(-std::log(static_cast<double>(tiny.model.n_states)));
    const std::vector<double> exact = exact_means(tiny);
    arma::mat batches(exact.size(), n_batches, arma::fill::zeros);
    Found found;
    for (std::uint32_t sweep = 1; sweep <= n_sweeps; ++sweep) {
        const SplitMergeCounts now = split_and_merge(tiny.model, tiny.data, 3, rules, state,
                                                     BlockStreams({.seed = 5, .sweep = sweep, .block = 4}));
        found.counts.splits_accepted += now.splits_accepted;
        found.counts.merges_accepted += now.merges_accepted;
        sample_beta(tiny, state, sweep);
        const std::vector<double> row = functionals(state.z, std::exp(state.log_beta[state.z[0]]));
        const std::uint32_t batch = (sweep - 1) / ((n_sweeps + n_batches - 1) / n_batches);
        for (std::size_t f = 0; f < row.size(); ++f) batches(f, batch) += row[f];
    }
    batches *= static_cast<double>(n_batches) / static_cast<double>(n_sweeps);
    for (std::size_t f = 0; f < exact.size(); ++f) {
        const double mean = arma::mean(batches.row(f));
        const double error = arma::stddev(batches.row(f)) / std::sqrt(static_cast<double>(n_batches));
        const boost::math::students_t student(n_batches - 1.0);
        const bool never_moves = error == 0.0 && std::abs(mean - exact[f]) < 1e-12;
        found.p_values.push_back(
            never_moves ? 1.0
                        : 2.0 * boost::math::cdf(boost::math::complement(student, std::abs(mean - exact[f]) / error)));
    }
    return found;
}

}  // namespace

TEST_CASE("split and merge: the law of z and beta is the exact posterior") {
    for (const TinyCase& tiny : tiny_cases()) {
        CAPTURE(tiny.name);
        const Found found = run_moves(tiny, split_merge_rules(), 100000);
        CHECK(found.counts.splits_accepted > 1000);
        CHECK(found.counts.merges_accepted > 1000);
        for (const double p_value : found.p_values) CHECK(p_value > level);
    }
}

// Each factor of the ratio is there for a reason.
TEST_CASE("split and merge: without any one factor of the ratio the law is another") {
    const std::vector<std::pair<std::string, double SplitRatio::*>> factors{
        {"law", &SplitRatio::law},     {"pair", &SplitRatio::pair},     {"anchors", &SplitRatio::anchors},
        {"state", &SplitRatio::state}, {"labels", &SplitRatio::labels}, {"weights", &SplitRatio::weights}};
    for (const auto& [name, factor] : factors) {
        CAPTURE(name);
        SplitMergeRules rules = split_merge_rules();
        rules.log_ratio = [factor = factor](const SplitRatio& ratio) { return ratio.sum() - ratio.*factor; };
        const Found found = run_moves(tiny_cases().front(), rules, 20000);
        CHECK(std::ranges::min(found.p_values) < level);
    }
}

TEST_CASE("split and merge: windows that look at z change its law") {
    SplitMergeRules rules = split_merge_rules();
    rules.half_width = [](arma::uword n_used, Stream&) { return n_used % 2 == 0 ? arma::uword{0} : arma::uword{9}; };
    const Found found = run_moves(tiny_cases().front(), rules, 100000);
    CHECK(std::ranges::min(found.p_values) < level);
}
