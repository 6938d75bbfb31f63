#include "hmmlt/io/suggestion.hpp"

#include <doctest/doctest.h>

using namespace hmmlt;

TEST_CASE("suggestion: distances by hand") {
    CHECK(edit_distance("", "") == 0);
    CHECK(edit_distance("abc", "") == 3);
    CHECK(edit_distance("kitten", "sitting") == 3);
    CHECK(edit_distance("modle", "model") == 1);  // a swap of neighbours counts once
    CHECK(edit_distance("n_state", "n_states") == 1);
}

TEST_CASE("suggestion: only what is near") {
    CHECK(did_you_mean("n_state", {"burn_in", "n_states"}) == "; did you mean n_states?");
    CHECK(did_you_mean("modle", {"model", "run"}) == "; did you mean model?");
    CHECK(did_you_mean("colour", {"n_states"}).empty());
    CHECK(did_you_mean("x", {}).empty());
}
