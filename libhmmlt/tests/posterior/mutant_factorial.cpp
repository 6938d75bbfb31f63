// Wrong draws of the bits of a factorial HMM: by messages over all joint states with a dense transition matrix, so that
// nothing is shared with the library's.
#include <cmath>
#include <vector>

#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/categorical.hpp"
#include "posterior/mutant_blocks.hpp"

namespace hmmlt::testing {

namespace {

// Of the joint state `to` of all chains after `from`, which is 2^n_dims at the start.
double log_joint_probability(const FactorialState& state, arma::uword from, arma::uword to) {
    double sum = 0.0;
    for (arma::uword d = 0; d < state.chains.size(); ++d) {
        const arma::mat& rates = state.chains[d].log_pi;  // their logarithms
        const arma::uword row = from >> state.chains.size() ? 2 : (from >> d & 1);
        sum += rates(row, to >> d & 1) - log_add_exp(rates(row, 0), rates(row, 1));
    }
    return sum;
}

double log_joint_likelihood(const FactorialState& state, const Observations& observations, arma::uword step,
                            arma::uword joint) {
    double log_density = 0.0;
    for (arma::uword i = 0; i < observations.y.n_rows; ++i) {
        if (std::isnan(observations.y(i, step))) continue;
        double residual = observations.y(i, step) - state.emission.weights(0, i);
        for (arma::uword d = 0; d < state.chains.size(); ++d)
            if (joint >> d & 1) residual -= state.emission.weights(d + 1, i);
        log_density -= 0.5 * state.emission.h(i) * residual * residual;
    }
    return log_density;
}

BlockStreams streams_of_bits(const SweepAddress& address) {
    return BlockStreams({.seed = address.seed,
                         .chain = address.chain,
                         .sweep = address.sweep,
                         .block = static_cast<std::uint32_t>(StreamBlock::joint_states)});
}

}  // namespace

BitsDraw bits_by_dense_messages(BitsBugs bugs) {
    return [=](const Observations& observations, FactorialState& state, const SweepAddress& address) {
        const arma::uword n_joint = arma::uword{1} << state.chains.size();
        const Sequences& sequences = observations.sequences;
        const BlockStreams rng = streams_of_bits(address);
        for (arma::uword s = 0; s < sequences.count(); ++s) {
            const arma::uword first = sequences.first[s];
            Stream stream = rng.item(s);
            arma::mat log_message(n_joint, sequences.length(s));
            for (arma::uword t = 0; t < log_message.n_cols; ++t)
                for (arma::uword to = 0; to < n_joint; ++to) {
                    const auto comes_from = [&](arma::uword from) {
                        return log_message(from, t - 1) +
                               log_joint_probability(state, bugs.wrong_row_in_filter ? from ^ 1 : from, to);
                    };
                    log_message(to, t) =
                        (t == 0 ? log_joint_probability(state, n_joint, to) : log_sum_exp(n_joint, comes_from)) +
                        log_joint_likelihood(state, observations, first + t, to);
                }
            arma::uword next = 0;
            for (arma::uword t = log_message.n_cols; t-- > 0;) {
                const bool is_last = t + 1 == log_message.n_cols;
                std::vector<double> log_weights(n_joint);
                for (arma::uword from = 0; from < n_joint; ++from)
                    log_weights[from] = (bugs.draw_without_message && !is_last ? 0.0 : log_message(from, t)) +
                                        (is_last ? 0.0 : log_joint_probability(state, from, next));
                next = draw_categorical_log(log_weights, stream);
                for (arma::uword d = 0; d < state.chains.size(); ++d) state.theta(d, first + t) = next >> d & 1;
            }
        }
        return arma::datum::nan;
    };
}

double bits_in_blocks_without_the_rest(const Observations& observations, FactorialState& state,
                                       const SweepAddress& address) {
    JointDrawScratch scratch;
    for (arma::uword dim = 0; dim < state.chains.size(); ++dim) {
        arma::umat own = state.theta.row(dim);
        arma::cube log_pi(3, 2, 1);
        log_pi.slice(0) = state.chains[dim].log_pi;
        sample_joint_chains({0}, observations.y, observations.sequences, log_pi,
                            state.emission.weights.rows(arma::uvec{0, dim + 1}), state.emission.h, Precision::float64,
                            scratch, own, streams_of_bits(address).from(dim * observations.sequences.count()));
        state.theta.row(dim) = own;
    }
    return arma::datum::nan;
}

}  // namespace hmmlt::testing
