// Every mutant is killed by its referee, in a short version; `make validate` runs the long one. A mutant that survives
// is a hole in the referees. Seeds are fixed; a control fails with probability below 4e-6 each.
#include "posterior/mutants.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace hmmlt;
using testing::Mutant;

namespace {

constexpr std::uint32_t n_sweeps = 20000;

// Of an eighth of the length, and of twice as much until it is killed: a referee that sees less and kills is no weaker.
// A right sampler dies of these four with probability below 4e-6, and so do the controls, which see the same lengths.
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
        const testing::Verdict verdict = first_verdict(control);
        CAPTURE(control.name);
        CAPTURE(verdict.statistic);
        CAPTURE(verdict.bound);
        CHECK_FALSE(verdict.killed);
    }
}

// In a short run the batches behind a standard error depend on each other; here it shows that this kills nobody.
TEST_CASE("mutants: the right sweep is not killed on their designs, at no length at which they are") {
    std::set<std::size_t> designs;  // that are not sharpened: the others are among the controls
    for (const Mutant& mutant : testing::mutants())
        if (!mutant.error && !mutant.sharpen) designs.insert(mutant.design);
    for (const std::size_t design : designs) {
        const testing::Verdict verdict = first_verdict({.name = "none",
                                                        .bug = "none",
                                                        .referee = "geweke",
                                                        .design = design,
                                                        .change = [](Sweep&) {},
                                                        .sharpen = {},
                                                        .effort = 1});
        CAPTURE(verdict.model);
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
