// Filters over joint states that differ in how they keep a message, and one draw for both.
#include "hmmlt/dynamics/factorial_draw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <vector>

#include "hmmlt/dynamics/factorial_parts.hpp"
#include "hmmlt/dynamics/joint_likelihood.hpp"
#include "hmmlt/dynamics/joint_transition.hpp"
#include "hmmlt/dynamics/scaled_filter.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/flush_denormals.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/math/vector_math.hpp"
#include "hmmlt/random/categorical.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

namespace {

struct FilteredStep {
    double log_c = 0.0;    // docs/model.md (67)
    double log_sum = 0.0;  // of the message as it is stored
    bool is_trusted = true;
};

// Before anything is seen, of all joint states.
void fill_log_start(const arma::cube& log_a, double* log_message) {
    log_message[0] = 0.0;
    for (arma::uword d = 0, half = 1; d < log_a.n_slices; ++d, half *= 2)
        for (arma::uword s = 0; s < half; ++s) {
            log_message[half + s] = log_message[s] + log_a(start_row, 1, d);
            log_message[s] += log_a(start_row, 0, d);
        }
}

// Each message is stored as it comes, and the next prediction divides by what it sums to.
template <typename Real>
class ScaledJointFilter {
  public:
    using Number = Real;

    ScaledJointFilter(const arma::cube& log_a, JointLikelihood& likelihood)
        : log_a_(log_a), a_(arma::exp(log_a)), transition_(a_), likelihood_(likelihood) {
        const arma::uword n_low = std::min(a_.n_slices, n_low_chains);
        low_.resize(std::size_t{1} << n_low);
        high_.resize(std::size_t{1} << (a_.n_slices - n_low));
        piece_weight_.resize(high_.size());
    }

    // The message of the step that the likelihood is set to, from that of the step before: none at the start.
    FilteredStep advance(const Real* previous, double previous_log_sum, Real* message) {
        if (previous == nullptr) return start(message);
        transition_.predict(previous, static_cast<Real>(std::exp(-previous_log_sum)), message);
        const double c = likelihood_.weigh(message);
        return {std::log(c), std::log(c), c >= MessageRange<Real>::smallest_scale};
    }

    // z_t given z_t+1, if there is one; nothing if all weights have underflowed.          docs/model.md (128), (129)
    std::optional<arma::uword> draw(const Real* message, std::optional<arma::uword> next, Stream& rng) {
        fill_rows(next, 0, low_);
        fill_rows(next, n_low_chains, high_);
        double total = 0.0;
        for (std::size_t piece = 0; piece < high_.size(); ++piece)
            total += piece_weight_[piece] = high_[piece] * weight_of(message + piece * low_.size());
        if (!(total > 0.0)) return std::nullopt;
        double left = draw_uniform(rng) * total;
        const std::size_t piece = reach(left, high_.size(), [&](std::size_t i) { return piece_weight_[i]; });
        left /= high_[piece];
        const Real* const first = message + piece * low_.size();
        const std::size_t inside =
            reach(left, low_.size(), [&](std::size_t i) { return static_cast<double>(first[i] * low_[i]); });
        return piece * low_.size() + inside;
    }

  private:
    // By logarithms: start rows are the least known of all, often nearly certain, and all of them speak at once.
    FilteredStep start(Real* message) {
        log_start_.resize(likelihood_.n_states());
        fill_log_start(log_a_, log_start_.data());
        likelihood_.weigh_log(log_start_.data());
        const double log_c = log_sum_exp(log_start_.size(), [&](std::size_t s) { return log_start_[s]; });
        for (std::size_t s = 0; s < log_start_.size(); ++s)
            message[s] = static_cast<Real>(vector_exp(log_start_[s] - log_c));
        return {log_c, 0.0, std::isfinite(log_c)};
    }

    // The rows that lead to `next`, of the chains from `first` on that the table has room for: the Kronecker product of
    // each chain's two probabilities, the larger of which is scaled to 1.
    template <typename Value>
    void fill_rows(std::optional<arma::uword> next, arma::uword first, std::vector<Value>& table) const {
        table[0] = Value{1};
        for (std::size_t d = first, half = 1; half < table.size(); ++d, half *= 2) {
            const arma::uword to = next ? *next >> d & 1 : 0;
            const double larger = next ? std::max(a_(0, to, d), a_(1, to, d)) : 1.0;
            const auto zero = static_cast<Value>(next ? a_(0, to, d) / larger : 1.0);
            const auto one = static_cast<Value>(next ? a_(1, to, d) / larger : 1.0);
            for (std::size_t s = 0; s < half; ++s) {
                table[half + s] = table[s] * one;
                table[s] *= zero;
            }
        }
    }

    double weight_of(const Real* message) const {
        constexpr std::size_t n_lanes = 16;
        const Real* const low = low_.data();
        const std::size_t n = low_.size();
        Real lane[n_lanes] = {};
        std::size_t i = 0;
        for (; i + n_lanes <= n; i += n_lanes)
            for (std::size_t l = 0; l < n_lanes; ++l) lane[l] += message[i + l] * low[i + l];
        double sum = 0.0;
        for (; i < n; ++i) sum += static_cast<double>(message[i] * low[i]);
        for (const Real part : lane) sum += static_cast<double>(part);
        return sum;
    }

    // The first i whose weight exceeds what is left of the way; `left` becomes what is left there. Rounding may carry
    // the way beyond the end: it then ends at the last weight that is not 0.
    template <typename Weight>
    static std::size_t reach(double& left, std::size_t n, const Weight& weight) {
        std::size_t last = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const double here = weight(i);
            if (here == 0.0) continue;
            last = i;
            if (left < here) return i;
            left -= here;
        }
        left = weight(last);
        return last;
    }

    static constexpr arma::uword n_low_chains = 8;

    const arma::cube& log_a_;
    arma::cube a_;
    JointTransition<Real> transition_;
    JointLikelihood& likelihood_;
    std::vector<double> log_start_;
    std::vector<Real> low_;     // rows of the lower chains
    std::vector<double> high_;  // and of the others: a piece of the message for each
    std::vector<double> piece_weight_;
};

// Where a likely path would underflow in any other way. Slow, exact, rare.
class LogJointFilter {
  public:
    using Number = double;

    LogJointFilter(const arma::cube& log_a, JointLikelihood& likelihood)
        : log_a_(log_a), likelihood_(likelihood), log_weight_(likelihood.n_states()) {}

    FilteredStep advance(const double* previous, double previous_log_sum, double* message) const {
        if (previous == nullptr) {
            fill_log_start(log_a_, message);
        } else {
            for (std::size_t s = 0; s < log_weight_.size(); ++s) message[s] = previous[s] - previous_log_sum;
            predict_in_log_space(log_a_, message);
        }
        likelihood_.weigh_log(message);
        const double log_sum = log_sum_exp(log_weight_.size(), [&](std::size_t s) { return message[s]; });
        return {log_sum, log_sum, std::isfinite(log_sum)};
    }

    std::optional<arma::uword> draw(const double* message, std::optional<arma::uword> next, Stream& rng) {
        log_weight_[0] = 0.0;
        for (arma::uword d = 0, half = 1; d < log_a_.n_slices; ++d, half *= 2)
            for (arma::uword s = 0; s < half; ++s) {
                log_weight_[half + s] = log_weight_[s] + (next ? log_a_(1, *next >> d & 1, d) : 0.0);
                log_weight_[s] += next ? log_a_(0, *next >> d & 1, d) : 0.0;
            }
        for (std::size_t s = 0; s < log_weight_.size(); ++s) log_weight_[s] += message[s];
        return draw_categorical_log(log_weight_, rng);
    }

  private:
    const arma::cube& log_a_;
    JointLikelihood& likelihood_;
    std::vector<double> log_weight_;
};

// The first bits of the sequences, as counts.
arma::umat count_first_bits(const arma::uvec& dims, const Sequences& sequences, const arma::umat& theta) {
    arma::umat n(2, dims.n_elem, arma::fill::zeros);
    for (arma::uword s = 0; s < sequences.count(); ++s)
        for (arma::uword d = 0; d < dims.n_elem && sequences.length(s) > 0; ++d)
            ++n(theta(dims(d), sequences.first[s]), d);
    return n;
}

// log of the start row, integrated out, of a sequence that the counts leave out.                     docs/model.md
// (130)
void fill_start_rows(const arma::cube& log_shapes, const arma::umat& n, arma::cube& log_a) {
    for (arma::uword d = 0; d < log_a.n_slices; ++d) {
        for (arma::uword k = 0; k < 2; ++k)
            log_a(start_row, k, d) = log_add_exp(log_shapes(start_row, k, d), std::log(static_cast<double>(n(k, d))));
        const double log_total = log_add_exp(log_a(start_row, 0, d), log_a(start_row, 1, d));
        for (arma::uword k = 0; k < 2; ++k) log_a(start_row, k, d) -= log_total;
    }
}

// One sequence, steps first .. first + path.size() - 1: log p(y), and its path; nothing if the filter is not to be
// trusted with it.
template <typename Filter>
std::optional<double> draw_path(Filter&& filter, JointLikelihood& likelihood, arma::uword first,
                                JointMessages<typename std::remove_cvref_t<Filter>::Number>& messages, Stream rng,
                                std::vector<arma::uword>& path) {
    const std::size_t n_steps = path.size();
    const auto length = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(n_steps))));
    messages.stretch.set_size(likelihood.n_states(), length);
    messages.last.set_size(likelihood.n_states(), n_steps / length);
    std::vector<FilteredStep> steps(n_steps);
    const auto advance = [&](std::size_t t) {
        likelihood.set_step(first + t);
        check_finite("sample_joint_chains", fmt::format("log density of y at step {}", first + t),
                     likelihood.largest());
        const std::size_t place = t % length;
        const auto* const previous =
            t == 0 ? nullptr : (place == 0 ? messages.last.column(t / length - 1) : messages.stretch.column(place - 1));
        steps[t] = filter.advance(previous, t == 0 ? 0.0 : steps[t - 1].log_sum, messages.stretch.column(place));
        return steps[t].is_trusted;
    };
    double log_likelihood = 0.0;
    for (std::size_t t = 0; t < n_steps; ++t) {
        if (!advance(t)) return std::nullopt;
        log_likelihood += likelihood.largest() + steps[t].log_c;
        if (t % length == length - 1)
            std::copy_n(messages.stretch.column(length - 1), likelihood.n_states(), messages.last.column(t / length));
    }
    std::optional<arma::uword> next;
    for (std::size_t t = n_steps; t-- > 0;) {
        const bool ends_stretch = t % length == length - 1 && t + 1 < n_steps;
        for (std::size_t again = t - t % length; ends_stretch && again <= t; ++again) advance(again);
        next = filter.draw(messages.stretch.column(t % length), next, rng);
        if (!next) return std::nullopt;
        path[t] = *next;
    }
    return log_likelihood;
}

}  // namespace

double sample_joint_chains(const arma::uvec& dims, const arma::mat& y, const Sequences& sequences,
                           const arma::cube& log_pi, const arma::mat& weights, const arma::vec& h, Precision precision,
                           JointDrawScratch& scratch, arma::umat& theta, const BlockStreams& rng) {
    check_not_empty(__func__, "dims", dims.n_elem);
    if (dims.n_elem > most_joint_chains)
        throw std::domain_error(fmt::format("{}: size of dims must be at most {} (2^n states are summed), found {}",
                                            __func__, most_joint_chains, dims.n_elem));
    for (const arma::uword dim : dims) check_below(__func__, "dims", dim, theta.n_rows);
    check_size(__func__, "slices of log_pi", log_pi.n_slices, theta.n_rows);
    check_size(__func__, "columns of y", y.n_cols, sequences.n_steps());
    check_size(__func__, "columns of theta", theta.n_cols, sequences.n_steps());
    check_emission(__func__, y, weights, h, theta.n_rows);

    arma::umat given = theta;
    given.rows(dims).zeros();
    const arma::mat residual = y - weights.tail_rows(theta.n_rows).t() * arma::conv_to<arma::mat>::from(given);
    arma::mat own_weights(dims.n_elem + 1, weights.n_cols);
    own_weights.row(0) = weights.row(0);
    arma::cube own_log_pi(log_pi.n_rows, log_pi.n_cols, dims.n_elem);
    for (arma::uword d = 0; d < dims.n_elem; ++d) {
        own_weights.row(d + 1) = weights.row(dims(d) + 1);
        own_log_pi.slice(d) = log_pi.slice(dims(d));
    }
    arma::cube log_a = log_transitions_of_chains(__func__, own_log_pi);
    JointLikelihood likelihood(residual, own_weights, h);
    const FlushDenormals while_messages_decay;
    double total = 0.0;
    std::vector<arma::uword> path;
    arma::umat n_first = count_first_bits(dims, sequences, theta);
    for (arma::uword s = 0; s < sequences.count(); ++s) {
        const arma::uword first = sequences.first[s];
        path.resize(sequences.length(s));
        if (path.empty()) continue;
        for (arma::uword d = 0; d < dims.n_elem; ++d) --n_first(theta(dims(d), first), d);
        fill_start_rows(own_log_pi, n_first, log_a);
        std::optional<double> found;
        if (precision == Precision::float32)
            found = draw_path(ScaledJointFilter<float>(log_a, likelihood), likelihood, first, scratch.float32,
                              rng.item(s), path);
        if (!found)
            found = draw_path(ScaledJointFilter<double>(log_a, likelihood), likelihood, first, scratch.float64,
                              rng.item(s), path);
        if (!found)
            found = draw_path(LogJointFilter(log_a, likelihood), likelihood, first, scratch.float64, rng.item(s), path);
        if (!found)
            throw std::domain_error(
                fmt::format("{}: sequence {} must be possible, found no path that is", __func__, s));
        total += *found;
        for (std::size_t t = 0; t < path.size(); ++t)
            for (arma::uword d = 0; d < dims.n_elem; ++d) theta(dims(d), first + t) = path[t] >> d & 1;
        for (arma::uword d = 0; d < dims.n_elem; ++d) ++n_first(theta(dims(d), first), d);
    }
    return total;
}

}  // namespace hmmlt
