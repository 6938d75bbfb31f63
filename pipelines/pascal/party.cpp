#include "pipelines/pascal/party.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "hmmlt/model/generative.hpp"
#include "hmmlt/random/below.hpp"
#include "hmmlt/random/categorical.hpp"
#include "hmmlt/random/dirichlet.hpp"
#include "hmmlt/random/normal.hpp"

namespace hmmlt::pascal {

namespace {

// N(mean, sd^2) seconds given that it is not negative, as a whole number of samples.
arma::uword draw_silence(const Recipe& recipe, Stream& rng) {
    double seconds = -1.0;
    while (seconds < 0.0) seconds = draw_normal(recipe.silence_mean, recipe.silence_sd, rng);
    return static_cast<arma::uword>(std::lround(seconds * recipe.sample_rate));
}

}  // namespace

Stream party_stream(std::uint64_t seed, Draws block, std::uint32_t part, std::size_t item) {
    return Stream({.seed = seed,
                   .chain = data_chain,
                   .sweep = part,
                   .block = static_cast<std::uint32_t>(block),
                   .item = static_cast<std::uint32_t>(item)});
}

std::vector<arma::uword> draw_without_replacement(arma::uword n_available, arma::uword n_chosen, Stream& rng) {
    std::vector<arma::uword> deck(n_available);
    std::iota(deck.begin(), deck.end(), arma::uword{0});
    for (arma::uword i = 0; i < n_chosen; ++i) std::swap(deck.at(i), deck.at(i + draw_below(n_available - i, rng)));
    deck.resize(n_chosen);
    return deck;
}

TurnChain draw_turn_chain(arma::uword n_speakers, double concentration, Stream& rng) {
    const arma::vec shape(n_speakers, arma::fill::value(concentration));
    TurnChain chain{arma::vec(n_speakers), arma::mat(n_speakers, n_speakers)};
    draw_dirichlet(shape, chain.first, rng);
    for (arma::uword from = 0; from < n_speakers; ++from)
        draw_dirichlet(shape, {chain.to_from.colptr(from), n_speakers}, rng);
    return chain;
}

std::vector<Segment> draw_conversation(const TurnChain& chain, const Repertoire& repertoire, const Recipe& recipe,
                                       Stream& rng) {
    std::vector<Segment> segments;
    arma::uword n_samples = 0;
    const auto add = [&](const Segment& segment) {
        segments.push_back(segment);
        n_samples += segment.n_samples;
    };
    add({.n_samples = 1 + draw_below(recipe.initial_silence, rng), .speaker = {}});
    arma::uword speaker = draw_categorical(chain.first, rng);
    while (n_samples < recipe.n_samples()) {
        const arma::uword sentence = draw_below(repertoire.n_sentences.at(speaker), rng);
        add({.n_samples = repertoire.n_samples(speaker, sentence), .speaker = speaker, .sentence = sentence});
        add({.n_samples = draw_silence(recipe, rng), .speaker = {}});
        speaker = draw_categorical({chain.to_from.colptr(speaker), chain.to_from.n_rows}, rng);
    }
    return segments;
}

}  // namespace hmmlt::pascal
