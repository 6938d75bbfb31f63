// The contract of emission.hpp, put to every emission in the list.
#include "hmmlt/emission/emission.hpp"

#include <doctest/doctest.h>

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

using namespace hmmlt;

namespace {

constexpr arma::uword n_states = 4;
const arma::umat theta{{0, 1, 0, 1}, {0, 0, 1, 1}};
const Sequences sequences = Sequences::of_lengths({5, 0, 3});
const arma::uvec z{0, 1, 1, 2, 0, 2, 1, 1};  // nobody is in state 3

// One example of each emission; a new one does not compile until it has its own here.
LinearGaussianSpec example(const LinearGaussianSpec*) {
    return {{{2.0, 1.0}, {1.5, 2.0}}, LearnedWeights::isotropic(2, 0.5)};
}
CategoricalSpec example(const CategoricalSpec*) {
    return CategoricalSpec::symmetric(5, 0.3);
}
GaussianSpec example(const GaussianSpec*) {
    return {{{0.0, 0.5, 2.0, 1.0}, {1.0, 1.0, 1.0, 1.0}}};
}

template <std::size_t... I>
std::vector<EmissionSpec> examples(std::index_sequence<I...>) {
    return {example(static_cast<const std::variant_alternative_t<I, EmissionSpec>*>(nullptr))...};
}

std::vector<EmissionSpec> all_emissions() {
    return examples(std::make_index_sequence<std::variant_size_v<EmissionSpec>>());
}

BlockStreams streams(std::uint32_t block) {
    return BlockStreams({.seed = 760, .block = block});
}

Observations without_cells(const Observations& data) {
    Observations missing = data;
    missing.y.fill(arma::datum::nan);
    missing.symbol.fill(no_symbol);
    return missing;
}

bool same(const arma::mat& a, const arma::mat& b) {
    return arma::approx_equal(a, b, "absdiff", 0.0);
}

}  // namespace

TEST_CASE("emission contract: kinds are distinct names") {
    std::set<std::string_view> kinds;
    for (const EmissionSpec& spec : all_emissions()) kinds.insert(emission_kind(spec));
    CHECK(kinds.size() == std::variant_size_v<EmissionSpec>);
}

TEST_CASE("emission contract: parameters, data and likelihood fit together") {
    for (const EmissionSpec& spec : all_emissions()) {
        CAPTURE(std::string(emission_kind(spec)));
        const EmissionState state = draw_emission(spec, n_states, streams(1));
        CHECK(state.index() == spec.index());
        CHECK(state == draw_emission(spec, n_states, streams(1)));
        CHECK_FALSE(state == draw_emission(spec, n_states, streams(2)));
        CHECK(std::isfinite(log_prior(spec, state)));

        Observations data{sequences, {}, {}};
        draw_observations(state, theta, z, data, streams(3));
        CHECK(data.y.is_empty() != data.symbol.is_empty());
        CHECK(data.y.is_finite());
        arma::mat log_lik;
        log_likelihood(state, theta, data, log_lik);
        CHECK(log_lik.n_rows == n_states);
        CHECK(log_lik.n_cols == sequences.n_steps());
        CHECK(log_lik.is_finite());

        // sequences are drawn by streams of their own: the last one is the same whatever stands before it
        Observations shorter{Sequences::of_lengths({1, 0, 3}), {}, {}};
        draw_observations(state, theta, z.elem(arma::uvec{0, 5, 6, 7}), shorter, streams(3));
        arma::mat log_lik_shorter;
        log_likelihood(state, theta, shorter, log_lik_shorter);
        CHECK(same(log_lik.cols(5, 7), log_lik_shorter.cols(1, 3)));

        EmissionState sampled = state;
        sample_emission(spec, data, z, theta, sampled, streams(4));
        CHECK_FALSE(sampled == state);
        EmissionState again = state;
        sample_emission(spec, data, z, theta, again, streams(4));
        CHECK(sampled == again);
        CHECK(std::isfinite(log_prior(spec, sampled)));
    }
}

TEST_CASE("emission contract: without observed cells the likelihood is 1 and the conditional is the prior") {
    for (const EmissionSpec& spec : all_emissions()) {
        CAPTURE(std::string(emission_kind(spec)));
        EmissionState state = draw_emission(spec, n_states, streams(1));
        Observations data{sequences, {}, {}};
        draw_observations(state, theta, z, data, streams(3));
        const Observations missing = without_cells(data);
        arma::mat log_lik;
        log_likelihood(state, theta, missing, log_lik);
        CHECK(same(log_lik, arma::mat(n_states, sequences.n_steps(), arma::fill::zeros)));
        sample_emission(spec, missing, z, theta, state, streams(5));
        CHECK(state == draw_emission(spec, n_states, streams(5)));
    }
}

TEST_CASE("emission contract: a missing step changes no other step") {
    for (const EmissionSpec& spec : all_emissions()) {
        CAPTURE(std::string(emission_kind(spec)));
        const EmissionState state = draw_emission(spec, n_states, streams(1));
        Observations data{sequences, {}, {}};
        draw_observations(state, theta, z, data, streams(3));
        arma::mat full;
        log_likelihood(state, theta, data, full);
        if (data.symbol.is_empty())
            data.y.col(2).fill(arma::datum::nan);
        else
            data.symbol[2] = no_symbol;
        arma::mat partial;
        log_likelihood(state, theta, data, partial);
        full.col(2).zeros();
        CHECK(same(full, partial));
    }
}

TEST_CASE("emission contract: evidence about bits, or none") {
    for (const EmissionSpec& spec : all_emissions()) {
        CAPTURE(std::string(emission_kind(spec)));
        const EmissionState state = draw_emission(spec, n_states, streams(1));
        Observations data{sequences, {}, {}};
        draw_observations(state, theta, z, data, streams(3));
        const LinearEvidence found = evidence(state, data, z, n_states);
        CHECK(found.empty() != std::holds_alternative<LinearGaussianSpec>(spec));
        if (!found.empty()) CHECK(found.n_observed.n_cols == n_states);
    }
}

TEST_CASE("emission contract: spec and state of different emissions are refused") {
    const std::vector<EmissionSpec> specs = all_emissions();
    EmissionState state = draw_emission(specs[1], n_states, streams(1));
    CHECK_THROWS_WITH_AS(log_prior(specs[0], state),
                         "log_prior: state must be that of a linear_gaussian emission, found another",
                         std::domain_error);
    CHECK_THROWS_AS(sample_emission(specs[2], {}, {}, theta, state, streams(1)), std::domain_error);
}
