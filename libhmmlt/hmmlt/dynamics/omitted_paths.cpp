#include "hmmlt/dynamics/omitted_paths.hpp"

#include <cmath>

#include "hmmlt/dynamics/log_messages.hpp"
#include "hmmlt/dynamics/segment_terms.hpp"
#include "hmmlt/math/log_space.hpp"

namespace hmmlt {

namespace {

// 2 n_steps - 1 of them, (1 + small)^(2 n_steps) - 1, are less than half of what may be left out.
double small_share(arma::uword n_steps) {
    return largest_share_left_out / (5.0 * static_cast<double>(n_steps + 1));
}

}  // namespace

OmittedPaths::OmittedPaths(const DurationTable& durations, SegmentMessages& messages, arma::uword n_steps)
    : durations_(durations), messages_(messages), log_small_(std::log(small_share(n_steps))) {
    messages.omitted_lead.set_size(n_steps, durations.n_durations.n_elem);
    messages.omitted_lead.fill(minus_infinity);
    messages.overlong.set_size(durations.n_durations.n_elem);
    messages.overlong.fill(minus_infinity);
    messages.met.assign(durations.n_durations.n_elem, 0);
}

void OmittedPaths::follow(const TransitionMatrix& transition, arma::uword t, const arma::vec& log_b) {
    extend(t);
    end_with(t, durations_.log_law, durations_.log_next, messages_.ends.colptr(t));
    if (more_.max() == minus_infinity) return;
    propagate_any_forward(transition, more_, more_b_);
    for (arma::uword k = 0; k < log_b.n_elem; ++k) {
        if (!matters(more_b_[k], log_b[k])) continue;
        messages_.omitted_lead.at(t, k) = more_b_[k];
        messages_.met[k] = t + 1;
    }
}

double OmittedPaths::share_left_out(arma::uword t, double log_p) {
    end_with(t, durations_.log_survival, durations_.log_survival_next, messages_.last.memptr());
    const double log_more = log_sum_exp(more_.n_elem, [&](arma::uword k) { return more_[k]; });
    if (log_more == minus_infinity) return dropped_ ? 0.5 * largest_share_left_out : 0.0;
    return 0.5 * largest_share_left_out + std::exp(log_more - log_p);
}

bool OmittedPaths::matters(double log_more, double log_message) {
    if (log_more == minus_infinity) return false;
    const bool large = log_message == minus_infinity || log_more - log_message > log_small_;
    dropped_ |= !large;
    return large;
}

// From step t - 1 to t: the segments that are longer than their table.
void OmittedPaths::extend(arma::uword t) {
    for (arma::uword k = 0; k < messages_.overlong.n_elem; ++k) {
        const arma::uword n = durations_.n_durations[k];
        const arma::uword run = messages_.run.at(t, k);
        double& overlong = messages_.overlong[k];
        overlong = run > n + 1 ? overlong + durations_.log_decay[k] + messages_.log_lik.at(t, k) : minus_infinity;
        if (run > n)
            overlong = log_add_exp(
                overlong, log_add_exp(messages_.lead.at(t - n - 1, k), messages_.omitted_lead.at(t - n - 1, k)));
    }
}

void OmittedPaths::end_with(arma::uword t, const arma::mat& law, const arma::vec& log_next, const double* log_message) {
    const arma::uword n_states = messages_.overlong.n_elem;
    more_.set_size(n_states);
    for (arma::uword k = 0; k < n_states; ++k) {
        double more = messages_.overlong[k] + log_next[k];
        const arma::uword lengths = n_lengths(durations_, messages_, t, k);
        if (messages_.met[k] + lengths > t)
            more = log_add_exp(more, log_sum_exp(lengths, length_terms(law, messages_.omitted_lead, t, k)));
        more_[k] = matters(more, log_message[k]) ? more : minus_infinity;
    }
}

}  // namespace hmmlt
