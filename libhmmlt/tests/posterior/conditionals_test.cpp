// Every conditional of the samplers against exact ratios of the joint density, and the gradients that some of them use
// against its differences: the parameters of a law are right exactly if the law is proportional to the joint.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "hmmlt/locations/directed_bits.hpp"
#include "hmmlt/sampler/sweep.hpp"
#include "hmmlt/similarity/bit_transitions.hpp"
#include "hmmlt/similarity/lambda.hpp"
#include "posterior/augmented_points.hpp"
#include "posterior/conditional_inputs.hpp"
#include "posterior/conditional_rows.hpp"

using namespace hmmlt;
using namespace hmmlt::testing;

namespace {

// Rounding: log densities here are below a few hundred and sums of a few hundred terms.
constexpr double ratio_tolerance = 1e-13;
// Differences over four points: their own error, not that of the gradients.
constexpr double slope_tolerance = 1e-8;

struct NamedRow {
    const char* conditional;
    const char* equations;    // of docs/model.md
    const char* single = "";  // the block that draws it, of each sampler
    const char* blocked = "";
    Row check;
};

const NamedRow rows[] = {
    {"z, u and Q together", "(10)-(13)", "", "", check_jump_process},
    {"z: a path, and one state given the others", "(67), (68)", "states", "states", check_states},
    {"slices of a beam, and z given them", "(91), (92)", "states", "states", check_beam},
    {"segments of a semi-Markov chain", "(77)-(79)", "", "states", check_segments},
    {"omega, or r and p, of durations", "(81), (83), (84)", "", "durations", check_durations},
    {"scale of a row of pi, u and Q integrated out", "(97)", "row_scales", "row_scales", check_row_scales},
    {"scale of the jumps of a row, and pi_jj", "(116)", "", "row_scales", check_scales_of_jumps},
    {"u", "(11)", "holding_times", "holding_times", check_holding_times},
    {"q", "(12)", "failed_jumps", "", check_failed_jumps},
    {"m given Q", "(16)", "table_counts", "", check_table_counts_given_failed_jumps},
    {"m", "(35)", "", "table_counts", check_table_counts},
    {"w", "(17)", "sticky_tables", "sticky_tables", check_sticky_tables},
    {"r", "(22)", "top_tables", "top_tables", check_top_tables},
    {"eta", "(23)", "top_tables", "top_tables", check_eta},
    {"gamma, beta integrated out", "(24)", "gamma", "gamma", check_gamma},
    {"c, pi integrated out", "(19)", "concentration", "concentration", check_concentration},
    {"rho, pi integrated out", "(20)", "stickiness", "stickiness", check_stickiness},
    {"beta, pi integrated out", "(25)", "base_weights", "base_weights", check_base_weights},
    {"pi given Q", "(15)", "rates", "", check_rates_given_failed_jumps},
    {"pi", "(32)", "", "rates", check_rates},
    {"theta: one bit, given Q", "(45)-(48)", "locations", "", check_bits_given_failed_jumps},
    {"theta: blocks of bits, u and Q integrated out", "(49)-(51)", "", "locations", check_bits_in_blocks},
    {"theta: whole features, W, mu, u and Q integrated out", "(118)-(120)", "", "features", check_features},
    {"z and beta of two states, pi, theta, u and Q integrated out", "(131)-(134)", "", "split_merge", check_splits},
    {"mu", "(52)", "bit_probabilities", "bit_probabilities", check_bit_probabilities},
    {"mu of the Indian buffet", "(87)", "bit_probabilities", "bit_probabilities", check_buffet_probabilities},
    {"a_ibp", "(88)", "bit_probabilities", "bit_probabilities", check_buffet_concentration},
    {"theta under a directed phi: one bit, given Q", "(110)", "locations", "", check_directed_bits_given_failed_jumps},
    {"theta under a directed phi: blocks, u and Q integrated out", "(111)", "", "locations", check_directed_bits},
    {"bit transitions, u and Q integrated out, and derivative", "(90)", "lambda", "lambda", check_bit_transitions},
    {"locations given Q, and gradient", "(56), (57)", "locations", "", check_locations_given_failed_jumps},
    {"locations, u and Q integrated out, and gradient", "(58), (59)", "", "locations", check_locations},
    {"lambda given Q, and derivative", "(39), (40)", "lambda", "", check_lambda_given_failed_jumps},
    {"lambda, u and Q integrated out, and derivative", "(41), (42)", "", "lambda", check_lambda},
    {"h of the linear-Gaussian emission", "(54)", "emission", "emission", check_noise_precisions},
    {"W of the linear-Gaussian emission", "(55)", "emission", "emission", check_weights},
    {"precision of W, learnt", "(115)", "emission", "emission", check_weight_precision},
    {"theta of the categorical emission", "(61)", "emission", "emission", check_symbol_probabilities},
    {"nu and h of the Gaussian emission", "(65)", "emission", "emission", check_means_and_precisions},
    {"bits of a factorial chain given the others", "(71)", "", "", check_factorial_chain},
};

}  // namespace

TEST_CASE("conditionals: every law is proportional to the augmented joint density") {
    for (const NamedRow& row : rows) {
        const std::string conditional = row.conditional;
        CAPTURE(conditional);
        std::size_t n_points = 0;
        for (std::uint64_t seed = 1; seed <= 4; ++seed)
            for (const AugmentedPoint& point : augmented_points(seed)) {
                CAPTURE(seed);
                CAPTURE(point.name);
                Comparison comparison;
                Stream rng({.seed = seed, .chain = 2});
                row.check(point, rng, comparison);
                n_points += comparison.n_checked() > 0 ? 1u : 0u;
                CHECK(comparison.largest_error() <= ratio_tolerance);
                CHECK(comparison.largest_slope_error() <= slope_tolerance);
            }
        CHECK(n_points >= 8);  // no row passes for want of points
    }
}

TEST_CASE("conditionals: moves with u and Q integrated out do not see the scale of a row") {
    for (const AugmentedPoint& point : augmented_points(1)) {
        CAPTURE(point.name);
        const ConditionalInputs in(point);
        const State& state = point.state;
        const arma::mat log_pi = arma::round(1024.0 * state.log_pi) / 1024.0;
        // T_j of e^-1e12 is met where c is tiny; so many digits are left that nothing is lost here
        arma::mat tiny = log_pi;
        for (arma::uword j = 0; j < tiny.n_rows; ++j) tiny.row(j) -= 0x1p40 + static_cast<double>(j);
        const auto lambda = [&](const arma::mat& rates) {
            const LogDensity density = LambdaGivenRates({0.5}, in.distance, in.n, rates)(0.7);
            return std::vector<double>{density.value, density.slope};
        };
        CHECK((lambda(tiny) == lambda(log_pi)));
        if (!state.bit_logits.is_empty()) {
            const auto transition = [&](const arma::mat& rates) {
                const auto law =
                    bit_transition_law({1.0, 1.0}, 0, 1, bits(state.locations), state.bit_logits, in.n, rates);
                return std::vector<double>{law(0.3).value, law(0.3).slope};
            };
            CHECK((transition(tiny) == transition(log_pi)));
        }
        if (const auto* locations = std::get_if<BinaryLocationState>(&state.locations)) {
            if (!state.bit_logits.is_empty()) {
                const auto directed = [&](const arma::mat& rates) {
                    return directed_bit_log_weights(0, {2, 0}, locations->theta, locations->mu, state.bit_logits, in.n,
                                                    rates, {});
                };
                CHECK((directed(tiny) == directed(log_pi)));
            }
            const auto bits = [&](const arma::mat& rates) {
                return bit_block_log_weights(0, {2, 0}, locations->theta, locations->mu, state.lambda, in.n, rates, {});
            };
            CHECK((bits(tiny) == bits(log_pi)));
        }
        if (const auto* locations = std::get_if<EuclideanLocationState>(&state.locations)) {
            const auto density = [&](const arma::mat& rates) {
                return location_log_density(locations->location, in.n, rates, state.lambda, 1.0);
            };
            CHECK(density(tiny) == density(log_pi));
        }
    }
}

TEST_CASE("conditionals: every block of both sweeps has its row") {
    const auto has_row = [](std::string_view block, const char* NamedRow::*column) {
        return std::any_of(std::begin(rows), std::end(rows), [&](const NamedRow& row) { return block == row.*column; });
    };
    for (const Block& block : single_sweep()) CHECK_MESSAGE(has_row(block.name, &NamedRow::single), block.name);
    for (const Block& block : with_dynamics(SemiMarkovDynamics{}, blocked_sweep()))
        CHECK_MESSAGE(has_row(block.name, &NamedRow::blocked), block.name);
}
