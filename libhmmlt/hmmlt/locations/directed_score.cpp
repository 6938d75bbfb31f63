#include "hmmlt/locations/directed_score.hpp"

#include "hmmlt/conditionals/total_rates.hpp"
#include "hmmlt/conditionals/transition_counts.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/similarity/bit_transitions.hpp"

namespace hmmlt {

namespace {

// log phi^jumps (1 - phi)^failures
double log_weight(double jumps, double failures, double log_phi) {
    return jumps * log_phi + (failures > 0.0 ? failures * log1m_exp(log_phi) : 0.0);
}

}  // namespace

DirectedScore::DirectedScore(const arma::mat& logits, const arma::mat& n, const arma::umat& theta)
    : log_transition_(4, theta.n_rows), n_(n), theta_(theta) {
    check_size("DirectedScore", "the rows of logits", logits.n_rows, 2);
    check_size("DirectedScore", "the columns of logits", logits.n_cols, theta.n_rows);
    for (arma::uword dim = 0; dim < theta.n_rows; ++dim)
        for (const arma::uword from : {0u, 1u})
            for (const arma::uword to : {0u, 1u})
                log_transition_.at(2 * from + to, dim) = log_bit_transition(logits, dim, from, to);
}

DirectedScore DirectedScore::given_failed_jumps(const arma::mat& logits, const arma::mat& n, const arma::mat& q,
                                                const arma::umat& theta) {
    DirectedScore score(logits, n, theta);
    score.q_ = &q;
    return score;
}

DirectedScore DirectedScore::given_rates(const arma::mat& logits, const arma::mat& n, const arma::mat& log_pi,
                                         const arma::umat& theta) {
    DirectedScore score(logits, n, theta);
    score.log_pi_ = scale_rows(log_pi);
    const arma::vec departures = count_departures(n);
    for (arma::uword from = 0; from < theta.n_cols; ++from)
        if (departures[from] > 0.0)
            score.departed_.push_back({from, departures[from], score.log_sum_row(from, theta.n_cols), minus_infinity});
    return score;
}

double DirectedScore::log_phi(arma::uword from, arma::uword to) const {
    double sum = 0.0;
    for (arma::uword dim = 0; dim < theta_.n_rows; ++dim)
        sum += log_transition(dim, theta_.at(dim, from), theta_.at(dim, to));
    return sum;
}

double DirectedScore::log_sum_row(arma::uword from, arma::uword left_out) const {
    std::vector<double> terms;
    for (arma::uword to = 0; to < theta_.n_cols; ++to)
        if (to != left_out) terms.push_back(log_pi_.at(from, to) + log_phi(from, to));
    return log_sum_exp(terms.size(), [&terms](std::size_t i) { return terms[i]; });
}

// Where the column of `state` holds most of the total, the rest is summed afresh: a subtraction would cancel.
void DirectedScore::take_out(arma::uword state) {
    constexpr double log_half = -0.6931471805599453;
    for (Departed& row : departed_) {
        if (row.from == state) continue;
        const double share = log_pi_.at(row.from, state) + log_phi(row.from, state) - row.log_total;
        row.log_without = share < log_half ? row.log_total + log1m_exp(share) : log_sum_row(row.from, state);
    }
}

void DirectedScore::put_back(arma::uword state) {
    for (Departed& row : departed_)
        row.log_total = row.from == state
                            ? log_sum_row(state, theta_.n_cols)
                            : log_add_exp(row.log_without, log_pi_.at(row.from, state) + log_phi(row.from, state));
}

std::vector<DirectedScore::Outside> DirectedScore::outside(arma::uword state, const BitBlock& block) const {
    std::vector<Outside> others(theta_.n_cols, {0, 0.0, 0.0});
    std::vector<bool> in_block(theta_.n_rows, false);
    for (const arma::uword dim : block) in_block[dim] = true;
    for (arma::uword k = 0; k < theta_.n_cols; ++k) {
        for (std::size_t bit = 0; bit < block.size(); ++bit) others[k].pattern |= theta_.at(block[bit], k) << bit;
        for (arma::uword dim = 0; dim < theta_.n_rows; ++dim) {
            if (in_block[dim]) continue;
            others[k].log_to += log_transition(dim, theta_.at(dim, state), theta_.at(dim, k));
            others[k].log_from += log_transition(dim, theta_.at(dim, k), theta_.at(dim, state));
        }
    }
    return others;
}

arma::mat DirectedScore::log_inside(const BitBlock& block) const {
    const arma::uword n_patterns = arma::uword{1} << block.size();
    arma::mat inside(n_patterns, n_patterns, arma::fill::zeros);
    for (arma::uword to = 0; to < n_patterns; ++to)
        for (arma::uword from = 0; from < n_patterns; ++from)
            for (std::size_t bit = 0; bit < block.size(); ++bit)
                inside.at(from, to) += log_transition(block[bit], from >> bit & 1, to >> bit & 1);
    return inside;
}

void DirectedScore::score(arma::uword state, const BitBlock& block, std::vector<double>& score) const {
    const std::vector<Outside> others = outside(state, block);
    const arma::mat inside = log_inside(block);
    for (arma::uword k = 0; k < others.size(); ++k) {
        const auto& [pattern, log_to, log_from] = others[k];
        const double jumps_to = n_.at(state, k);
        const double jumps_from = n_.at(k, state);
        const double failures_to = failures(state, k);
        const double failures_from = failures(k, state);
        if (jumps_to + jumps_from + failures_to + failures_from == 0.0) continue;
        for (arma::uword c = 0; c < score.size(); ++c)
            score[c] += k == state ? log_weight(jumps_to, failures_to, log_to + inside.at(c, c))
                                   : log_weight(jumps_to, failures_to, log_to + inside.at(c, pattern)) +
                                         log_weight(jumps_from, failures_from, log_from + inside.at(pattern, c));
    }
    if (q_ == nullptr) subtract_totals(state, others, inside, score);
}

// What a candidate means for the row of `state` depends on other states only through their patterns.
void DirectedScore::subtract_totals(arma::uword state, const std::vector<Outside>& others, const arma::mat& inside,
                                    std::vector<double>& score) const {
    for (const Departed& row : departed_) {
        if (row.from == state) {
            std::vector<std::vector<double>> log_rates(score.size());
            for (arma::uword k = 0; k < others.size(); ++k)
                if (k != state) log_rates[others[k].pattern].push_back(log_pi_.at(state, k) + others[k].log_to);
            std::vector<double> by_pattern;
            for (const std::vector<double>& rates : log_rates)
                by_pattern.push_back(log_sum_exp(rates.size(), [&rates](std::size_t i) { return rates[i]; }));
            const double log_own = log_pi_.at(state, state) + others[state].log_to;
            for (arma::uword c = 0; c < score.size(); ++c) {
                const double log_others =
                    log_sum_exp(by_pattern.size(), [&](std::size_t p) { return by_pattern[p] + inside.at(c, p); });
                score[c] -= row.departures * log_add_exp(log_others, log_own + inside.at(c, c));
            }
        } else {
            const auto& [pattern, log_to, log_from] = others[row.from];
            const double log_rate = log_pi_.at(row.from, state) + log_from;
            for (arma::uword c = 0; c < score.size(); ++c)
                score[c] -= row.departures * log_add_exp(row.log_without, log_rate + inside.at(pattern, c));
        }
    }
}

}  // namespace hmmlt
