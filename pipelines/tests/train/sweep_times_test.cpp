#include "pipelines/train/sweep_times.hpp"

#include <doctest/doctest.h>

#include <functional>

using namespace hmmlt;

namespace {

// Sweeps are timed until that is enough; seconds(i) is what sweep i takes.
SweepTimes times_of(const std::function<double(std::size_t)>& seconds, std::size_t most = 100000) {
    SweepTimes times;
    while (!times.is_enough() && times.count() < most) times.add(seconds(times.count()));
    return times;
}

double true_total(const std::function<double(std::size_t)>& seconds, std::size_t n_sweeps) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n_sweeps; ++i) sum += seconds(i);
    return sum;
}

}  // namespace

TEST_CASE("sweep times: a start that costs much more than what follows says nothing about it") {
    // A long semi-Markov chain: the segments of its start state are long, and then they are not.
    const auto sudden = [](std::size_t i) { return i < 2 ? 6.3 : 1.1; };
    const SweepTimes times = times_of(sudden);
    CHECK(times.has_settled());
    CHECK(times.later() == doctest::Approx(1.1));
    CHECK(times.total(1000) == doctest::Approx(true_total(sudden, 1000)));
    // One that falls for long is found too dear, but not by what its first sweeps were.
    const auto gradual = [](std::size_t i) { return 0.2 + 2.0 / static_cast<double>(i + 1); };
    CHECK(times_of(gradual).total(1000) > true_total(gradual, 1000));
    CHECK(times_of(gradual).total(1000) < 1.7 * true_total(gradual, 1000));
}

TEST_CASE("sweep times: sweeps that become slower are followed too") {
    const auto slower = [](std::size_t i) { return i < 10 ? 0.05 : 0.2; };
    CHECK(times_of(slower).total(1000) == doctest::Approx(true_total(slower, 1000)).epsilon(0.1));
}

TEST_CASE("sweep times: those that were held up count") {
    // Every fifth one takes six times as long: a median would hide that, and be half of the mean.
    const auto uneven = [](std::size_t i) { return i % 5 == 4 ? 0.006 : 0.001; };
    CHECK(times_of(uneven).total(100000) == doctest::Approx(true_total(uneven, 100000)).epsilon(0.02));
}

TEST_CASE("sweep times: as few as will do") {
    CHECK(times_of([](std::size_t) { return 0.5; }).count() == 8);       // to be compared
    CHECK(times_of([](std::size_t) { return 0.001; }).count() == 1000);  // to be a second
    CHECK(times_of([](std::size_t) { return 25.0; }).count() == 3);      // a minute is over
    CHECK(times_of([](std::size_t) { return 1000.0; }).count() == 2);
    CHECK_FALSE(times_of([](std::size_t) { return 25.0; }).has_settled());
    CHECK(times_of([](std::size_t i) { return 4.0 / static_cast<double>((i + 1) * (i + 1)); }, 8).has_settled() ==
          false);
}

TEST_CASE("sweep times: the total of a chain that is shorter than what was timed") {
    SweepTimes times;
    for (const double seconds : {4.0, 2.0, 1.0, 1.0}) times.add(seconds);
    CHECK(times.total(1) == 4.0);
    CHECK(times.total(4) == 8.0);
    CHECK(times.total(6) == 10.0);
    CHECK(times.n_later() == 2);
    SweepTimes one;
    one.add(3.0);
    CHECK(one.total(2) == 6.0);
}
