#include "posterior/batch_means.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace hmmlt::testing {

namespace {

constexpr std::uint32_t n_batches = 100;

struct Moments {
    double mean = 0.0;
    double variance_of_mean = 0.0;
};

Moments moments_of(const std::vector<double>& batches) {
    Moments moments;
    const auto n = static_cast<double>(batches.size());
    for (const double batch : batches) moments.mean += batch / n;
    for (const double batch : batches)
        moments.variance_of_mean += (batch - moments.mean) * (batch - moments.mean) / (n * (n - 1.0));
    return moments;
}

}  // namespace

BatchMeans record_batches(std::size_t n_functionals, std::uint32_t n_draws,
                          const std::function<void(std::uint32_t)>& next,
                          const std::function<void(std::vector<double>&)>& values) {
    const std::uint32_t per_batch = n_draws / n_batches;
    BatchMeans batches(n_functionals, std::vector<double>(n_batches, 0.0));
    std::vector<double> row(n_functionals);
    for (std::uint32_t batch = 0; batch < n_batches; ++batch)
        for (std::uint32_t draw = 0; draw < per_batch; ++draw) {
            next(batch * per_batch + draw + 1);
            values(row);
            for (std::size_t f = 0; f < n_functionals; ++f) batches[f][batch] += row[f] / per_batch;
        }
    return batches;
}

std::vector<GewekeScore> compare_batches(const std::vector<std::string>& functionals, const BatchMeans& prior,
                                         const BatchMeans& chain) {
    std::vector<GewekeScore> scores;
    for (std::size_t f = 0; f < functionals.size(); ++f) {
        const Moments a = moments_of(prior[f]);
        const Moments b = moments_of(chain[f]);
        const double error = std::sqrt(a.variance_of_mean + b.variance_of_mean);
        // a quantity that never moves in either (W known) has no error and no difference
        scores.push_back({functionals[f], error == 0.0 && a.mean == b.mean ? 0.0 : (b.mean - a.mean) / error});
    }
    return scores;
}

double largest(const std::vector<GewekeScore>& scores) {
    double most = 0.0;
    for (const GewekeScore& score : scores) most = std::max(most, std::abs(score.z));
    return most;
}

double p_value_of(double z) {
    const boost::math::students_t law(static_cast<double>(n_batches - 1));
    return 2.0 * boost::math::cdf(boost::math::complement(law, std::abs(z)));
}

}  // namespace hmmlt::testing
