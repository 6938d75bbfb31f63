// One chain from wherever it stands to the sweep asked for: sweeps, records, checkpoints, tables.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "hmmlt/io/data_directory.hpp"
#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/provenance.hpp"
#include "hmmlt/io/run_config.hpp"

namespace hmmlt {

enum class Restart {
    never,      // another configuration, or a damaged checkpoint, is refused
    different,  // such a run is begun anew
    always,
};

struct TrainingRequest {
    std::filesystem::path out;
    std::uint32_t chain = 0;
    std::uint64_t seed = 0;
    std::uint32_t n_sweeps = 0;
    Restart restart = Restart::never;
    std::chrono::seconds checkpoint_every{30};
    RunSettings run;
    std::string config;  // canonical
    std::function<RunRecord()> run_record;
};

// The data do not allow the start that run.start asks for.
struct ImpossibleStart : DataError {
    using DataError::DataError;
};

// Throws ImpossibleStart; Interrupted, with everything up to the current sweep on disk, after SIGINT or SIGTERM.
void train(const AnyModel& model, const DataDirectory& data, const TrainingRequest& request);

}  // namespace hmmlt
