// Every mutant is killed by its referee, in a short version; `make validate` runs the long one. A mutant that survives
// is a hole in the referees. Seeds are fixed; a control fails with probability below 1e-6 each.
#include "posterior/mutants.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace hmmlt;
using testing::Mutant;

namespace {

constexpr std::uint32_t n_sweeps = 20000;

// Of an eighth of the length, and of twice as much until it is killed: a referee that sees less and kills is no weaker.
// A right sampler would die of these four with probability below 4e-6; the controls are looked at once, at full length.
testing::Verdict first_verdict(const Mutant& mutant) {
    testing::Verdict verdict;
    for (std::uint32_t part = 8; part > 0 && !verdict.killed; part /= 2)
        verdict = testing::judge(mutant, {.n_sweeps = n_sweeps / part, .seed = 1});
    return verdict;
}

}  // namespace

TEST_CASE("mutants: each is killed by the referee that it names") {
    for (const Mutant& mutant : testing::mutants()) {
        const testing::Verdict verdict = first_verdict(mutant);
        CAPTURE(mutant.name);
        CAPTURE(verdict.statistic);
        CAPTURE(verdict.bound);
        CHECK(verdict.killed);
        CHECK(std::isfinite(verdict.statistic));  // by its law, not because it broke down
    }
}

TEST_CASE("mutants: the same code without a bug is not killed") {
    for (const Mutant& control : testing::controls()) {
        const testing::Verdict verdict = testing::judge(control, {.n_sweeps = n_sweeps, .seed = 1});
        CAPTURE(control.name);
        CAPTURE(verdict.statistic);
        CAPTURE(verdict.bound);
        CHECK_FALSE(verdict.killed);
    }
}

TEST_CASE("mutants: the list has every known bug, each name once") {
    std::set<std::string> names;
    for (const Mutant& mutant : testing::mutants()) CHECK(names.insert(mutant.name).second);
    for (const char* known : {"u from the normalised row", "visits instead of departures", "no noise precision",
                              "gamma's table weight 1", "wrong sign of the log-ratio", "outgoing counts only",
                              "kappa left out of one row", "start row unnormalised", "n instead of n + q customers"}) {
        CAPTURE(known);
        CHECK(names.contains(known));
    }
}

TEST_CASE("mutants: the bound on z has the stated level") {
    CHECK(testing::p_value_of(testing::bound_of_z(1e-6, 20)) == doctest::Approx(5e-8).epsilon(1e-6));
}
