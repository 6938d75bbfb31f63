// What a candidate for the block of state j means for another state k depends on k only through its own bits in the
// block (its pattern) and the distance outside the block, so everything is collected by pattern first: a candidate then
// costs nothing that grows with J.
#include "hmmlt/locations/transition_score.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "hmmlt/conditionals/total_rates.hpp"
#include "hmmlt/conditionals/transition_counts.hpp"
#include "hmmlt/math/log_space.hpp"

namespace hmmlt {

namespace {

arma::uword differing_bits(arma::uword a, arma::uword b) {
    return static_cast<arma::uword>(std::popcount(a ^ b));
}

arma::uword pattern_of(const TransitionScore::Dims& block, const PackedBits& bits, arma::uword state) {
    arma::uword pattern = 0;
    for (std::size_t bit = 0; bit < block.size(); ++bit) pattern |= bits.bit(state, block[bit]) << bit;
    return pattern;
}

}  // namespace

TransitionScore::TransitionScore(double lambda, const arma::mat& n, const arma::mat& log_pi, const arma::umat& theta)
    : lambda_(lambda),
      n_dims_(theta.n_rows),
      n_(n),
      log_pi_(scale_rows(log_pi)),
      bits_(theta),
      departures_(count_departures(n)),
      distance_(theta.n_cols),
      pattern_(theta.n_cols),
      phi_(n_dims_ + 1) {
    for (arma::uword h = 0; h <= n_dims_; ++h) phi_[h] = vector_exp(-lambda * static_cast<double>(h));
    for (arma::uword from = 0; from < theta.n_cols; ++from)
        if (departures_[from] > 0.0) departed_.push_back({from, departures_[from], log_sum_row(from, theta.n_cols)});
    log_total_if_at_.resize(departed_.size() * (n_dims_ + 1));
}

void TransitionScore::take_out(arma::uword state) {
    // Less than this share of a total, times all steps of the data, is below the rounding of a score.
    constexpr double log_negligible = -60.0;
    measure(state);
    touched_.clear();
    for (std::size_t i = 0; i < departed_.size(); ++i) {
        const Departed& row = departed_[i];
        const bool negligible = log_pi_.at(row.from, state) - row.log_total < log_negligible;
        if (row.from == state || (negligible && n_.at(row.from, state) == 0.0)) continue;
        touched_.push_back(i);
        fill_totals(state, row, log_total_if_at_.data() + i * (n_dims_ + 1));
    }
}

void TransitionScore::score(arma::uword state, const Dims& block, std::vector<double>& score) {
    find_patterns(state, block);
    const std::size_t n_patterns = score.size();
    const std::size_t n_distances = block.size() + 1;
    std::vector<double> others(n_patterns * n_distances, 0.0);
    const arma::uword current = pattern_[state];
    for (const std::size_t i : touched_) {
        const Departed& row = departed_[i];
        const arma::uword pattern = pattern_[row.from];
        const arma::uword outside = distance_[row.from] - differing_bits(pattern, current);
        const double* log_total = log_total_if_at_.data() + i * (n_dims_ + 1) + outside;
        double* sum = others.data() + pattern * n_distances;
        for (std::size_t inside = 0; inside < n_distances; ++inside) sum[inside] += row.departures * log_total[inside];
    }
    const std::vector<double> jumps = jumps_by_pattern(state, n_patterns);
    for (std::size_t candidate = 0; candidate < n_patterns; ++candidate)
        for (std::size_t pattern = 0; pattern < n_patterns; ++pattern) {
            const arma::uword inside = differing_bits(candidate, pattern);
            score[candidate] -=
                lambda_ * jumps[pattern] * static_cast<double>(inside) + others[pattern * n_distances + inside];
        }
    if (departures_[state] == 0.0) return;
    const std::vector<double> log_totals = log_totals_of_candidates(state, n_patterns);
    for (std::size_t candidate = 0; candidate < n_patterns; ++candidate)
        score[candidate] -= departures_[state] * log_totals[candidate];
}

std::vector<double> TransitionScore::log_totals_of_candidates(arma::uword state, std::size_t n_patterns) const {
    const std::vector<double> log_rates = log_rates_by_pattern(state, n_patterns);
    const double log_own = log_pi_.at(state, state);
    const double largest = std::max(log_own, *std::max_element(log_rates.begin(), log_rates.end()));
    // sum_p rate_p phi^|c - p| over patterns p, for all candidates c: each bit of the block by itself
    std::vector<double> total = log_rates;
    for (double& value : total) value = vector_exp(value - largest);
    for (std::size_t bit = 1; bit < n_patterns; bit *= 2)
        for (std::size_t c = 0; c < n_patterns; ++c) {
            if ((c & bit) != 0) continue;
            const double without = total[c];
            const double with = total[c | bit];
            total[c] = without + phi_[1] * with;
            total[c | bit] = phi_[1] * without + with;
        }
    constexpr double smallest = 1e-200;  // below it, what underflowed might matter
    for (std::size_t c = 0; c < n_patterns; ++c) {
        const double sum = total[c] + vector_exp(log_own - largest);
        if (sum > smallest) {
            total[c] = largest + std::log(sum);
            continue;
        }
        total[c] = log_own;
        for (std::size_t pattern = 0; pattern < n_patterns; ++pattern)
            total[c] =
                log_add_exp(total[c], log_rates[pattern] - lambda_ * static_cast<double>(differing_bits(c, pattern)));
    }
    return total;
}

void TransitionScore::move(arma::uword state, const Dims& block, arma::uword candidate) {
    const arma::uword before = pattern_[state];
    if (candidate == before) return;
    for (std::size_t bit = 0; bit < block.size(); ++bit) bits_.set(state, block[bit], candidate >> bit & 1);
    const auto follow = [&](arma::uword other) {
        distance_[other] += differing_bits(pattern_[other], candidate) - differing_bits(pattern_[other], before);
    };
    if (departures_[state] > 0.0) {
        for (arma::uword other = 0; other < distance_.size(); ++other)
            if (other != state) follow(other);
    } else {
        for (const std::size_t i : touched_) follow(departed_[i].from);
    }
}

void TransitionScore::put_back(arma::uword state) {
    for (const std::size_t i : touched_)
        departed_[i].log_total = log_total_if_at_[i * (n_dims_ + 1) + distance_[departed_[i].from]];
    if (departures_[state] == 0.0) return;
    for (Departed& row : departed_)
        if (row.from == state) row.log_total = log_sum_row(state, distance_.size());
}

void TransitionScore::measure(arma::uword state) {
    std::fill(distance_.begin(), distance_.end(), 0);
    for (arma::uword word = 0; word < bits_.n_words(); ++word) {
        const std::uint64_t* words = bits_.words(word);
        for (arma::uword other = 0; other < distance_.size(); ++other)
            distance_[other] += differing_bits(words[other], words[state]);
    }
}

double TransitionScore::distance(arma::uword a, arma::uword b) const {
    arma::uword sum = 0;
    for (arma::uword word = 0; word < bits_.n_words(); ++word)
        sum += differing_bits(bits_.words(word)[a], bits_.words(word)[b]);
    return static_cast<double>(sum);
}

double TransitionScore::log_sum_row(arma::uword from, arma::uword left_out) {
    terms_.clear();
    for (arma::uword to = 0; to < log_pi_.n_cols; ++to)
        if (to != left_out) terms_.push_back(log_pi_.at(from, to) - lambda_ * distance(from, to));
    return log_sum_exp(terms_.size(), [this](std::size_t i) { return terms_[i]; });
}

// Where the column of `state` holds most of the total, the rest is summed afresh: a subtraction would cancel.
void TransitionScore::fill_totals(arma::uword state, const Departed& row, double* log_total_if_at) {
    constexpr double log_half = -0.6931471805599453;
    constexpr double log_far = -400.0;
    const double log_rate = log_pi_.at(row.from, state);
    const double share = log_rate - lambda_ * static_cast<double>(distance_[row.from]) - row.log_total;
    const double log_without = share < log_half ? row.log_total + log1m_exp(share) : log_sum_row(row.from, state);
    const double largest = std::max(log_without, log_rate);
    const double without = vector_exp(log_without - largest);
    const double rate = vector_exp(log_rate - largest);
    if (log_without - largest > log_far) {  // the sum stays above it, however small phi is
        for (arma::uword h = 0; h <= n_dims_; ++h)
            log_total_if_at[h] = largest + vector_log(__builtin_fma(rate, phi_[h], without));
    } else {
        for (arma::uword h = 0; h <= n_dims_; ++h)
            log_total_if_at[h] = log_add_exp(log_without, log_rate - lambda_ * static_cast<double>(h));
    }
}

void TransitionScore::find_patterns(arma::uword state, const Dims& block) {
    pattern_[state] = pattern_of(block, bits_, state);
    if (departures_[state] > 0.0) {
        for (arma::uword other = 0; other < pattern_.size(); ++other) pattern_[other] = pattern_of(block, bits_, other);
    } else {
        for (const std::size_t i : touched_) pattern_[departed_[i].from] = pattern_of(block, bits_, departed_[i].from);
    }
}

std::vector<double> TransitionScore::jumps_by_pattern(arma::uword state, std::size_t n_patterns) const {
    std::vector<double> jumps(n_patterns, 0.0);
    const double* into = n_.colptr(state);
    for (const std::size_t i : touched_) jumps[pattern_[departed_[i].from]] += into[departed_[i].from];
    if (departures_[state] > 0.0)
        for (arma::uword to = 0; to < n_.n_cols; ++to)
            if (to != state && n_.at(state, to) > 0.0) jumps[pattern_[to]] += n_.at(state, to);
    return jumps;
}

std::vector<double> TransitionScore::log_rates_by_pattern(arma::uword state, std::size_t n_patterns) const {
    std::vector<double> terms(distance_.size());
    std::vector<double> largest(n_patterns, minus_infinity);
    for (arma::uword to = 0; to < distance_.size(); ++to) {
        const arma::uword outside = distance_[to] - differing_bits(pattern_[to], pattern_[state]);
        terms[to] = to == state ? minus_infinity : log_pi_.at(state, to) - lambda_ * static_cast<double>(outside);
        largest[pattern_[to]] = std::max(largest[pattern_[to]], terms[to]);
    }
    for (arma::uword to = 0; to < terms.size(); ++to)
        terms[to] = terms[to] == minus_infinity ? terms[to] : terms[to] - largest[pattern_[to]];
    exp_all(terms);
    std::vector<double> sum(n_patterns, 0.0);
    for (arma::uword to = 0; to < terms.size(); ++to) sum[pattern_[to]] += terms[to];
    for (std::size_t pattern = 0; pattern < n_patterns; ++pattern)
        sum[pattern] = sum[pattern] > 0.0 ? largest[pattern] + std::log(sum[pattern]) : minus_infinity;
    return sum;
}

}  // namespace hmmlt
