// From conversations in samples to a signal in steps: down-sampling, the truth, the scale.
#pragma once

#include <armadillo>
#include <functional>
#include <vector>

#include "pipelines/pascal/party.hpp"

namespace hmmlt::pascal {

struct Point {
    arma::uword segment;
    arma::uword offset;  // which sample of the segment

    bool operator==(const Point&) const = default;
};

// The samples number step/2, step/2 + step, ... (from 0) of a conversation. A segment that has none of them gets one
// point all the same, its middle sample, between its neighbours' points; the others stay where they are.
std::vector<Point> down_sample(const std::vector<Segment>& segments, arma::uword step);

// One party: row d of both matrices is speaker d % n_speakers of conversation d / n_speakers, a column is a step.
struct Scene {
    arma::umat on;     // 1 while a sentence of the speaker plays
    arma::mat signal;  // 0 where it is off
};

// A sample of a sentence, which the recipe may ask for as its absolute value.
using SampleAt = std::function<double(arma::uword dim, arma::uword sentence, arma::uword offset)>;

// All conversations cut to the shortest and to recipe.n_steps; the signal is not scaled yet.
Scene record(const std::vector<std::vector<Segment>>& conversations, const Recipe& recipe, const SampleAt& sample_at);

// Each row's on entries to the given mean and standard deviation (of those entries: divided by their number). Entries
// that are all the same, as a single one is, become the mean. A row that is never on stays 0.
void scale_signal(double mean, double sd, Scene& scene);

}  // namespace hmmlt::pascal
