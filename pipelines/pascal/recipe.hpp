// The numbers of a cocktail party, from its TOML description: docs/formats.md, "Cocktail parties".
#pragma once

#include <armadillo>
#include <cmath>
#include <optional>

#include "hmmlt/io/config.hpp"

namespace hmmlt::pascal {

struct Recipe {
    int sample_rate;  // of the corpus, per second

    arma::uword n_conversations;
    arma::uword n_speakers;       // in each of them
    double turn_concentration;    // of the Dirichlet laws of who speaks first, and who after whom
    double duration;              // seconds
    arma::uword initial_silence;  // samples: the longest
    double silence_mean;          // seconds
    double silence_sd;

    arma::uword step;                    // samples from one point to the next
    std::optional<arma::uword> n_steps;  // points to keep; nothing: all that the shortest conversation has
    bool absolute;                       // the absolute value of a sample, not the sample itself
    double signal_mean;                  // over the points at which a speaker speaks
    double signal_sd;

    arma::uword n_channels;
    double weight_low;
    double weight_high;
    double noise_sd;

    arma::uword n_dims() const { return n_conversations * n_speakers; }
    arma::uword n_samples() const { return static_cast<arma::uword>(std::llround(duration * sample_rate)); }
};

// Every key is required but signal.n_steps, and an unlisted one is refused first; throws as Section does. Does not call
// reject_unknown.
Recipe read_recipe(const Config& config);

}  // namespace hmmlt::pascal
