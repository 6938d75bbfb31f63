// What a party turned out to be, for statistics.json and for the user.
#pragma once

#include <armadillo>
#include <string>
#include <vector>

#include "pipelines/pascal/signal.hpp"

namespace hmmlt::pascal {

struct PartyStatistics {
    arma::uword n_steps = 0;
    arma::uword n_turns = 0;     // sentences with at least one step in the party
    double mean_sentence = 0.0;  // seconds, over these
    double shortest_sentence = 0.0;
    double longest_sentence = 0.0;
    double on_fraction = 0.0;        // of all speakers and steps
    arma::uword n_joint_states = 0;  // distinct columns of the truth
    std::vector<double> on_by_speaker;
};

PartyStatistics describe(const std::vector<std::vector<Segment>>& conversations, const Scene& scene,
                         const Recipe& recipe);

// The text of statistics.json. Bytes of a name that are not UTF-8 become U+FFFD.
std::string statistics_json(const std::string& corpus, const std::vector<std::string>& speakers, const Recipe& recipe,
                            const PartyStatistics& train, const PartyStatistics& test);

// "2000 steps, 84 sentences of 1.84 s on average (1.2 to 2.7 s), 22 % on, 213 joint states"
std::string summary(const PartyStatistics& statistics);

}  // namespace hmmlt::pascal
