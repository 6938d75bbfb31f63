// Rows of a semi-Markov chain: z, and the parameters of durations given whole segments.
#include <cmath>

#include "hmmlt/dynamics/segments.hpp"
#include "hmmlt/math/log_density.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/model/log_joint.hpp"
#include "hmmlt/model/similarities.hpp"
#include "hmmlt/random/gamma.hpp"
#include "hmmlt/sampler/state_draw.hpp"
#include "posterior/conditional_inputs.hpp"
#include "posterior/conditional_rows.hpp"

namespace hmmlt::testing {

namespace {

// The joint with the full lengths of the segments that are cut off: their law given what is seen of them.
double log_joint_with_whole_segments(const AugmentedPoint& point, const std::vector<Segment>& whole) {
    double sum = log_joint_without_u_q(point);
    const std::vector<Segment> seen = segments_of(point.state.z, point.observations.sequences);
    for (std::size_t i = 0; i < seen.size(); ++i)
        if (seen[i].cut_off)
            sum += log_duration(point.state.durations, seen[i].state, whole[i].duration) -
                   log_duration_survival(point.state.durations, seen[i].state, seen[i].duration);
    return sum;
}

}  // namespace

// log p(y) of the messages is the joint summed over all paths, but for what does not depend on z.
void check_segments(const AugmentedPoint& point, Stream&, Comparison& comparison) {
    if (!has_durations(point)) return;
    // over all paths of a copy with few steps
    AugmentedPoint few = point;
    const arma::uword n_steps = 5;
    few.observations.sequences = Sequences::of_lengths({n_steps});
    if (!few.observations.y.is_empty()) few.observations.y = few.observations.y.head_cols(n_steps);
    if (!few.observations.symbol.is_empty()) few.observations.symbol = few.observations.symbol.head(n_steps);
    few.state.z = few.state.z.head(n_steps);
    const auto log_of = [&](const State& state) { return log_joint(few.model, state, few.observations); };
    const arma::uword n_states = few.model.n_states;
    std::vector<double> terms;
    State moved = few.state;
    for (arma::uword path = 0; path < static_cast<arma::uword>(std::lround(std::pow(n_states, n_steps))); ++path) {
        for (arma::uword t = 0, rest = path; t < n_steps; ++t, rest /= n_states) moved.z(t) = rest % n_states;
        terms.push_back(log_of(moved));
    }
    const double all_paths = log_sum_exp(terms.size(), [&](std::size_t i) { return terms[i]; });
    // what the joint has beside z and y does not depend on z: take it from one path
    moved.z.zeros();
    const arma::mat log_phi = log_similarities(moved);
    arma::mat n;
    count_jumps(moved, few.observations.sequences, n);
    const double rest = log_of(moved) - log_density_of_states(n, moved.log_pi, log_phi) -
                        log_density_of_segments(segments_of(moved.z, few.observations.sequences), moved.durations) -
                        path_log_likelihood(moved.emission, few.bits, moved.z, few.observations);
    const double found = arma::accu(
        sequence_log_likelihood({moved.log_pi, log_phi, moved.emission, few.bits, few.observations, moved.durations}));
    comparison.equal(found, all_paths - rest);
}

void check_durations(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    if (!has_durations(point)) return;
    std::vector<Segment> whole = segments_of(point.state.z, point.observations.sequences);
    complete_segments(point.state.durations, whole, row_streams.from(point.model.n_states));
    const std::vector<DurationSums> sums = sum_durations(whole, point.model.n_states);
    const auto joint = [&](const AugmentedPoint& moved) { return log_joint_with_whole_segments(moved, whole); };
    const DurationSpec& spec = *durations_of(point.model.dynamics);
    DurationState drawn = point.state.durations;
    sample_durations(spec, whole, drawn, row_streams);
    for (arma::uword j = 0; j < point.model.n_states; ++j) {
        if (const auto* poisson = std::get_if<PoissonDurations>(&spec)) {
            const GammaPrior law = omega_law(poisson->omega, sums[j]);
            compare(
                point, positive_values(rng),
                [j](AugmentedPoint& moved, double omega) {
                    std::get<PoissonDurationState>(moved.state.durations).omega(j) = omega;
                },
                [law](double omega) { return log_gamma_density(omega, law); }, joint, comparison);
            Stream stream = row_streams.item(j);
            comparison.equal(std::get<PoissonDurationState>(drawn).omega(j), draw_gamma(law.shape, law.rate, stream));
        } else {
            const auto& binomial = std::get<NegativeBinomialDurations>(spec);
            // r, p integrated out, then p given r: their product is proportional to the joint of both
            const std::vector<double> weight = r_log_weights(binomial, sums[j]);
            struct Pair {
                std::size_t r;
                double p;
            };
            std::vector<Pair> values;
            for (std::size_t r = 0; r < binomial.r.size(); ++r)
                for (const double p : values_between_0_and_1(rng)) values.push_back({r, p});
            compare(
                point, values,
                [&](AugmentedPoint& moved, const Pair& value) {
                    auto& state = std::get<NegativeBinomialDurationState>(moved.state.durations);
                    state.r(j) = binomial.r[value.r];
                    state.log_p(j) = std::log(value.p);
                    state.log_1mp(j) = std::log1p(-value.p);
                },
                [&](const Pair& value) {
                    return weight[value.r] + log_beta_density(value.p, p_law(binomial.p, binomial.r[value.r], sums[j]));
                },
                joint, comparison);
        }
    }
}

}  // namespace hmmlt::testing
