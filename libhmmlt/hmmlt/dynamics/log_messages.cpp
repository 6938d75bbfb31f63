// Plain products first; only sums that come out too small to be trusted are done again in log space.
#include "hmmlt/dynamics/log_messages.hpp"

#include <cmath>

#include "hmmlt/math/log_space.hpp"

namespace hmmlt {

namespace {

// sum(i) is the plain sum, log_term(i, n) the log of its term n
template <typename LogTerm>
void take_logs(arma::vec& sum, const LogTerm& log_term) {
    const arma::uword n_states = sum.n_elem;
    for (arma::uword i = 0; i < n_states; ++i)
        sum[i] = sum[i] >= smallest_safe_sum ? std::log(sum[i])
                                             : log_sum_exp(n_states, [&](arma::uword n) { return log_term(i, n); });
}

using Propagate = void(const TransitionMatrix&, const arma::vec&, arma::vec&);

void without_the_largest(Propagate& propagate, const TransitionMatrix& transition, const arma::vec& log_message,
                         arma::vec& log_sum) {
    const double largest = log_message.max();
    if (largest == minus_infinity) {
        log_sum.set_size(log_message.n_elem);
        log_sum.fill(minus_infinity);
        return;
    }
    propagate(transition, log_message - largest, log_sum);
    log_sum += largest;
}

}  // namespace

void propagate_forward(const TransitionMatrix& transition, const arma::vec& log_f, arma::vec& log_sum) {
    log_sum = transition.from_to.t() * arma::exp(log_f);
    take_logs(log_sum, [&](arma::uword k, arma::uword j) { return log_f[j] + transition.log_from_to.at(j, k); });
}

void propagate_backward(const TransitionMatrix& transition, const arma::vec& log_b, arma::vec& log_sum) {
    log_sum = transition.from_to * arma::exp(log_b);
    take_logs(log_sum, [&](arma::uword j, arma::uword k) { return transition.log_from_to.at(j, k) + log_b[k]; });
}

void propagate_any_forward(const TransitionMatrix& transition, const arma::vec& log_f, arma::vec& log_sum) {
    without_the_largest(propagate_forward, transition, log_f, log_sum);
}

void propagate_any_backward(const TransitionMatrix& transition, const arma::vec& log_b, arma::vec& log_sum) {
    without_the_largest(propagate_backward, transition, log_b, log_sum);
}

}  // namespace hmmlt
