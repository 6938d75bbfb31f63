// Bits where similarity has a direction: draws in blocks against the density written out in full.
#include "hmmlt/locations/directed_bits.hpp"

#include <doctest/doctest.h>

#include "hmmlt/math/log_space.hpp"
#include "hmmlt/similarity/bit_transitions.hpp"
#include "locations/bit_case.hpp"

using namespace hmmlt;
using testing::BitCase, testing::make_bit_case;

namespace {

// docs/model.md (10) with phi of (89); q counts for the moves given Q, log_pi for those without.
double log_density(const BitCase& c, const arma::mat& logits, bool given_q, const arma::umat& theta) {
    double f = testing::log_prior_and_evidence(c, theta);
    for (arma::uword j = 0; j < theta.n_cols; ++j) {
        double total = 0.0;
        for (arma::uword k = 0; k < theta.n_cols; ++k) {
            double log_phi = 0.0;
            for (arma::uword d = 0; d < theta.n_rows; ++d)
                log_phi -= std::log1p(std::exp(theta(d, k) == 1 ? -logits(theta(d, j), d) : logits(theta(d, j), d)));
            f += c.n(j, k) * log_phi;
            if (given_q) f += c.q(j, k) * log1m_exp(log_phi);
            total += std::exp(c.log_pi(j, k) + log_phi);
        }
        if (!given_q) f -= arma::accu(c.n.row(j)) * std::log(total);
    }
    return f;
}

}  // namespace

TEST_CASE(
    "directed bits: draws equal those of a plain implementation, in more blocks than one and in a last short one") {
    for (const arma::uword n_dims : {4u, 5u, 9u}) {
        CAPTURE(n_dims);
        BitCase c = make_bit_case(n_dims, 6, 20 + n_dims);
        c.n *= 5.0;  // totals have a say
        c.n.diag() += 3.0;
        const arma::mat logits = draw_bit_transitions({1.5, 1.5}, n_dims, BlockStreams({.seed = 5}));
        for (const bool dominated : {false, true}) {
            if (dominated) c.log_pi.col(2) += 40.0;  // every total is nearly all column 2
            for (std::uint32_t sweep = 0; sweep < 30; ++sweep) {
                const BlockStreams rng({.seed = 6, .sweep = sweep});
                const auto without_q = [&](const arma::umat& bits) { return log_density(c, logits, false, bits); };
                arma::umat theta = c.theta;
                sample_directed_bits(c.mu, logits, c.n, c.log_pi, c.evidence, 4, theta, rng);
                REQUIRE(arma::accu(theta != testing::plain_block_draws(c.theta, 4, without_q, rng)) == 0);
                const auto with_q = [&](const arma::umat& bits) { return log_density(c, logits, true, bits); };
                theta = c.theta;
                sample_directed_bits_given_failed_jumps(c.mu, logits, c.n, c.q, c.evidence, theta, rng);
                REQUIRE(arma::accu(theta != testing::plain_block_draws(c.theta, 1, with_q, rng)) == 0);
            }
        }
    }
}
