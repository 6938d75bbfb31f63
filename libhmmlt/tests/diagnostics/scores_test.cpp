// Scores against hand-counted cells.
#include "hmmlt/diagnostics/scores.hpp"

#include <doctest/doctest.h>

using namespace hmmlt;

TEST_CASE("scores: hand-counted cells") {
    const arma::umat truth{{1, 1, 0, 0}, {1, 0, 0, 1}};
    const arma::umat found{{1, 0, 0, 1}, {1, 0, 0, 1}};  // 3 right ones, 1 false, 1 missed
    const Scores scores = score_bits(truth, found);
    CHECK(scores.precision == doctest::Approx(0.75));
    CHECK(scores.recall == doctest::Approx(0.75));
    CHECK(scores.f1 == doctest::Approx(0.75));
    CHECK(scores.accuracy == doctest::Approx(0.75));
    const Scores eager = score_bits(truth, arma::umat(2, 4, arma::fill::ones));
    CHECK(eager.precision == doctest::Approx(0.5));
    CHECK(eager.recall == doctest::Approx(1.0));
    CHECK(eager.f1 == doctest::Approx(2.0 / 3.0));
}

TEST_CASE("scores: silence that is called silence is perfect; shapes must agree") {
    const arma::umat silence(2, 3, arma::fill::zeros);
    const Scores scores = score_bits(silence, silence);
    CHECK(scores.precision == 1.0);
    CHECK(scores.recall == 1.0);
    CHECK(scores.f1 == 1.0);
    CHECK(scores.accuracy == 1.0);
    CHECK_THROWS(score_bits(silence, arma::umat(3, 3, arma::fill::zeros)));
    CHECK_THROWS(score_bits(silence, arma::umat(2, 4, arma::fill::zeros)));
}
