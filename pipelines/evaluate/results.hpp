// What an evaluation leaves behind: tables, and a few lines for people.
#pragma once

#include <string>
#include <vector>

#include "pipelines/evaluate/measures.hpp"

namespace hmmlt {

Table evaluation_table(const std::vector<Measured>& rows);
Table heldout_draws_table(const Evaluation& evaluation, const Sequences& sequences);
Table predictions_table(const Evaluation& evaluation, const Sequences& sequences);

// Log likelihoods per observed step and scores, over all sequences.
std::string summary(const std::vector<Measured>& rows);

}  // namespace hmmlt
