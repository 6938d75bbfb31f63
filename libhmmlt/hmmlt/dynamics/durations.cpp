// Both laws have ratios of successive probabilities that are simple, and monotone in d.
#include "hmmlt/dynamics/durations.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <stdexcept>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/equality.hpp"
#include "hmmlt/math/log_density.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/beta.hpp"
#include "hmmlt/random/gamma.hpp"
#include "hmmlt/random/poisson.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

namespace {

// One state's law, whichever it is.
struct PoissonLaw {
    double omega;

    // log P(dur = 1), and log P(dur = d + 1) / P(dur = d)
    double log_first() const { return -omega; }
    double log_ratio(double d) const { return std::log(omega) - std::log(d); }
    // the largest of these from d on
    double log_largest_ratio(double d) const { return log_ratio(d); }
    // log P(dur = d)
    double log_at(double d) const {
        return d == 1.0 ? log_first() : (d - 1.0) * std::log(omega) - omega - boost::math::lgamma(d);
    }
    // P(dur > d)
    double beyond(double d) const { return omega == 0.0 ? 0.0 : boost::math::gamma_p(d, omega); }
    double draw(Stream& rng) const { return 1.0 + draw_poisson(omega, rng); }
};

struct NegativeBinomialLaw {
    double r;
    double log_p;
    double log_1mp;

    double log_first() const { return r * log_p; }
    double log_ratio(double d) const { return std::log(d - 1.0 + r) - std::log(d) + log_1mp; }
    double log_largest_ratio(double d) const { return std::max(log_ratio(d), log_1mp); }  // it rises if r < 1
    double log_at(double d) const {
        if (d == 1.0) return log_first();
        return boost::math::lgamma(d - 1.0 + r) - boost::math::lgamma(d) - boost::math::lgamma(r) + r * log_p +
               (d - 1.0) * log_1mp;
    }
    double beyond(double d) const {
        const double p = std::exp(log_p);
        return p < 0.5 ? boost::math::ibetac(r, d, p) : boost::math::ibeta(d, r, std::exp(log_1mp));
    }
    double draw(Stream& rng) const {
        return 1.0 + draw_poisson(std::exp(draw_log_gamma(r, rng) + log_1mp - log_p), rng);
    }
};

using Law = std::variant<PoissonLaw, NegativeBinomialLaw>;

Law law_of(const DurationState& state, arma::uword j) {
    if (const auto* poisson = std::get_if<PoissonDurationState>(&state)) return PoissonLaw{poisson->omega(j)};
    if (const auto* binomial = std::get_if<NegativeBinomialDurationState>(&state))
        return NegativeBinomialLaw{binomial->r(j), binomial->log_p(j), binomial->log_1mp(j)};
    throw std::domain_error("durations: the states of a Markov chain have none");
}

arma::uword n_states_of(const DurationState& state) {
    if (const auto* poisson = std::get_if<PoissonDurationState>(&state)) return poisson->omega.n_elem;
    if (const auto* binomial = std::get_if<NegativeBinomialDurationState>(&state)) return binomial->r.n_elem;
    return 0;
}

// Above this, survival functions are taken as they are; below, sums of ratios, which then soon come to an end.
constexpr double smallest_survival = 1e-280;
constexpr double negligible_term = 1e-17;

// Calls visit(term) with P(dur = d + i) / P(dur = d), i = 0, 1, ..., while the terms matter and `visit` wants more.
template <typename AnyLaw, typename Visit>
void walk_tail(const AnyLaw& law, double d, const Visit& visit) {
    double term = 1.0;
    double sum = 1.0;
    for (double at = d; visit(term) && term > negligible_term * sum; at += 1.0) {
        term *= std::exp(law.log_ratio(at));
        sum += term;
    }
}

template <typename AnyLaw>
double log_survival(const AnyLaw& law, double d) {
    if (d <= 1.0) return 0.0;
    if (const double plain = law.beyond(d - 1.0); plain > smallest_survival) return std::log(plain);
    double sum = 0.0;
    walk_tail(law, d, [&sum](double term) {
        sum += term;
        return true;
    });
    return law.log_at(d) + std::log(sum);
}

// The smallest d >= first with beyond(d) <= mass, by doubling and halving; at most `last`.
template <typename AnyLaw>
double quantile(const AnyLaw& law, double first, double mass, double last) {
    if (law.beyond(first) <= mass) return first;
    double low = first;  // beyond(low) > mass
    double step = 1.0;
    while (low + step < last && law.beyond(low + step) > mass) {
        low += step;
        step *= 2.0;
    }
    double high = std::min(low + step, last);
    while (high - low > 1.0) {
        const double middle = std::floor(0.5 * (low + high));
        if (middle == low || middle == high) break;  // beyond 2^53 not every number is there
        (law.beyond(middle) > mass ? low : high) = middle;
    }
    return high;
}

// All of a table but its numbers of durations, from these.
void tabulate(const DurationState& state, DurationTable& table) {
    const arma::uword n_states = table.n_durations.n_elem;
    const arma::uword n_rows = n_states == 0 ? 0 : table.n_durations.max();
    table.log_law.set_size(n_rows, n_states);
    table.log_survival.set_size(n_rows, n_states);
    table.log_law.fill(minus_infinity);
    table.log_survival.fill(minus_infinity);
    table.log_next.set_size(n_states);
    table.log_survival_next.set_size(n_states);
    table.log_decay.set_size(n_states);
    for (arma::uword j = 0; j < n_states; ++j)
        std::visit(
            [&](const auto& law) {
                double* log_law = table.log_law.colptr(j);
                double* log_left = table.log_survival.colptr(j);
                const arma::uword n = table.n_durations(j);
                const auto last = static_cast<double>(n);
                log_law[0] = law.log_first();
                for (arma::uword i = 1; i < n; ++i) log_law[i] = log_law[i - 1] + law.log_ratio(static_cast<double>(i));
                table.log_next(j) = log_law[n - 1] + law.log_ratio(last);
                table.log_decay(j) = law.log_largest_ratio(last + 1.0);
                // from the small end, so that no digit is lost, and as logarithms: it may be far below a double
                double left = log_survival(law, last + 1.0);
                table.log_survival_next(j) = left;
                for (arma::uword i = n; i-- > 0;) log_left[i] = left = log_add_exp(left, log_law[i]);
                log_left[0] = 0.0;
            },
            law_of(state, j));
}

}  // namespace

bool operator==(const PoissonDurationState& a, const PoissonDurationState& b) {
    return same_values(a.omega, b.omega);
}
bool operator==(const NegativeBinomialDurationState& a, const NegativeBinomialDurationState& b) {
    return same_values(a.r, b.r) && same_values(a.log_p, b.log_p) && same_values(a.log_1mp, b.log_1mp);
}

std::string_view duration_kind(const DurationSpec& spec) {
    return std::visit([](const auto& part) -> std::string_view { return part.kind; }, spec);
}

DurationState draw_durations(const DurationSpec& spec, arma::uword n_states, const BlockStreams& rng) {
    if (const auto* poisson = std::get_if<PoissonDurations>(&spec)) {
        PoissonDurationState state{arma::vec(n_states)};
        for (arma::uword j = 0; j < n_states; ++j) {
            Stream stream = rng.item(j);
            state.omega(j) = draw_gamma(poisson->omega.shape, poisson->omega.rate, stream);
        }
        return state;
    }
    const auto& binomial = std::get<NegativeBinomialDurations>(spec);
    NegativeBinomialDurationState state{arma::vec(n_states), arma::vec(n_states), arma::vec(n_states)};
    for (arma::uword j = 0; j < n_states; ++j) {
        Stream stream = rng.item(j);
        const double place = draw_uniform(stream) * static_cast<double>(binomial.r.size());
        state.r(j) = binomial.r[static_cast<std::size_t>(place)];
        const LogBetaDraw p = draw_log_beta(binomial.p.a, binomial.p.b, stream);
        state.log_p(j) = p.log_x;
        state.log_1mp(j) = p.log_1mx;
    }
    return state;
}

double log_prior(const DurationSpec& spec, const DurationState& state) {
    double sum = 0.0;
    if (const auto* poisson = std::get_if<PoissonDurations>(&spec)) {
        for (const double omega : std::get<PoissonDurationState>(state).omega)
            sum += log_gamma_density(omega, poisson->omega);
        return sum;
    }
    const auto& binomial = std::get<NegativeBinomialDurations>(spec);
    const auto& drawn = std::get<NegativeBinomialDurationState>(state);
    const auto [a, b] = binomial.p;
    for (arma::uword j = 0; j < drawn.r.n_elem; ++j) {
        sum += boost::math::lgamma(a + b) - boost::math::lgamma(a) - boost::math::lgamma(b);
        if (a != 1.0) sum += (a - 1.0) * drawn.log_p(j);
        if (b != 1.0) sum += (b - 1.0) * drawn.log_1mp(j);
        sum -= std::log(static_cast<double>(binomial.r.size()));
    }
    return sum;
}

double log_duration(const DurationState& state, arma::uword j, double d) {
    return std::visit([d](const auto& law) { return law.log_at(d); }, law_of(state, j));
}

double log_duration_survival(const DurationState& state, arma::uword j, double d) {
    return std::visit([d](const auto& law) { return log_survival(law, d); }, law_of(state, j));
}

double draw_duration(const DurationState& state, arma::uword j, Stream& rng) {
    return std::visit([&rng](const auto& law) { return law.draw(rng); }, law_of(state, j));
}

double draw_duration_of_at_least(const DurationState& state, arma::uword j, double at_least, Stream& rng) {
    return std::visit(
        [&](const auto& law) {
            const double u = draw_uniform(rng);
            const double survival = at_least <= 1.0 ? 1.0 : law.beyond(at_least - 1.0);
            if (survival > smallest_survival)
                return quantile(law, at_least, u * survival, std::numeric_limits<double>::max());
            double left = u * std::exp(log_survival(law, at_least) - law.log_at(at_least));
            double d = at_least - 1.0;
            walk_tail(law, at_least, [&](double term) {
                d += 1.0;
                left -= term;
                return left > 0.0;
            });
            return d;
        },
        law_of(state, j));
}

void fill_duration_table(const DurationState& state, arma::uword longest, double mass, DurationTable& table) {
    table.n_durations.set_size(n_states_of(state));
    const auto last = static_cast<double>(longest);
    for (arma::uword j = 0; j < table.n_durations.n_elem; ++j)
        table.n_durations(j) = std::visit(
            [&](const auto& law) { return static_cast<arma::uword>(std::min(last, quantile(law, 1.0, mass, last))); },
            law_of(state, j));
    tabulate(state, table);
}

void lengthen_duration_table(const DurationState& state, arma::uword longest, DurationTable& table) {
    for (arma::uword& n : table.n_durations) n = std::max(n, std::min(longest, 2 * n));
    tabulate(state, table);
}

}  // namespace hmmlt
