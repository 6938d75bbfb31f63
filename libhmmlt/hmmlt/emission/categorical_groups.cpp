#include "hmmlt/emission/categorical_groups.hpp"

#include <cmath>

#include "hmmlt/emission/checks.hpp"
#include "hmmlt/math/log_rising.hpp"

namespace hmmlt {

namespace {

void add_symbols(arma::uword symbol, double count, CategoricalGroup& group) {
    if (group.count[symbol] == 0.0) group.seen.push_back(symbol);
    group.count[symbol] += count;
    group.n += count;
}

}  // namespace

CategoricalGroups::CategoricalGroups(const CategoricalSpec& spec, const Observations& observations)
    : spec_(spec),
      observations_(observations),
      log_concentration_(arma::log(spec.concentration)),
      total_(arma::accu(spec.concentration)) {
    check_symbols("CategoricalGroups", observations, spec.n_symbols());
}

CategoricalGroup CategoricalGroups::nothing() const {
    return {arma::vec(spec_.n_symbols(), arma::fill::zeros), {}, 0.0};
}

void CategoricalGroups::add(arma::uword t, Group& group) const {
    const arma::sword symbol = observations_.symbol[t];
    if (symbol != no_symbol) add_symbols(static_cast<arma::uword>(symbol), 1.0, group);
}

CategoricalGroup CategoricalGroups::joined(const Group& a, const Group& b) const {
    Group both = a;
    for (const arma::uword symbol : b.seen) add_symbols(symbol, b.count[symbol], both);
    return both;
}

double CategoricalGroups::log_marginal_likelihood(const Group& group) const {
    double sum = -log_rising(total_, std::log(total_), group.n);
    for (const arma::uword v : group.seen)
        sum += log_rising(spec_.concentration[v], log_concentration_[v], group.count[v]);
    return sum;
}

// Symbols that only one of them has cancel: of a large vocabulary, most.
double CategoricalGroups::log_gain(const Group& a, const Group& b, double) const {
    const auto gain = [](double concentration, double log_concentration, double n, double m) {
        return log_rising(concentration, log_concentration, n + m) - log_rising(concentration, log_concentration, n) -
               log_rising(concentration, log_concentration, m);
    };
    double sum = -gain(total_, std::log(total_), a.n, b.n);
    for (const arma::uword v : (a.seen.size() < b.seen.size() ? a : b).seen)
        if (a.count[v] > 0.0 && b.count[v] > 0.0)
            sum += gain(spec_.concentration[v], log_concentration_[v], a.count[v], b.count[v]);
    return sum;
}

void CategoricalGroups::log_predictive(const Group& group, std::span<const arma::uword> steps,
                                       std::span<double> log_density) const {
    const double log_total = std::log(total_ + group.n);
    for (std::size_t m = 0; m < steps.size(); ++m) {
        const arma::sword symbol = observations_.symbol[steps[m]];
        const auto v = static_cast<arma::uword>(symbol);
        log_density[m] = symbol == no_symbol ? 0.0 : std::log(spec_.concentration[v] + group.count[v]) - log_total;
    }
}

CategoricalGroups groups_of(const CategoricalSpec& spec, const Observations& observations) {
    return {spec, observations};
}

}  // namespace hmmlt
