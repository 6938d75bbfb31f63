// One exponential per cell; everything walks along columns, as pi and phi lie in memory.
#include "hmmlt/dynamics/filter_transitions.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "hmmlt/conditionals/total_rates.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/flush_denormals.hpp"
#include "hmmlt/math/vector_exp_float.hpp"
#include "hmmlt/math/vector_math.hpp"

namespace hmmlt {

namespace {

template <typename Real>
Real exp_of(double x) {
    if constexpr (std::is_same_v<Real, float>)
        return vector_exp_float(x);
    else
        return vector_exp(x);
}

// e^(log rate - log of the largest in its row), and what they add up to.
template <typename Real>
void exponentiate(const arma::mat& log_pi, const arma::mat& log_phi, FilterTransitions<Real>& transitions) {
    const arma::uword n_states = log_pi.n_cols;
    const arma::vec largest = log_largest_rates(log_pi, log_phi);
    transitions.row_scale.zeros(n_states + 1);
    for (arma::uword to = 0; to < n_states; ++to) {
        const double* pi = log_pi.colptr(to);
        const double* scale = largest.memptr();
        Real* out = transitions.all.column(to);
        if (log_phi.is_empty()) {
            for (arma::uword from = 0; from < n_states; ++from) out[from] = exp_of<Real>(pi[from] - scale[from]);
        } else {
            const double* phi = log_phi.colptr(to);
            for (arma::uword from = 0; from < n_states; ++from)
                out[from] = exp_of<Real>(pi[from] + phi[from] - scale[from]);
        }
        double* sum = transitions.row_scale.memptr();
        for (arma::uword from = 0; from < n_states; ++from) sum[from] += static_cast<double>(out[from]);
        const Real start = exp_of<Real>(pi[n_states] - largest[n_states]);  // phi = 1 in the start row
        transitions.start.column(0)[to] = start;
        sum[n_states] += static_cast<double>(start);
    }
}

// Whether a state other than `to` leads there.
template <typename Real>
bool is_entered(Real* column, arma::uword n_states, arma::uword to) {
    constexpr std::size_t n_lanes = AlignedMatrix<Real>::line;
    const Real stays = std::exchange(column[to], Real{0});
    Real lane[n_lanes]{};
    arma::uword from = 0;
    for (; from + n_lanes <= n_states; from += n_lanes)
        for (std::size_t l = 0; l < n_lanes; ++l) lane[l] += column[from + l];
    for (; from < n_states; ++from) lane[0] += column[from];
    column[to] = stays;
    return std::any_of(lane, lane + n_lanes, [](Real part) { return part > Real{0}; });
}

// From transitions.all and transitions.start of all states to those that matter.
template <typename Real>
void pack(FilterTransitions<Real>& transitions) {
    const arma::uword n_all = transitions.all.n_rows();
    const Real* start = transitions.start.column(0);
    std::vector<arma::uword> states;
    std::vector<arma::uword> only_started;
    std::vector<arma::uword> not_reached;
    for (arma::uword state = 0; state < n_all; ++state) {
        if (is_entered(transitions.all.column(state), n_all, state))
            states.push_back(state);
        else if (start[state] > Real{0})
            only_started.push_back(state);
        else
            not_reached.push_back(state);
    }
    transitions.n_entered = states.size();
    states.insert(states.end(), only_started.begin(), only_started.end());
    transitions.n_visited = states.size();
    states.insert(states.end(), not_reached.begin(), not_reached.end());
    transitions.states = arma::uvec(states);

    const arma::uword n_states = transitions.n_states();
    if (transitions.n_entered == n_all) {
        std::swap(transitions.into, transitions.all);
    } else {
        transitions.into.set_size(n_states, n_states);
        for (arma::uword k = 0; k < n_states; ++k) {
            const Real* column = transitions.all.column(states[k]);
            Real* out = transitions.into.column(k);
            for (arma::uword j = 0; j < n_states; ++j) out[j] = column[states[j]];
        }
        std::vector<Real> kept(n_states);
        for (arma::uword k = 0; k < n_states; ++k) kept[k] = start[states[k]];
        transitions.start.set_size(n_states, 1);
        std::copy(kept.begin(), kept.end(), transitions.start.column(0));
    }
    transitions.start.clear_padding(0);
    for (arma::uword k = 0; k < n_states; ++k) transitions.into.clear_padding(k);
    transitions.panels.pack(transitions.into, transitions.n_entered);
}

}  // namespace

template <typename Real>
void normalise_rates(const arma::mat& log_pi, const arma::mat& log_phi, FilterTransitions<Real>& transitions) {
    const FlushDenormals guard;
    const arma::uword n_states = log_pi.n_cols;
    transitions.all.set_size(n_states, n_states);
    transitions.start.set_size(n_states, 1);
    exponentiate(log_pi, log_phi, transitions);
    std::vector<Real> inverse(n_states + 1);
    std::transform(transitions.row_scale.begin(), transitions.row_scale.end(), inverse.begin(),
                   [](double sum) { return static_cast<Real>(1.0 / sum); });
    for (arma::uword to = 0; to < n_states; ++to) {
        Real* out = transitions.all.column(to);
        for (arma::uword from = 0; from < n_states; ++from) out[from] *= inverse[from];
        transitions.start.column(0)[to] *= inverse[n_states];
    }
    pack(transitions);
}

template <typename Real>
void set_transitions(const TransitionMatrix& transition, FilterTransitions<Real>& transitions) {
    const FlushDenormals guard;
    const arma::mat& from_to = transition.from_to;
    const arma::vec& start = transition.start;
    const arma::uword n_states = start.n_elem;
    check_size("set_transitions", "the rows of from_to", from_to.n_rows, n_states);
    check_size("set_transitions", "the columns of from_to", from_to.n_cols, n_states);
    // in so many words: whether copies and casts flush is up to the CPU
    const auto normal = [](double p) {
        return p < static_cast<double>(std::numeric_limits<Real>::min()) ? Real{0} : static_cast<Real>(p);
    };
    transitions.all.set_size(n_states, n_states);
    transitions.start.set_size(n_states, 1);
    for (arma::uword to = 0; to < n_states; ++to)
        std::transform(from_to.begin_col(to), from_to.end_col(to), transitions.all.column(to), normal);
    std::transform(start.begin(), start.end(), transitions.start.column(0), normal);
    pack(transitions);
}

template void normalise_rates(const arma::mat&, const arma::mat&, FilterTransitions<float>&);
template void normalise_rates(const arma::mat&, const arma::mat&, FilterTransitions<double>&);
template void set_transitions(const TransitionMatrix&, FilterTransitions<float>&);
template void set_transitions(const TransitionMatrix&, FilterTransitions<double>&);

}  // namespace hmmlt
