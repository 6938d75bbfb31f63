// Scaled messages first (scaled_filter.hpp); only sequences that they must not be trusted with go to log space.
#include "hmmlt/dynamics/forward_backward.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "hmmlt/dynamics/log_messages.hpp"
#include "hmmlt/dynamics/scaled_filter.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/categorical.hpp"

namespace hmmlt {

namespace {

[[noreturn]] void fail_at(arma::uword sequence, arma::uword step, const std::string& reason) {
    throw std::runtime_error(fmt::format("filter_forward: sequence {}, step {}: {}", sequence, step, reason));
}

// The first state whose log likelihood is no such thing; n_states if there is none.
arma::uword first_bad(const arma::vec& log_lik) {
    arma::uword k = 0;
    while (k < log_lik.n_elem && !std::isnan(log_lik[k]) && log_lik[k] != -minus_infinity) ++k;
    return k;
}

std::string complaint(const arma::vec& log_lik, arma::uword state) {
    return fmt::format("log_lik of state {} must be below infinity and not NaN, found {}", state, log_lik[state]);
}

// The filter in log space; messages are left as logarithms.
double filter_log(const TransitionMatrix& transition, const arma::mat& log_lik, arma::uword sequence, arma::uword first,
                  arma::uword last, arma::mat& f) {
    arma::vec log_f;
    double log_likelihood = 0.0;
    for (arma::uword t = first; t < last; ++t) {
        const arma::vec log_density = log_lik.unsafe_col(t);
        if (const arma::uword bad = first_bad(log_density); bad < log_density.n_elem)
            fail_at(sequence, t - first, complaint(log_density, bad));
        const double log_scale = filter_step(transition, log_density, log_f);
        if (log_scale == minus_infinity) fail_at(sequence, t - first, "no path has a positive probability");
        f.col(t) = log_f;
        log_likelihood += log_scale;
    }
    return log_likelihood;
}

}  // namespace

double filter_step(const TransitionMatrix& transition, const arma::vec& log_lik, arma::vec& log_f) {
    const arma::uword n_states = transition.n_states();
    check_size("filter_step", "log_lik", log_lik.n_elem, n_states);
    if (const arma::uword bad = first_bad(log_lik); bad < n_states)
        throw std::domain_error("filter_step: " + complaint(log_lik, bad));
    arma::vec now = transition.log_start;
    if (!log_f.is_empty()) {
        check_size("filter_step", "log_f", log_f.n_elem, n_states);
        propagate_forward(transition, log_f, now);
    }
    now += log_lik;
    const double log_scale = log_sum_exp(n_states, [&now](arma::uword k) { return now[k]; });
    if (log_scale != minus_infinity) log_f = now - log_scale;
    return log_scale;
}

void filter_forward(const TransitionMatrix& transition, const arma::mat& log_lik, const Sequences& sequences,
                    ForwardMessages& messages) {
    check_not_empty("filter_forward", "transition", transition.n_states());
    check_size("filter_forward", "the rows of log_lik", log_lik.n_rows, transition.n_states());
    check_size("filter_forward", "the columns of log_lik", log_lik.n_cols, sequences.n_steps());
    FilterTransitions<double> transitions;
    set_transitions(transition, transitions);
    Likelihoods<double> likelihoods;
    likelihoods.set_size(transitions.n_states(), sequences.n_steps(), sequences.n_steps());
    for (arma::uword t = 0; t < sequences.n_steps(); ++t) {
        const arma::vec ordered = log_lik.unsafe_col(t).elem(transitions.states);
        likelihoods.set_column(t, ordered.memptr(), ordered.n_elem);
        likelihoods.column[t] = static_cast<std::uint32_t>(t);
    }
    ScaledMessages<double> scaled;
    filter_scaled(transitions, likelihoods, sequences, Keep::all_messages, scaled);

    messages.f.zeros(transition.n_states(), sequences.n_steps());
    messages.in_log_space.assign(sequences.count(), false);
    messages.log_likelihood = scaled.log_likelihood;
    for (arma::uword s = 0; s < sequences.count(); ++s) {
        const arma::uword first = sequences.first[s];
        double& log_likelihood = messages.log_likelihood[s];
        if (!std::isfinite(log_likelihood)) {
            log_likelihood = filter_log(transition, log_lik, s, first, sequences.first[s + 1], messages.f);
            messages.in_log_space[s] = true;
        }
        for (arma::uword step = 0; !messages.in_log_space[s] && step < sequences.length(s); ++step) {
            const double* f = scaled.column(s, step);
            for (arma::uword k = 0; k < transitions.n_states(); ++k)
                messages.f.at(transitions.states[k], first + step) = f[k];
        }
    }
}

void sample_states(const TransitionMatrix& transition, const ForwardMessages& messages, const Sequences& sequences,
                   arma::uvec& z, const BlockStreams& rng) {
    const arma::uword n_states = transition.n_states();
    check_size("sample_states", "the rows of messages.f", messages.f.n_rows, n_states);
    check_size("sample_states", "the columns of messages.f", messages.f.n_cols, sequences.n_steps());
    check_size("sample_states", "messages.in_log_space", messages.in_log_space.size(), sequences.count());
    z.set_size(sequences.n_steps());
    arma::vec weight(n_states);
    const std::span<const double> weights(weight.memptr(), n_states);
    for (arma::uword s = 0; s < sequences.count(); ++s) {
        Stream stream = rng.item(s);
        const bool in_log_space = messages.in_log_space[s];
        const arma::uword last = sequences.first[s + 1];
        for (arma::uword t = last; t-- > sequences.first[s];) {
            const double* f = messages.f.colptr(t);
            std::copy_n(f, n_states, weight.begin());
            if (t + 1 < last) {
                const double* a = (in_log_space ? transition.log_from_to : transition.from_to).colptr(z[t + 1]);
                for (arma::uword j = 0; j < n_states; ++j) weight[j] = in_log_space ? f[j] + a[j] : f[j] * a[j];
            }
            z[t] = in_log_space ? draw_categorical_log(weights, stream) : draw_categorical(weights, stream);
        }
    }
}

}  // namespace hmmlt
