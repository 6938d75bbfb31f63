// Work is proportional to the transitions that lie above their slices, but for one pass over A.
#include "hmmlt/dynamics/beam.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "hmmlt/dynamics/log_messages.hpp"
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

// Calls visit(to) for the transitions of one row that are above the slice.
template <typename Visit>
void for_each_above(const Beam& beam, std::size_t row, double log_slice, const Visit& visit) {
    for (const Beam::Transition& transition : beam.from[row]) {
        if (!is_above(transition.log_a, log_slice)) return;
        visit(transition.to);
    }
}

// Messages of step `number` from those of the step before it, which occupy [begin, end); afterwards beam.active has the
// states of the step from `end` on, and beam.sum the logarithms of what leads to them. Plain sums first; only those
// that come out too small are done again as logarithms.
void advance_beam(Beam& beam, std::uint32_t number, std::size_t begin, std::size_t end, double log_slice) {
    const auto reach = [&](std::uint32_t to) {
        if (beam.seen[to] == number) return;
        beam.seen[to] = number;
        beam.sum[to] = 0.0;
        beam.active.push_back(to);
    };
    if (begin == end) {  // from the start, where log 1 is the sum
        for_each_above(beam, beam.states.n_elem, log_slice, reach);
        return;
    }
    for (std::size_t i = begin; i < end; ++i) {
        const double f = beam.f[i];
        for_each_above(beam, beam.active[i], log_slice, [&](std::uint32_t to) {
            reach(to);
            beam.sum[to] += f;
        });
    }
    bool any_faint = false;
    for (std::size_t i = end; i < beam.active.size(); ++i) {
        double& sum = beam.sum[beam.active[i]];
        const bool faint = sum < smallest_safe_sum;
        beam.faint[beam.active[i]] = faint ? 1 : 0;
        any_faint |= faint;
        sum = faint ? minus_infinity : std::log(sum);
    }
    if (!any_faint) return;
    for (std::size_t i = begin; i < end; ++i) {
        const double log_f = beam.log_f[i];
        for_each_above(beam, beam.active[i], log_slice, [&](std::uint32_t to) {
            if (beam.faint[to] != 0) beam.sum[to] = log_add_exp(beam.sum[to], log_f);
        });
    }
}

// Likelihoods join the sums; the largest message becomes 1. States that the data exclude are left out.
bool weigh_beam(Beam& beam, std::size_t end, const double* log_lik) {
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
    beam.f.resize(kept);
    for (std::size_t i = end; i < kept; ++i) beam.f[i] = vector_exp(beam.log_f[i]);
    return std::isfinite(largest);
}

void filter_beam(const arma::vec& log_slice, const arma::mat& log_lik, arma::uword sequence, arma::uword first,
                 arma::uword last, Beam& beam) {
    beam.first.assign(1, 0);
    beam.active.clear();
    beam.log_f.clear();
    beam.sum.resize(beam.states.n_elem);
    beam.seen.assign(beam.states.n_elem, nowhere);
    beam.faint.resize(beam.states.n_elem);
    for (arma::uword t = first; t < last; ++t) {
        const std::size_t begin = t == first ? 0 : beam.first[beam.first.size() - 2];
        const std::size_t end = beam.first.back();
        advance_beam(beam, static_cast<std::uint32_t>(t - first), begin, end, log_slice[t]);
        if (!weigh_beam(beam, end, log_lik.colptr(t)))
            throw std::runtime_error(
                fmt::format("sample_states: sequence {}, step {}: no path above the slices has a positive probability",
                            sequence, t - first));
        beam.first.push_back(beam.active.size());
    }
}

}  // namespace

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
        filter_beam(log_slice, log_lik, s, start, last, beam);
        Stream stream = rng.item(s);
        for (arma::uword t = last; t-- > start;) {
            const std::size_t begin = beam.first[t - start];
            const std::size_t end = beam.first[t - start + 1];
            const double* into = t + 1 < last ? log_a.colptr(z[t + 1]) : nullptr;
            const auto leads_on = [&](std::size_t i) {
                return into == nullptr || is_above(into[beam.states[beam.active[i]]], log_slice[t + 1]);
            };
            const auto weigh_by = [&](const std::vector<double>& message, double nothing) {
                beam.weight.resize(end - begin);
                for (std::size_t i = begin; i < end; ++i) beam.weight[i - begin] = leads_on(i) ? message[i] : nothing;
            };
            weigh_by(beam.f, 0.0);
            std::size_t chosen = 0;
            if (std::accumulate(beam.weight.begin(), beam.weight.end(), 0.0) >= smallest_safe_sum) {
                chosen = draw_categorical(beam.weight, stream);
            } else {
                weigh_by(beam.log_f, minus_infinity);
                chosen = draw_categorical_log(beam.weight, stream);
            }
            z[t] = beam.states[beam.active[begin + chosen]];
        }
    }
}

}  // namespace hmmlt
