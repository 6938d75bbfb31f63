#include "hmmlt/sampler/factorial_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "hmmlt/conditionals/base_weights.hpp"
#include "hmmlt/conditionals/concentrations.hpp"
#include "hmmlt/conditionals/holding_times.hpp"
#include "hmmlt/conditionals/rates.hpp"
#include "hmmlt/conditionals/row_scales.hpp"
#include "hmmlt/conditionals/table_counts.hpp"
#include "hmmlt/conditionals/total_rates.hpp"
#include "hmmlt/conditionals/transition_counts.hpp"
#include "hmmlt/dynamics/factorial.hpp"
#include "hmmlt/random/below.hpp"

namespace hmmlt {

namespace {

// Streams that one chain uses in a block: at most one per row of its three, or per state and one for eta.
constexpr std::size_t streams_per_chain = 4;

class Streams {
  public:
    explicit Streams(const SweepAddress& address) : address_(address) {}

    BlockStreams all(StreamBlock block) const {
        return BlockStreams({.seed = address_.seed,
                             .chain = address_.chain,
                             .sweep = address_.sweep,
                             .block = static_cast<std::uint32_t>(block)});
    }
    BlockStreams of(arma::uword dim, StreamBlock block) const { return all(block).from(dim * streams_per_chain); }
    Stream one(arma::uword dim, StreamBlock block) const { return of(dim, block).item(0); }

  private:
    SweepAddress address_;
};

// gamma, c, beta and pi of one chain given its bits: the blocks of a sweep with two states, phi = 1 and rho = 0.
void sample_chain_transitions(const FactorialModel& model, const arma::mat& n, arma::uword dim, const Streams& rng,
                              BinaryChainState& chain) {
    const arma::mat log_phi(2, 2, arma::fill::zeros);
    const arma::vec w(2, arma::fill::zeros);
    arma::vec log_u;
    arma::mat a;
    arma::mat m;
    rate_shapes(chain.log_beta, chain.c, 0.0, a);
    sample_row_scales(chain.c, chain.log_pi, rng.of(dim, StreamBlock::row_scales));
    sample_holding_times(count_departures(n), log_total_rates(chain.log_pi, log_phi), log_u,
                         rng.of(dim, StreamBlock::holding_times));
    sample_table_counts(a, n, log_u, log_phi, m, rng.of(dim, StreamBlock::table_counts));
    const arma::vec base = base_tables(m, w);
    if (const auto* prior = std::get_if<GammaPrior>(&model.gamma)) {
        const double r = sample_top_tables(base, chain.gamma, rng.of(dim, StreamBlock::top_tables));
        Stream eta_rng = rng.of(dim, StreamBlock::top_tables).item(2);
        const double log_eta = sample_log_eta(base, chain.gamma, eta_rng);
        Stream gamma_rng = rng.one(dim, StreamBlock::gamma);
        chain.gamma = sample_gamma(*prior, r, log_eta, gamma_rng);
    }
    if (const auto* prior = std::get_if<GammaPrior>(&model.c)) {
        Stream c_rng = rng.one(dim, StreamBlock::concentration);
        chain.c = sample_concentration(*prior, m, log_u, c_rng);
    }
    Stream beta_rng = rng.one(dim, StreamBlock::base_weights);
    sample_base_weights(base, chain.gamma, chain.log_beta, beta_rng);
    rate_shapes(chain.log_beta, chain.c, 0.0, a);
    sample_rates(a, n, log_u, log_phi, chain.log_pi, rng.of(dim, StreamBlock::rates));
}

void sample_all_transitions(const FactorialModel& model, const Observations& observations, const Streams& rng,
                            FactorialState& state) {
    arma::mat n;
    for (arma::uword dim = 0; dim < state.chains.size(); ++dim) {
        count_transitions(state.theta.row(dim).t(), observations.sequences, 2, n);
        sample_chain_transitions(model, n, dim, rng, state.chains[dim]);
    }
}

void sample_emission_of(const FactorialModel& model, const Observations& observations, const Streams& rng,
                        FactorialState& state) {
    sample_emission(model.emission, observations, steps_as_states(state.theta.n_cols), state.theta, state.emission,
                    rng.all(StreamBlock::emission));
}

double seconds_since(std::chrono::steady_clock::time_point started) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

[[noreturn]] void throw_from_sweep(const SweepAddress& address, const std::string& part, const std::exception& error) {
    throw std::runtime_error(fmt::format("sweep {} of the factorial model, {}: {}", address.sweep, part, error.what()));
}

// 0 .. n - 1 in random order.
arma::uvec shuffled(arma::uword n, Stream& rng) {
    arma::uvec order = arma::regspace<arma::uvec>(0, n - 1);
    for (arma::uword left = n; left > 1; --left) std::swap(order(left - 1), order(draw_below(left, rng)));
    return order;
}

}  // namespace

arma::uword count_distinct_columns(const arma::umat& theta) {
    std::set<std::vector<arma::uword>> seen;
    for (arma::uword step = 0; step < theta.n_cols; ++step) seen.emplace(theta.begin_col(step), theta.end_col(step));
    return seen.size();
}

SweepInfo run_factorial_sweep(const FactorialModel& model, const Observations& observations, FactorialState& state,
                              const SweepAddress& address) {
    const Streams rng(address);
    SweepInfo info;
    arma::mat n;
    const auto started = std::chrono::steady_clock::now();
    arma::uword dim = 0;
    try {
        for (; dim < state.chains.size(); ++dim) {
            BinaryChainState& chain = state.chains[dim];
            const arma::vec log_odds =
                factorial_log_odds(dim, observations.y, state.theta, state.emission.weights, state.emission.h);
            sample_chain(dim, chain.log_pi, log_odds, observations.sequences, state.theta,
                         rng.all(StreamBlock::states));
            count_transitions(state.theta.row(dim).t(), observations.sequences, 2, n);
            sample_chain_transitions(model, n, dim, rng, chain);
        }
        info.seconds.push_back(seconds_since(started));
        const auto emission_started = std::chrono::steady_clock::now();
        sample_emission_of(model, observations, rng, state);
        info.seconds.push_back(seconds_since(emission_started));
    } catch (const std::exception& error) {
        throw_from_sweep(address, dim < state.chains.size() ? fmt::format("chain {}", dim) : "emission", error);
    }
    info.log_likelihood = arma::datum::nan;
    info.n_used = count_distinct_columns(state.theta);
    return info;
}

double sample_bits_jointly(const Observations& observations, Precision precision, const JointBlocks& blocks,
                           JointDrawScratch& scratch, FactorialState& state, const SweepAddress& address) {
    const Streams rng(address);
    const arma::uword n_dims = state.chains.size();
    arma::cube log_pi(3, 2, n_dims);
    for (arma::uword dim = 0; dim < n_dims; ++dim) {
        const BinaryChainState& chain = state.chains[dim];
        log_pi.slice(dim) = chain.log_pi;
        log_pi.slice(dim).row(2) = std::log(chain.c) + chain.log_beta.t();
    }
    const bool at_once = n_dims <= blocks.at_once;
    const arma::uword size = at_once ? n_dims : blocks.in_block;
    Stream order_rng = rng.all(StreamBlock::chain_blocks).item(0);
    const arma::uvec order = at_once ? arma::regspace<arma::uvec>(0, n_dims - 1) : shuffled(n_dims, order_rng);
    double log_likelihood = 0.0;
    arma::uword n_streams = 0;
    for (arma::uword first = 0; first < n_dims; first += size) {
        log_likelihood =
            sample_joint_chains(order.subvec(first, std::min(first + size, n_dims) - 1), observations.y,
                                observations.sequences, log_pi, state.emission.weights, state.emission.h, precision,
                                scratch, state.theta, rng.all(StreamBlock::joint_states).from(n_streams));
        n_streams += observations.sequences.count();
    }
    return at_once ? log_likelihood : arma::datum::nan;
}

SweepInfo run_blocked_factorial_sweep(const FactorialModel& model, const Observations& observations,
                                      FactorialState& state, const BitsDraw& draw_bits, const SweepAddress& address) {
    SweepInfo info;
    std::string part = "bits";
    auto started = std::chrono::steady_clock::now();
    const auto ends = [&](const char* next) {
        info.seconds.push_back(seconds_since(started));
        started = std::chrono::steady_clock::now();
        part = next;
    };
    try {
        info.log_likelihood = draw_bits(observations, state, address);
        ends("chains");
        sample_all_transitions(model, observations, Streams(address), state);
        ends("emission");
        sample_emission_of(model, observations, Streams(address), state);
        ends("");
    } catch (const std::exception& error) {
        throw_from_sweep(address, part, error);
    }
    info.n_used = count_distinct_columns(state.theta);
    return info;
}

void sample_factorial_parameters(const FactorialModel& model, const Observations& observations, FactorialState& state,
                                 const SweepAddress& address) {
    const Streams rng(address);
    sample_all_transitions(model, observations, rng, state);
    sample_emission_of(model, observations, rng, state);
}

}  // namespace hmmlt
