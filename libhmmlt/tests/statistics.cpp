#include "statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace hmmlt::testing {

namespace {

// P(sup |Brownian bridge| > lambda)
double kolmogorov_tail(double lambda) {
    if (lambda < 0.2) return 1.0;
    double tail = 0.0;
    for (int k = 1; k <= 100; ++k) tail += (k % 2 == 1 ? 2.0 : -2.0) * std::exp(-2.0 * k * k * lambda * lambda);
    return std::clamp(tail, 0.0, 1.0);
}

}  // namespace

double kolmogorov_p_value(std::size_t n_draws, double distance) {
    const double root = std::sqrt(static_cast<double>(n_draws));
    return kolmogorov_tail((root + 0.12 + 0.11 / root) * distance);  // Stephens's correction
}

double kolmogorov_smirnov(std::vector<double> sample, const std::function<double(double)>& cdf) {
    // Not every draw is looked at below, but none may be NaN.
    if (sample.empty() || std::any_of(sample.begin(), sample.end(), [](double x) { return std::isnan(x); }))
        throw std::logic_error("kolmogorov_smirnov: expected a number in every draw, found none or NaN");
    std::sort(sample.begin(), sample.end());
    const auto n = static_cast<double>(sample.size());
    double distance = 0.0;
    const auto look_at = [&](std::size_t i) {
        const double probability = cdf(sample[i]);
        if (!(probability >= 0.0 && probability <= 1.0)) throw std::logic_error("the cdf is outside [0, 1]");
        const auto rank = static_cast<double>(i);
        distance = std::max({distance, probability - rank / n, (rank + 1.0) / n - probability});
        return probability;
    };
    // Most of the time would go into the cdf. Since it does not fall, its values at both ends of a stretch of draws
    // bound how far it is from the ranks in between, and stretches that cannot hold the greatest distance are left
    // alone.
    constexpr double rounding = 1e-9;
    struct Stretch {
        std::size_t first, last;
        double p_first, p_last;
    };
    const std::size_t last = sample.size() - 1;
    std::vector<Stretch> stretches{{0, last, look_at(0), look_at(last)}};
    for (std::size_t k = 0; k < stretches.size(); ++k) {  // halved ones follow, so the coarse look comes first
        const Stretch s = stretches[k];
        if (s.last - s.first < 2) continue;
        const double greatest =
            std::max(s.p_last - static_cast<double>(s.first + 1) / n, static_cast<double>(s.last) / n - s.p_first);
        if (greatest <= distance) continue;
        const std::size_t middle = s.first + (s.last - s.first) / 2;
        const double p_middle = look_at(middle);
        if (p_middle < s.p_first - rounding || p_middle > s.p_last + rounding)
            throw std::logic_error("kolmogorov_smirnov: expected a cdf that does not fall");
        stretches.push_back({s.first, middle, s.p_first, p_middle});
        stretches.push_back({middle, s.last, p_middle, s.p_last});
    }
    return kolmogorov_p_value(sample.size(), distance);
}

double chi_square(const std::vector<double>& observed, const std::vector<double>& expected) {
    const double total = std::accumulate(observed.begin(), observed.end(), 0.0);
    const double expected_total = std::accumulate(expected.begin(), expected.end(), 0.0);
    if (std::abs(total - expected_total) > 1e-6 * total) throw std::logic_error("expected counts do not add up");
    std::vector<double> pooled_observed(1, 0.0);
    std::vector<double> pooled_expected(1, 0.0);
    for (std::size_t i = 0; i < observed.size(); ++i) {
        if (pooled_expected.back() >= 50.0) {
            pooled_observed.push_back(0.0);
            pooled_expected.push_back(0.0);
        }
        pooled_observed.back() += observed[i];
        pooled_expected.back() += expected[i];
    }
    if (pooled_expected.size() > 1 && pooled_expected.back() < 50.0) {
        const std::size_t last = pooled_expected.size() - 1;
        pooled_observed[last - 1] += pooled_observed[last];
        pooled_expected[last - 1] += pooled_expected[last];
        pooled_observed.pop_back();
        pooled_expected.pop_back();
    }
    if (pooled_expected.size() < 2) throw std::logic_error("one cell only: this chi-square test could not fail");
    double statistic = 0.0;
    for (std::size_t i = 0; i < pooled_expected.size(); ++i) {
        const double difference = pooled_observed[i] - pooled_expected[i];
        statistic += difference * difference / pooled_expected[i];
    }
    const boost::math::chi_squared law(static_cast<double>(pooled_expected.size() - 1));
    return boost::math::cdf(boost::math::complement(law, statistic));
}

double chi_square_of_counts(const std::vector<double>& sample, const std::function<double(double)>& pmf,
                            std::size_t n_cells) {
    std::vector<double> observed(n_cells, 0.0);
    for (const double x : sample) {
        if (!(x >= 0.0) || x != std::floor(x)) throw std::logic_error("a count is not a whole number");
        observed[static_cast<std::size_t>(std::min(x, static_cast<double>(n_cells - 1)))] += 1.0;
    }
    const auto n = static_cast<double>(sample.size());
    std::vector<double> expected(n_cells);
    double below = 0.0;
    for (std::size_t i = 0; i + 1 < n_cells; ++i) {
        const double probability = pmf(static_cast<double>(i));
        expected[i] = n * probability;
        below += probability;
    }
    expected.back() = n * std::max(0.0, 1.0 - below);
    return chi_square(observed, expected);
}

double z_test(const std::vector<double>& sample, double mean, double sd) {
    const auto n = static_cast<double>(sample.size());
    double sum = 0.0;
    for (const double x : sample) sum += x - mean;
    const double z = sum / (sd * std::sqrt(n));
    return std::erfc(std::abs(z) / std::sqrt(2.0));
}

std::vector<double> sample(std::size_t n, const std::function<double()>& draw) {
    std::vector<double> values(n);
    std::generate(values.begin(), values.end(), draw);
    return values;
}

double normal_cdf(double z) {
    return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

std::vector<double> crt_pmf(int n, double a) {
    std::vector<double> pmf{1.0};
    for (int customer = 0; customer < n; ++customer) {
        const double p = customer == 0 ? 1.0 : a / (a + customer);
        pmf.push_back(0.0);
        for (std::size_t k = pmf.size() - 1; k > 0; --k) pmf[k] = pmf[k] * (1.0 - p) + pmf[k - 1] * p;
        pmf[0] *= 1.0 - p;
    }
    return pmf;
}

}  // namespace hmmlt::testing
