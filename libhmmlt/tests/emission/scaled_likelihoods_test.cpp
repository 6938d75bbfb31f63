// Whatever way they are computed, scaled likelihoods are those of log_likelihood.
#include "hmmlt/emission/scaled_likelihoods.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "dynamics/small_chains.hpp"

using namespace hmmlt;
using testing::normals;

namespace {

template <typename Real>
void check_against_log_likelihood(const EmissionState& state, const arma::umat& theta, const Observations& data,
                                  const arma::uvec& states, double tolerance) {
    Likelihoods<Real> found;
    const arma::uword n_rows = states.n_elem - 1;  // the last one counts only in the scale
    scaled_likelihoods(state, theta, data, states, n_rows, found);
    arma::mat all;
    log_likelihood(state, theta, data, all);
    REQUIRE(found.column.size() == all.n_cols);
    double worst = 0.0;
    for (arma::uword t = 0; t < all.n_cols; ++t) {
        const arma::vec log_lik = all.col(t).eval().elem(states);
        const std::uint32_t column = found.column[t];
        CHECK(found.log_scale[column] == doctest::Approx(log_lik.max()).epsilon(1e-12));
        for (arma::uword k = 0; k < n_rows; ++k) {
            const double expected = std::exp(log_lik[k] - log_lik.max());
            const auto value = static_cast<double>(found.scaled.column(column)[k]);
            if (expected > 1e-37) worst = std::max(worst, std::abs(value - expected) / expected);
            if (expected < 1e-39 && std::is_same_v<Real, float>) CHECK(value == 0.0);
        }
        for (std::size_t k = n_rows; k < found.scaled.stride(); ++k) CHECK(found.scaled.column(column)[k] == Real{0});
    }
    CHECK(worst < tolerance);
}

void check_both(const EmissionState& state, const arma::umat& theta, const Observations& data,
                const arma::uvec& states) {
    check_against_log_likelihood<float>(state, theta, data, states, 5e-7);
    check_against_log_likelihood<double>(state, theta, data, states, 1e-12);
}

arma::umat some_bits(arma::uword n_dims, arma::uword n_states) {
    return normals(n_dims, n_states, 1.0, 3) > 0.0;
}

Observations channels(arma::mat y) {
    const arma::uword n_steps = y.n_cols;
    return {Sequences::of_lengths({n_steps}), std::move(y), {}};
}

const arma::uvec some{4, 0, 18, 7, 3, 9, 2};

}  // namespace

TEST_CASE("scaled_likelihoods: normal channels, complete and with missing cells") {
    const arma::umat theta = some_bits(3, 19);
    const LinearGaussianState linear{normals(4, 5, 1.0, 4), arma::square(normals(5, 1, 1.0, 5)) + 0.1};
    const GaussianState own{normals(5, 19, 2.0, 6), arma::square(normals(5, 19, 1.0, 7)) + 0.1};
    arma::mat y = normals(5, 150, 3.0, 8);
    for (const bool missing : {false, true}) {
        if (missing) {
            for (arma::uword t = 0; t < 150; t += 4) y(t % 5, t) = arma::datum::nan;
            y.col(77).fill(arma::datum::nan);
        }
        check_both(linear, theta, channels(y), some);
        check_both(own, {}, channels(y), some);
    }
    check_both(own, {}, channels(y.head_cols(1)), {5, 6});
}

TEST_CASE("scaled_likelihoods: far from zero, and with precisions that no product of matrices survives") {
    const arma::umat theta = some_bits(3, 19);
    LinearGaussianState linear{normals(4, 2, 1.0, 9), {2.0, 3.0}};
    linear.weights.row(0) += 1e7;
    arma::mat y = normals(2, 70, 1.0, 10) + 1e7;
    check_against_log_likelihood<float>(linear, theta, channels(y), some, 1e-6);
    linear.h.fill(1e14);  // log likelihoods of -1e14: only the nearest state is left
    check_against_log_likelihood<float>(linear, theta, channels(y), some, 1e-6);
    y.row(1).fill(arma::datum::nan);
    check_against_log_likelihood<float>(linear, theta, channels(y), some, 1e-6);
}

TEST_CASE("scaled_likelihoods: symbols, of which some repeat, some never occur and some are missing") {
    const CategoricalState state{normals(100, 19, 20.0, 11)};
    Observations data{Sequences::of_lengths({3, 0, 200}), {}, arma::ivec(203)};
    for (arma::uword t = 0; t < 203; ++t) data.symbol[t] = static_cast<arma::sword>(t * t % 83) - 1;
    check_both(state, {}, data, some);
    check_both(state, {}, {Sequences(), {}, {}}, some);
    data.symbol[5] = 100;
    Likelihoods<float> found;
    CHECK_THROWS_AS(scaled_likelihoods(state, {}, data, some, 3, found), std::domain_error);
}

TEST_CASE("scaled_likelihoods: bad parameters are refused") {
    Likelihoods<float> found;
    const Observations data = channels(normals(2, 3, 1.0, 12));
    CHECK_THROWS_AS(
        scaled_likelihoods(GaussianState{arma::mat(2, 1, arma::fill::zeros), -arma::mat(2, 1, arma::fill::ones)}, {},
                           data, arma::uvec{0}, 1, found),
        std::domain_error);
    CHECK_THROWS_AS(
        scaled_likelihoods(GaussianState{arma::mat(3, 1, arma::fill::zeros), arma::mat(3, 1, arma::fill::ones)}, {},
                           data, arma::uvec{0}, 1, found),
        std::domain_error);
}
