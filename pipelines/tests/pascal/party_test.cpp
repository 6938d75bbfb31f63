#include "pipelines/pascal/party.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "pipelines/tests/pascal/recipes.hpp"
#include "statistics.hpp"

using namespace hmmlt;
using namespace hmmlt::pascal;
using namespace hmmlt::testing;

TEST_CASE("speakers are drawn without replacement, every order equally likely") {
    Stream rng({.seed = 1});
    std::vector<double> counts(12);
    for (int i = 0; i < 12000; ++i) {
        const auto drawn = draw_without_replacement(4, 2, rng);
        REQUIRE(drawn.size() == 2);
        REQUIRE(drawn[0] != drawn[1]);
        counts[3 * drawn[0] + drawn[1] - (drawn[1] > drawn[0])] += 1;
    }
    CHECK(chi_square(counts, std::vector<double>(12, 1000.0)) > level);
    auto all = draw_without_replacement(34, 34, rng);
    CHECK(std::set(all.begin(), all.end()).size() == 34);
}

TEST_CASE("a turn chain has Dirichlet laws") {
    Stream rng({.seed = 2});
    std::vector<double> first;
    std::vector<double> next;
    for (arma::uword i = 0; i < 5000; ++i) {
        const TurnChain chain = draw_turn_chain(4, 2.0, rng);
        REQUIRE(arma::approx_equal(arma::sum(chain.to_from, 0), arma::rowvec(4, arma::fill::ones), "absdiff", 1e-12));
        REQUIRE(std::abs(arma::sum(chain.first) - 1.0) < 1e-12);
        first.push_back(chain.first(i % 4));
        next.push_back(chain.to_from(i % 4, i / 4 % 4));
    }
    // a coordinate of Dirichlet(2, 2, 2, 2) is Beta(2, 6)
    const auto cdf = [](double x) { return 1.0 - std::pow(1.0 - x, 7) - 7.0 * x * std::pow(1.0 - x, 6); };
    CHECK(kolmogorov_smirnov(first, cdf) > level);
    CHECK(kolmogorov_smirnov(next, cdf) > level);
}

namespace {

const TurnChain chain{{0.7, 0.3}, {{0.2, 0.6}, {0.8, 0.4}}};  // column: after whom

Repertoire repertoire() {
    return {.n_sentences = {3, 5},
            .n_samples = [](arma::uword speaker, arma::uword sentence) { return 100 * (speaker + 1) + sentence; }};
}

}  // namespace

TEST_CASE("a conversation is a silence, then turns of a sentence and a silence, until the time is up") {
    const Recipe recipe = small_recipe();
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Stream rng({.seed = seed});
        const auto segments = draw_conversation(chain, repertoire(), recipe, rng);
        REQUIRE(segments.size() % 2 == 1);
        arma::uword n_samples = 0;
        for (std::size_t i = 0; i < segments.size(); ++i) {
            const Segment& segment = segments[i];
            REQUIRE(segment.speaker.has_value() == (i % 2 == 1));
            if (segment.speaker) {
                REQUIRE(n_samples < 1000);  // a turn begins before the time is up, the last one is not cut
                REQUIRE(segment.sentence < repertoire().n_sentences[*segment.speaker]);
                REQUIRE(segment.n_samples == repertoire().n_samples(*segment.speaker, segment.sentence));
            }
            n_samples += segment.n_samples;
        }
        REQUIRE(n_samples >= 1000);
    }
}

TEST_CASE("turns, sentences and silences have their laws") {
    Recipe recipe = small_recipe();
    recipe.sample_rate = 25000;
    recipe.duration = 0.1;  // a few short turns: many beginnings
    recipe.initial_silence = 5;
    recipe.silence_mean = 0.02;
    recipe.silence_sd = 0.02;
    std::vector<double> initial(5), first(2), next(4), sentence(5), pauses;
    for (std::uint64_t seed = 0; seed < 5000; ++seed) {
        Stream rng({.seed = seed, .block = 3});
        const auto segments = draw_conversation(chain, repertoire(), recipe, rng);
        initial.at(segments[0].n_samples - 1) += 1;
        first.at(*segments[1].speaker) += 1;
        // a turn is seen only if the time before was not up, which depends on earlier pauses alone
        pauses.push_back(static_cast<double>(segments[2].n_samples) / recipe.sample_rate);
        if (*segments[1].speaker == 1) sentence.at(segments[1].sentence) += 1;
        if (segments.size() > 3) next.at(2 * *segments[1].speaker + *segments[3].speaker) += 1;
    }
    CHECK(chi_square(initial, std::vector<double>(5, 1000.0)) > level);
    CHECK(chi_square(first, {3500.0, 1500.0}) > level);
    const double n_after_0 = next[0] + next[1];
    const double n_after_1 = next[2] + next[3];
    CHECK(n_after_1 > 500);
    CHECK(chi_square(next, {0.2 * n_after_0, 0.8 * n_after_0, 0.6 * n_after_1, 0.4 * n_after_1}) > level);
    const double n_said = sentence[0] + sentence[1] + sentence[2] + sentence[3] + sentence[4];
    CHECK(chi_square(sentence, std::vector<double>(5, n_said / 5.0)) > level);
    const auto cdf = [](double x) { return (normal_cdf((x - 0.02) / 0.02) - normal_cdf(-1.0)) / normal_cdf(1.0); };
    CHECK(kolmogorov_smirnov(pauses, cdf) > level);
}

TEST_CASE("the streams of a party are its own") {
    std::set<std::uint64_t> seen;
    for (const Draws block : {Draws::speakers, Draws::chains, Draws::turns, Draws::weights, Draws::noise})
        for (std::uint32_t part = 0; part < 2; ++part)
            for (std::size_t item = 0; item < 2; ++item)
                for (std::uint64_t seed = 1; seed <= 2; ++seed) seen.insert(party_stream(seed, block, part, item)());
    CHECK(seen.size() == 40);
}
