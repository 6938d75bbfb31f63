// Messages are normalised after every step, so that each starts with the whole range of its precision.
#include "hmmlt/dynamics/scaled_filter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/flush_denormals.hpp"
#include "hmmlt/math/matrix_product.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

namespace {

// From this many sequences on, one product of matrices is faster than a vector times the panels for each, unless most
// rows would be skipped there: symbols that few states emit leave few messages.
constexpr arma::uword smallest_batch = 6;
constexpr arma::uword one_row_in = 3;

// Of each column of the likelihoods, the states that can have messages there, if they are few.
class FewStates {
  public:
    using Rows = std::span<const std::uint32_t>;

    template <typename Real>
    void find(const Likelihoods<Real>& likelihoods) {
        const auto n_states = static_cast<std::uint32_t>(likelihoods.scaled.n_rows());
        n_possible_.clear();
        first_.assign(1, 0);
        states_.clear();
        for (std::size_t index = 0; index < likelihoods.log_scale.size(); ++index) {
            const Real* column = likelihoods.scaled.column(index);
            std::uint32_t n = 0;
            for (std::uint32_t k = 0; k < n_states; ++k) n += column[k] != Real{0} ? 1U : 0U;
            for (std::uint32_t k = 0; one_row_in * n <= n_states && k < n_states; ++k)
                if (column[k] != Real{0}) states_.push_back(k);
            n_possible_.push_back(n);
            first_.push_back(states_.size());
        }
    }

    arma::uword n_possible(std::size_t index) const { return n_possible_[index]; }
    std::optional<Rows> rows(std::size_t index) const {
        if (index >= n_possible_.size() || first_[index + 1] - first_[index] != n_possible_[index]) return std::nullopt;
        return Rows(states_).subspan(first_[index], n_possible_[index]);
    }

  private:
    std::vector<std::uint32_t> n_possible_;
    std::vector<std::size_t> first_;
    std::vector<std::uint32_t> states_;
};

// Where the messages of each step number go.
template <typename Real>
void lay_out(const Sequences& sequences, Keep keep, arma::uword n_states, ScaledMessages<Real>& messages) {
    std::vector<arma::uword>& order = messages.order;
    order.resize(sequences.count());
    std::iota(order.begin(), order.end(), arma::uword{0});
    std::stable_sort(order.begin(), order.end(),
                     [&sequences](arma::uword a, arma::uword b) { return sequences.length(a) > sequences.length(b); });
    messages.rank.resize(order.size());
    for (arma::uword place = 0; place < order.size(); ++place) messages.rank[order[place]] = place;

    const arma::uword longest = order.empty() ? 0 : sequences.length(order.front());
    arma::uword n_active = order.size();
    arma::uword n_columns = 0;
    messages.first_column.resize(longest);
    for (arma::uword step = 0; step < longest; ++step) {
        while (n_active > 0 && sequences.length(order[n_active - 1]) <= step) --n_active;
        messages.first_column[step] = keep == Keep::all_messages ? n_columns : step % 2 * order.size();
        n_columns += n_active;
    }
    messages.f.set_size(n_states, keep == Keep::all_messages ? n_columns : 2 * order.size());
}

// now(k) e^(L_kt - b_t) / C_t, and C_t; zeros and NaN if C_t is too small, or not a number.        docs/model.md (67)
template <typename Real>
double weigh(const Real* likelihood, Real* now, std::size_t stride) {
    constexpr std::size_t n_lanes = AlignedMatrix<Real>::line;  // whatever the CPU's vectors are: the same bits
    Real lane[n_lanes]{};
    for (std::size_t k = 0; k < stride; k += n_lanes)
        for (std::size_t l = 0; l < n_lanes; ++l) {
            now[k + l] *= likelihood[k + l];
            lane[l] += now[k + l];
        }
    double scale = 0.0;
    for (const Real part : lane) scale += static_cast<double>(part);
    if (!(scale >= MessageRange<Real>::smallest_scale)) {
        std::fill(now, now + stride, Real{0});
        return std::numeric_limits<double>::quiet_NaN();
    }
    const auto inverse = static_cast<Real>(1.0 / scale);
    for (std::size_t k = 0; k < stride; ++k) now[k] *= inverse;
    return scale;
}

// sum_j before(j) A_jk of one sequence; rows: those that may not be zero, if that is known
template <typename Real>
void propagate(FilterTransitions<Real>& transitions, const Real* before, const std::optional<FewStates::Rows>& rows,
               AlignedMatrix<Real>& sum, Real* now) {
    const arma::uword n_states = transitions.n_states();
    const arma::uword n_entered = transitions.n_entered;
    Real* entered = sum.column(0);
    if (rows)
        transitions.panels.multiply(before, *rows, entered);
    else
        transitions.panels.multiply(before, entered);
    std::copy(entered, entered + n_entered, now);
    for (arma::uword k = n_entered; k < n_states; ++k) now[k] = before[k] * transitions.into.column(k)[k];
}

// The index with probability proportional to f(j) a(j), or f(j) if there is no a. The numbers are dealt to lanes that
// are summed side by side; a lane is drawn, then an index in it. Products in double cannot underflow for float.
template <typename Real>
std::size_t draw_product(const Real* f, const Real* a, std::size_t stride, Stream& rng) {
    constexpr std::size_t n_lanes = AlignedMatrix<Real>::line;
    const auto weight = [f, a](std::size_t j) {
        return a == nullptr ? static_cast<double>(f[j]) : static_cast<double>(f[j]) * static_cast<double>(a[j]);
    };
    double lane[n_lanes]{};
    if (a == nullptr) {
        for (std::size_t j = 0; j < stride; j += n_lanes)
            for (std::size_t l = 0; l < n_lanes; ++l) lane[l] += static_cast<double>(f[j + l]);
    } else {
        for (std::size_t j = 0; j < stride; j += n_lanes)
            for (std::size_t l = 0; l < n_lanes; ++l)
                lane[l] += static_cast<double>(f[j + l]) * static_cast<double>(a[j + l]);
    }
    const double total = std::accumulate(lane, lane + n_lanes, 0.0);
    if (!(total > 0.0)) throw std::logic_error("sample_paths: a step without a possible state");
    double left = total * draw_uniform(rng);
    std::size_t chosen_lane = 0;
    for (std::size_t l = 0; l < n_lanes; ++l) {
        if (lane[l] == 0.0) continue;
        chosen_lane = l;  // should rounding use up the lanes, the last possible one is the answer
        if (left < lane[l]) break;
        left -= lane[l];
    }
    std::size_t chosen = chosen_lane;
    for (std::size_t j = chosen_lane; j < stride; j += n_lanes) {
        const double w = weight(j);
        if (w == 0.0) continue;
        chosen = j;
        left -= w;
        if (left < 0.0) break;
    }
    return chosen;
}

}  // namespace

template <typename Real>
void filter_scaled(FilterTransitions<Real>& transitions, const Likelihoods<Real>& likelihoods,
                   const Sequences& sequences, Keep keep, ScaledMessages<Real>& messages) {
    const arma::uword n_states = transitions.n_states();
    check_not_empty("filter_scaled", "transitions", n_states);
    check_size("filter_scaled", "the rows of likelihoods", likelihoods.scaled.n_rows(), n_states);
    check_size("filter_scaled", "the steps of likelihoods", likelihoods.column.size(), sequences.n_steps());
    const FlushDenormals guard;
    lay_out(sequences, keep, n_states, messages);
    arma::uword n_active = sequences.count();
    messages.log_likelihood.zeros(sequences.count());
    messages.sum.set_size(transitions.panels.n_padded(), 1);
    FewStates few;
    if (sequences.count() >= smallest_batch) few.find(likelihoods);
    const auto data_of = [&](arma::uword place, arma::uword step) {
        return likelihoods.column[sequences.first[messages.order[place]] + step];
    };
    const auto is_batch = [&](arma::uword step) {  // of the sequences that have it
        if (step == 0 || n_active < smallest_batch) return false;
        arma::uword n_rows = 0;
        for (arma::uword place = 0; place < n_active; ++place) n_rows += few.n_possible(data_of(place, step - 1));
        return one_row_in * n_rows > n_active * n_states;
    };
    const std::size_t stride = messages.f.stride();
    for (arma::uword step = 0; step < messages.first_column.size(); ++step) {
        while (sequences.length(messages.order[n_active - 1]) <= step) --n_active;
        Real* now = messages.f.column(messages.first_column[step]);
        const Real* before = step == 0 ? nullptr : messages.f.column(messages.first_column[step - 1]);
        const bool together = is_batch(step);
        if (together) multiply_transposed(transitions.into, before, now, n_active);
        for (arma::uword place = 0; place < n_active; ++place) {
            Real* column = now + place * stride;
            if (step == 0)
                std::copy(transitions.start.column(0), transitions.start.column(0) + n_states, column);
            else if (!together)
                propagate(transitions, before + place * stride, few.rows(data_of(place, step - 1)), messages.sum,
                          column);
            std::fill(column + n_states, column + stride, Real{0});
            const arma::uword sequence = messages.order[place];
            const std::uint32_t data = data_of(place, step);
            const double scale = weigh(likelihoods.scaled.column(data), column, stride);
            messages.log_likelihood[sequence] += std::log(scale) + likelihoods.log_scale[data];
        }
    }
}

template <typename Real>
void sample_paths(const FilterTransitions<Real>& transitions, const ScaledMessages<Real>& messages,
                  const Sequences& sequences, arma::uvec& z, const BlockStreams& rng) {
    check_size("sample_paths", "the rows of messages", messages.f.n_rows(), transitions.n_states());
    check_size("sample_paths", "z", z.n_elem, sequences.n_steps());
    struct Path {
        arma::uword sequence;
        Stream rng;
        const Real* into = nullptr;  // A_jk into the state drawn last
    };
    std::vector<Path> paths;
    for (const arma::uword sequence : messages.order) paths.push_back({sequence, rng.item(sequence)});
    arma::uword n_active = 0;  // paths are ordered by length: the longest are drawn first
    for (arma::uword step = messages.first_column.size(); step-- > 0;) {
        while (n_active < paths.size() && sequences.length(paths[n_active].sequence) > step) ++n_active;
        for (arma::uword place = 0; place < n_active; ++place) {
            Path& path = paths[place];
            if (!std::isfinite(messages.log_likelihood[path.sequence])) continue;
            const Real* f = messages.f.column(messages.first_column[step] + place);
            const std::size_t k = draw_product(f, path.into, messages.f.stride(), path.rng);
            z[sequences.first[path.sequence] + step] = transitions.states[k];
            path.into = transitions.into.column(k);
        }
    }
}

template void filter_scaled(FilterTransitions<float>&, const Likelihoods<float>&, const Sequences&, Keep,
                            ScaledMessages<float>&);
template void filter_scaled(FilterTransitions<double>&, const Likelihoods<double>&, const Sequences&, Keep,
                            ScaledMessages<double>&);
template void sample_paths(const FilterTransitions<float>&, const ScaledMessages<float>&, const Sequences&, arma::uvec&,
                           const BlockStreams&);
template void sample_paths(const FilterTransitions<double>&, const ScaledMessages<double>&, const Sequences&,
                           arma::uvec&, const BlockStreams&);

}  // namespace hmmlt
