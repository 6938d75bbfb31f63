#include "pipelines/pascal/signal.hpp"

#include <doctest/doctest.h>

#include "pipelines/tests/pascal/recipes.hpp"

using namespace hmmlt::pascal;

namespace {

Segment silence(arma::uword n_samples) {
    return {.n_samples = n_samples, .speaker = {}};
}

Segment speech(arma::uword n_samples, arma::uword speaker, arma::uword sentence = 0) {
    return {.n_samples = n_samples, .speaker = speaker, .sentence = sentence};
}

using Points = std::vector<Point>;

}  // namespace

TEST_CASE("down-sampling takes every step-th sample, from half a step") {
    CHECK(down_sample({silence(30)}, 10) == Points{{0, 5}, {0, 15}, {0, 25}});
    CHECK(down_sample({silence(26)}, 10) == Points{{0, 5}, {0, 15}, {0, 25}});
    CHECK(down_sample({silence(25)}, 10) == Points{{0, 5}, {0, 15}});
    CHECK(down_sample({silence(10)}, 5) == Points{{0, 2}, {0, 7}});
    CHECK(down_sample({silence(3)}, 1) == Points{{0, 0}, {0, 1}, {0, 2}});
    // the grid runs on from segment to segment: samples 5, 15, 25, 35 of the whole
    CHECK(down_sample({silence(12), speech(18, 0), silence(8)}, 10) == Points{{0, 5}, {1, 3}, {1, 13}, {2, 5}});
}

TEST_CASE("a segment that is stepped over still gets one point, and the others stay where they are") {
    // samples 12, 13, 14 lie between the points 5 and 15
    CHECK(down_sample({silence(12), speech(3, 0), silence(20)}, 10) == Points{{0, 5}, {1, 1}, {2, 0}, {2, 10}});
    CHECK(down_sample({silence(3), speech(10, 0)}, 10) == Points{{0, 1}, {1, 2}});  // before the first point
    CHECK(down_sample({silence(12), silence(0), speech(8, 0)}, 10) == Points{{0, 5}, {1, 0}, {2, 3}});
    CHECK(down_sample({silence(12), silence(1), silence(1), silence(8)}, 10) == Points{{0, 5}, {1, 0}, {2, 0}, {3, 1}});
    CHECK(down_sample({silence(10), silence(5)}, 10) == Points{{0, 5}, {1, 2}});  // after the last point
}

TEST_CASE("conversations are cut to the shortest, and to n_steps") {
    Recipe recipe = small_recipe();
    const std::vector<std::vector<Segment>> conversations = {{silence(20), speech(30, 1, 7)},
                                                             {silence(10), speech(20, 0, 3), silence(10)}};
    const auto sample_at = [](arma::uword dim, arma::uword sentence, arma::uword offset) {
        return -static_cast<double>(10000 * dim + 100 * sentence + offset);
    };
    const Scene scene = record(conversations, recipe, sample_at);  // 5 and 4 points
    CHECK(arma::approx_equal(scene.signal,
                             arma::mat{{0, 0, 0, 0}, {0, 0, -10705, -10715}, {0, -20305, -20315, 0}, {0, 0, 0, 0}},
                             "absdiff", 0.0));
    CHECK(arma::accu(scene.on) == 4);
    CHECK(arma::all(arma::vectorise((scene.on > 0) == (scene.signal != 0))));

    recipe.n_steps = 3;
    recipe.absolute = true;
    const Scene shorter = record(conversations, recipe, sample_at);
    CHECK(arma::approx_equal(shorter.signal, arma::abs(scene.signal.head_cols(3)), "absdiff", 0.0));
    CHECK(shorter.on.n_cols == 3);
}

TEST_CASE("a sample of value 0 is on all the same") {
    const Scene scene =
        record({{speech(20, 0)}, {speech(20, 1)}}, small_recipe(), [](auto, auto, auto) { return 0.0; });
    CHECK(arma::accu(scene.on) == 4);
}

TEST_CASE("the scale is that of the on entries") {
    Scene scene{{{0, 1, 1, 0}, {0, 0, 1, 0}, {1, 0, 0, 1}, {0, 0, 0, 0}, {1, 1, 1, 1}},
                {{0, 2, 4, 0}, {0, 0, 9, 0}, {7, 0, 0, 7}, {0, 0, 0, 0}, {-1, 1, -1, 1}}};
    scale_signal(1.0, 0.5, scene);
    // 2, 4: mean 3, sd 1. One entry, or equal ones: the mean. Never on: 0. -1, 1: mean 0, sd 1.
    CHECK(arma::approx_equal(
        scene.signal, arma::mat{{0, 0.5, 1.5, 0}, {0, 0, 1, 0}, {1, 0, 0, 1}, {0, 0, 0, 0}, {0.5, 1.5, 0.5, 1.5}},
        "absdiff", 1e-15));
}
