// Every kind of state survives the way to bytes and back; damaged bytes are refused.
#include "hmmlt/model/state_bytes.hpp"

#include <doctest/doctest.h>

#include "hmmlt/model/generative.hpp"
#include "model/small_models.hpp"

using namespace hmmlt;

namespace {

template <typename StateType>
void check_round_trip(const StateType& state) {
    const std::string bytes = to_bytes(state);
    StateType back;
    from_bytes(bytes, back);
    CHECK(back == state);
    CHECK(to_bytes(back) == bytes);
    for (std::size_t length = 0; length < bytes.size(); ++length)
        CHECK_THROWS(from_bytes(std::string_view(bytes).substr(0, length), back));
    CHECK_THROWS_WITH(from_bytes(bytes + "x", back), "bytes are left over after the state");
}

}  // namespace

TEST_CASE("state bytes: a state of every kind comes back as it was") {
    for (const Model& model : testing::small_models()) {
        State state = draw_parameters(model, {.seed = 7});
        draw_states(Sequences::of_lengths({5, 1}), state, {.seed = 7});
        check_round_trip(state);
    }
    for (const FactorialModel& model :
         {testing::small_factorial_model(), testing::small_factorial_model_of_shared_precision()}) {
        FactorialState state = draw_parameters(model, {.seed = 7});
        draw_states(Sequences::of_lengths({5, 1}), state, {.seed = 7});
        check_round_trip(state);
    }
}

TEST_CASE("state bytes: a learnt precision of W adds a number and changes no byte of other states") {
    State state = draw_parameters(testing::small_models()[0], {.seed = 7});
    const std::string without = to_bytes(state);
    auto& emission = std::get<LinearGaussianState>(state.emission);
    emission.weight_precision = 2.5;
    const std::string with = to_bytes(state);
    // version, length of the kind, kind, and so on
    CHECK(without.substr(16, 3) == "hmm");
    CHECK(with.substr(16, 21) == "hmm, weight precision");
    CHECK(with.substr(16 + 21, without.size() - 19) == without.substr(19));
    CHECK(with.size() == without.size() + 18 + sizeof(double));
    from_bytes(without, state);  // and what stood in the place is gone
    CHECK_FALSE(std::get<LinearGaussianState>(state.emission).weight_precision.has_value());
    FactorialState factorial = draw_parameters(testing::small_factorial_model(), {.seed = 7});
    const std::string fixed = to_bytes(factorial);
    factorial.emission.weight_precision = 2.5;
    from_bytes(fixed, factorial);
    CHECK_FALSE(factorial.emission.weight_precision.has_value());
    // a precision of weights that are not there
    std::string bytes = to_bytes(draw_parameters(testing::small_models()[1], {.seed = 7}));
    bytes.replace(16, 3, "hmm, weight precision");
    bytes[8] = 21;
    CHECK_THROWS_WITH(from_bytes(bytes + "12345678", state),
                      "a precision of weights belongs to an emission without weights");
}

TEST_CASE("state bytes: another kind, another version, an absurd size") {
    const State state = draw_parameters(testing::small_models()[0], {.seed = 7});
    FactorialState factorial;
    CHECK_THROWS_WITH(from_bytes(to_bytes(state), factorial), "the state is that of another kind of model");
    std::string bytes = to_bytes(state);
    State back;
    bytes[0] = 99;
    CHECK_THROWS_WITH(from_bytes(bytes, back), "the state was written by another version of hmmlt");
    bytes = to_bytes(state);
    bytes[8 + 8 + 3 + 4 * 8 + 7] = 0x7f;  // the number of rows of log_beta
    CHECK_THROWS_WITH(from_bytes(bytes, back), "the bytes end too early");
}
