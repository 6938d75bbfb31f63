// What a chain will cost before it is run: a few sweeps are timed, nothing is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "hmmlt/io/data_directory.hpp"
#include "pipelines/train/training.hpp"

namespace hmmlt {

struct Estimate {
    std::size_t n_sweeps = 0;          // that are asked for
    std::size_t n_timed = 0;           // the first of them
    std::size_t n_later = 0;           // of these, the ones that tell about those to come
    double seconds_per_sweep = 0;      // their mean
    bool has_settled = false;          // they do not become faster or slower
    double seconds_of_sweeps = 0;      // of all sweeps
    double seconds_per_score = 0;      // of the test sequences; 0 without any
    std::uint64_t n_scores = 0;        // over the run
    std::uint64_t bytes_used = 0;      // most memory so far: data, state, scratch
    std::uint64_t bytes_of_draws = 0;  // on top, when the tables are assembled at the end

    double seconds() const;
    std::uint64_t bytes() const { return bytes_used + bytes_of_draws; }
};

// Times sweeps from the start state, as SweepTimes asks for: a second, of long sweeps up to a minute. Throws as train()
// does.
Estimate estimate(const AnyModel& model, const DataDirectory& data, const TrainingRequest& request);

// In words, with what the numbers rest on, and as settings of a job.
std::string estimate_text(const Estimate& estimate);

}  // namespace hmmlt
