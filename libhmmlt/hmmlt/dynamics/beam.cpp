// Work is proportional to the transitions that lie above their slices, but for one pass over A.
#include "hmmlt/dynamics/beam.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "hmmlt/conditionals/total_rates.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/categorical.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

namespace {

// A path keeps its own slices: s < A in exact numbers, but both may round to the same one.
bool is_above(double log_a, double log_slice) {
    return log_a >= log_slice;
}

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

// Beyond this, the smallest of a step's messages underflows beside the largest.
constexpr double widest_range = 600.0;

// The states that step t reaches, and the logarithms of the sums of the messages that lead to them.
class Step {
  public:
    Step(Beam& beam, std::uint32_t number) : beam_(beam), number_(number) {}

    // All transitions of one row that are above the slice; add(sum) takes in one message.
    template <typename Add>
    void spread(std::size_t row, double log_slice, double nothing, const Add& add) {
        for (const Beam::Transition& transition : beam_.from[row]) {
            if (!is_above(transition.log_a, log_slice)) return;
            if (beam_.seen[transition.to] != number_) {
                beam_.seen[transition.to] = number_;
                beam_.sum[transition.to] = nothing;
                beam_.active.push_back(transition.to);
            }
            add(beam_.sum[transition.to]);
        }
    }

  private:
    Beam& beam_;
    std::uint32_t number_;
};

// Messages of one step from those of the step before it, which occupy [begin, end); afterwards beam.active has the
// states of the step from `end` on, and beam.sum their logarithms.
void advance(Beam& beam, std::uint32_t number, std::size_t begin, std::size_t end, double log_slice) {
    Step step(beam, number);
    if (begin == end) {  // the start
        step.spread(beam.states.n_elem, log_slice, 0.0, [](double&) {});
        return;
    }
    const auto [low, high] = std::minmax_element(beam.log_f.begin() + static_cast<std::ptrdiff_t>(begin),
                                                 beam.log_f.begin() + static_cast<std::ptrdiff_t>(end));
    if (*high - *low < widest_range) {  // the largest is 0
        for (std::size_t i = begin; i < end; ++i) {
            const double f = std::exp(beam.log_f[i]);
            step.spread(beam.active[i], log_slice, 0.0, [f](double& sum) { sum += f; });
        }
        for (std::size_t i = end; i < beam.active.size(); ++i)
            beam.sum[beam.active[i]] = std::log(beam.sum[beam.active[i]]);
    } else {
        for (std::size_t i = begin; i < end; ++i) {
            const double log_f = beam.log_f[i];
            step.spread(beam.active[i], log_slice, minus_infinity,
                        [log_f](double& log_sum) { log_sum = log_add_exp(log_sum, log_f); });
        }
    }
}

// Likelihoods join the sums; the largest message becomes 1. States that the data exclude are left out.
bool weigh(Beam& beam, std::size_t end, const double* log_lik) {
    double largest = minus_infinity;
    std::size_t kept = end;
    beam.log_f.resize(beam.active.size());
    for (std::size_t i = end; i < beam.active.size(); ++i) {
        const double log_f = beam.sum[beam.active[i]] + log_lik[beam.active[i]];
        if (log_f == minus_infinity) continue;
        beam.active[kept] = beam.active[i];
        beam.log_f[kept++] = log_f;
        largest = std::max(largest, log_f);
    }
    beam.active.resize(kept);
    beam.log_f.resize(kept);
    for (std::size_t i = end; i < kept; ++i) beam.log_f[i] -= largest;
    return std::isfinite(largest);
}

void filter(const arma::vec& log_slice, const arma::mat& log_lik, arma::uword sequence, arma::uword first,
            arma::uword last, Beam& beam) {
    beam.first.assign(1, 0);
    beam.active.clear();
    beam.log_f.clear();
    beam.sum.resize(beam.states.n_elem);
    beam.seen.assign(beam.states.n_elem, nowhere);
    for (arma::uword t = first; t < last; ++t) {
        const std::size_t begin = t == first ? 0 : beam.first[beam.first.size() - 2];
        const std::size_t end = beam.first.back();
        advance(beam, static_cast<std::uint32_t>(t - first), begin, end, log_slice[t]);
        if (!weigh(beam, end, log_lik.colptr(t)))
            throw std::runtime_error(
                fmt::format("sample_states: sequence {}, step {}: no path above the slices has a positive probability",
                            sequence, t - first));
        beam.first.push_back(beam.active.size());
    }
}

}  // namespace

void log_transitions(const arma::mat& log_pi, const arma::mat& log_phi, arma::mat& log_a) {
    const arma::vec log_total = log_total_rates(log_pi, log_phi);
    log_a.set_size(arma::size(log_pi));
    for_each_log_rate(log_pi, log_phi, [&](arma::uword from, arma::uword to, double log_rate) {
        log_a.at(from, to) = log_rate - log_total[from];
    });
}

void sample_log_slices(const arma::mat& log_a, const arma::uvec& z, const Sequences& sequences, arma::vec& log_slice,
                       const BlockStreams& rng) {
    const arma::uword n_states = log_a.n_cols;
    check_size("sample_log_slices", "z", z.n_elem, sequences.n_steps());
    log_slice.set_size(z.n_elem);
    for (arma::uword s = 0; s < sequences.count(); ++s) {
        Stream stream = rng.item(s);
        arma::uword from = n_states;
        for (arma::uword t = sequences.first[s]; t < sequences.first[s + 1]; ++t) {
            check_below("sample_log_slices", "z", z[t], n_states);
            log_slice[t] = log_a.at(from, z[t]) + std::log(draw_uniform(stream));
            if (!std::isfinite(log_slice[t]))
                throw std::domain_error(
                    fmt::format("sample_log_slices: z must have a positive probability, found a transition of "
                                "probability 0 in sequence {}, step {}",
                                s, t - sequences.first[s]));
            from = z[t];
        }
    }
}

void cut_beam(const arma::mat& log_a, const arma::vec& log_slice, Beam& beam) {
    const arma::uword n_states = log_a.n_cols;
    const double lowest = log_slice.is_empty() ? 0.0 : log_slice.min();
    beam.rows.resize(n_states + 1);
    for (auto& row : beam.rows) row.clear();
    for (arma::uword to = 0; to < n_states; ++to) {
        const double* column = log_a.colptr(to);
        for (arma::uword from = 0; from <= n_states; ++from)
            if (is_above(column[from], lowest))
                beam.rows[from].push_back({column[from], static_cast<std::uint32_t>(to)});
    }
    beam.place.assign(n_states, nowhere);
    std::vector<arma::uword> reached;
    std::size_t done = 0;
    for (arma::uword from = n_states;; from = reached[done++]) {
        for (const Beam::Transition& transition : beam.rows[from])
            if (beam.place[transition.to] == nowhere) {
                beam.place[transition.to] = 0;
                reached.push_back(transition.to);
            }
        if (done == reached.size()) break;
    }
    beam.states = arma::sort(arma::uvec(reached));
    for (arma::uword k = 0; k < beam.states.n_elem; ++k) beam.place[beam.states[k]] = static_cast<std::uint32_t>(k);
    beam.from.resize(beam.states.n_elem + 1);
    for (arma::uword k = 0; k <= beam.states.n_elem; ++k) {
        std::vector<Beam::Transition>& row = beam.from[k];
        row = beam.rows[k < beam.states.n_elem ? beam.states[k] : n_states];
        for (Beam::Transition& transition : row) transition.to = beam.place[transition.to];
        std::sort(row.begin(), row.end(), [](const Beam::Transition& a, const Beam::Transition& b) {
            return a.log_a != b.log_a ? a.log_a > b.log_a : a.to < b.to;
        });
    }
}

void sample_states(const arma::mat& log_a, const arma::vec& log_slice, const arma::mat& log_lik,
                   const Sequences& sequences, Beam& beam, arma::uvec& z, const BlockStreams& rng) {
    check_size("sample_states", "log_slice", log_slice.n_elem, sequences.n_steps());
    check_size("sample_states", "the rows of log_lik", log_lik.n_rows, beam.states.n_elem);
    check_size("sample_states", "the columns of log_lik", log_lik.n_cols, sequences.n_steps());
    z.set_size(sequences.n_steps());
    for (arma::uword s = 0; s < sequences.count(); ++s) {
        const arma::uword start = sequences.first[s];
        const arma::uword last = sequences.first[s + 1];
        filter(log_slice, log_lik, s, start, last, beam);
        Stream stream = rng.item(s);
        for (arma::uword t = last; t-- > start;) {
            const std::size_t begin = beam.first[t - start];
            beam.weight.assign(beam.log_f.begin() + static_cast<std::ptrdiff_t>(begin),
                               beam.log_f.begin() + static_cast<std::ptrdiff_t>(beam.first[t - start + 1]));
            if (t + 1 < last) {
                const double* into = log_a.colptr(z[t + 1]);
                for (std::size_t i = 0; i < beam.weight.size(); ++i)
                    if (!is_above(into[beam.states[beam.active[begin + i]]], log_slice[t + 1]))
                        beam.weight[i] = minus_infinity;
            }
            z[t] = beam.states[beam.active[begin + draw_categorical_log(beam.weight, stream)]];
        }
    }
}

}  // namespace hmmlt
