// Who speaks when: conversations of turns and silences. Here speakers are numbered from 0 within their conversation.
#pragma once

#include <armadillo>
#include <functional>
#include <optional>
#include <vector>

#include "hmmlt/random/stream.hpp"
#include "pipelines/pascal/recipe.hpp"

namespace hmmlt::pascal {

// The streams of a party are those of its seed, this block and an item; the library's own blocks end below 64.
enum class Draws : std::uint32_t { speakers = 64, chains = 65, turns = 66, weights = 67, noise = 68 };

// `part` 0 trains, 1 tests; what both share is drawn in part 0. `item` is a conversation, or 0.
Stream party_stream(std::uint64_t seed, Draws block, std::uint32_t part, std::size_t item);

// n_chosen different numbers below n_available, in the order of their drawing; every order is equally likely.
std::vector<arma::uword> draw_without_replacement(arma::uword n_available, arma::uword n_chosen, Stream& rng);

// Who of a conversation speaks first, and who after whom; a speaker may go on.
struct TurnChain {
    arma::vec first;    // n_speakers
    arma::mat to_from;  // column `from`: the law of the next speaker
};

// Each law ~ Dirichlet(concentration, ...), `first` drawn before the columns.
TurnChain draw_turn_chain(arma::uword n_speakers, double concentration, Stream& rng);

struct Segment {
    arma::uword n_samples;
    std::optional<arma::uword> speaker;  // nothing: silence
    arma::uword sentence = 0;            // which one of the speaker's

    bool operator==(const Segment&) const = default;
};

// What the speakers of one conversation can say.
struct Repertoire {
    std::vector<arma::uword> n_sentences;                                             // of each
    std::function<arma::uword(arma::uword speaker, arma::uword sentence)> n_samples;  // of one sentence
};

// A silence uniform on 1 .. initial_silence samples; then turns, each a sentence (any of the speaker's, equally likely)
// and a silence, until the recipe's duration is reached. The last turn is not cut.
std::vector<Segment> draw_conversation(const TurnChain& chain, const Repertoire& repertoire, const Recipe& recipe,
                                       Stream& rng);

}  // namespace hmmlt::pascal
