#include "hmmlt/dynamics/segments.hpp"

#include <boost/math/special_functions/gamma.hpp>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/gamma_ratio.hpp"
#include "hmmlt/random/beta.hpp"
#include "hmmlt/random/categorical.hpp"
#include "hmmlt/random/gamma.hpp"

namespace hmmlt {

namespace {

using boost::math::lgamma;

// Above this, differences of lgamma would lose digits: all of them at 1e15.
constexpr double many = 50.0;

// log B(a, b), but for a term that depends on b alone. docs/model.md (84)
double log_beta_function(double a, double b) {
    if (b >= many) return lgamma(a) - log_gamma_ratio(b, a);
    return a >= many ? -log_gamma_ratio(a, b) : lgamma(a) - lgamma(a + b);
}

// log of the binomial coefficient of docs/model.md (82), but for a term that depends on the duration alone
double log_binomial(double duration, double r) {
    if (duration == 1.0) return 0.0;
    return (duration > many ? log_gamma_ratio(duration - 1.0, r) : lgamma(duration - 1.0 + r)) - lgamma(r);
}

}  // namespace

std::vector<Segment> segments_of(const arma::uvec& z, const Sequences& sequences) {
    check_size("segments_of", "z", z.n_elem, sequences.n_steps());
    std::vector<Segment> segments;
    for (arma::uword s = 0; s < sequences.count(); ++s) {
        for (arma::uword t = sequences.first[s]; t < sequences.first[s + 1]; ++t) {
            if (t == sequences.first[s] || z[t] != z[t - 1])
                segments.push_back({z[t], 1.0, false});
            else
                segments.back().duration += 1.0;
        }
        if (sequences.length(s) > 0) segments.back().cut_off = true;
    }
    return segments;
}

double log_density_of_segments(const std::vector<Segment>& segments, const DurationState& state) {
    double sum = 0.0;
    for (const Segment& segment : segments)
        sum += segment.cut_off ? log_duration_survival(state, segment.state, segment.duration)
                               : log_duration(state, segment.state, segment.duration);
    return sum;
}

void complete_segments(const DurationState& state, std::vector<Segment>& segments, const BlockStreams& rng) {
    std::size_t i = 0;
    for (Segment& segment : segments) {
        if (!segment.cut_off) continue;
        Stream stream = rng.item(i++);
        segment.duration = draw_duration_of_at_least(state, segment.state, segment.duration, stream);
        segment.cut_off = false;
    }
}

std::vector<DurationSums> sum_durations(const std::vector<Segment>& segments, arma::uword n_states) {
    std::vector<DurationSums> sums(n_states);
    for (const Segment& segment : segments) {
        check_below("sum_durations", "the state of a segment", segment.state, n_states);
        DurationSums& own = sums[segment.state];
        own.n_segments += 1.0;
        own.excess += segment.duration - 1.0;
        own.whole.push_back(segment.duration);
    }
    return sums;
}

GammaPrior omega_law(const GammaPrior& prior, const DurationSums& sums) {
    return {prior.shape + sums.excess, prior.rate + sums.n_segments};
}

BetaPrior p_law(const BetaPrior& prior, double r, const DurationSums& sums) {
    return {prior.a + r * sums.n_segments, prior.b + sums.excess};
}

std::vector<double> r_log_weights(const NegativeBinomialDurations& spec, const DurationSums& sums) {
    std::vector<double> log_weight;
    for (const double r : spec.r) {
        const BetaPrior law = p_law(spec.p, r, sums);
        double sum = log_beta_function(law.a, law.b);
        for (const double duration : sums.whole) sum += log_binomial(duration, r);
        log_weight.push_back(sum);
    }
    return log_weight;
}

void sample_durations(const DurationSpec& spec, const std::vector<Segment>& segments, DurationState& state,
                      const BlockStreams& rng) {
    if (const auto* poisson = std::get_if<PoissonDurations>(&spec)) {
        arma::vec& omega = std::get<PoissonDurationState>(state).omega;
        const std::vector<DurationSums> sums = sum_durations(segments, omega.n_elem);
        for (arma::uword j = 0; j < omega.n_elem; ++j) {
            Stream stream = rng.item(j);
            const GammaPrior law = omega_law(poisson->omega, sums[j]);
            omega(j) = draw_gamma(law.shape, law.rate, stream);
        }
        return;
    }
    const auto& binomial = std::get<NegativeBinomialDurations>(spec);
    auto& drawn = std::get<NegativeBinomialDurationState>(state);
    const std::vector<DurationSums> sums = sum_durations(segments, drawn.r.n_elem);
    for (arma::uword j = 0; j < drawn.r.n_elem; ++j) {
        Stream stream = rng.item(j);
        drawn.r(j) = binomial.r[draw_categorical_log(r_log_weights(binomial, sums[j]), stream)];
        const BetaPrior law = p_law(binomial.p, drawn.r(j), sums[j]);
        const LogBetaDraw p = draw_log_beta(law.a, law.b, stream);
        drawn.log_p(j) = p.log_x;
        drawn.log_1mp(j) = p.log_1mx;
    }
}

}  // namespace hmmlt
