// What every stage executable shares: one BLAS set-up, one place that turns an exception into a sentence and an exit
// code, and the record of the run beside its results.
#pragma once

#include <functional>

#include "hmmlt/io/provenance.hpp"

namespace hmmlt {

// Runs a stage and returns the exit code of its process: 0, 64 usage, 65 data, 70 internal, 74 I/O, 130 interrupted.
// Before that it makes sure that OpenBLAS uses the core this CPU deserves (or the build pins) and one thread; OpenBLAS
// reads its environment only when it is loaded, so the process may start itself a second time.
int run_stage(int argc, char** argv, const std::function<void(int, char**)>& stage);

// SIGINT and SIGTERM are noted, not obeyed at once: a stage calls this where it can stop cleanly, and it throws
// Interrupted if one has arrived.
void stop_if_interrupted();
bool is_interrupted();  // for a stage that has something to do before it stops

// The record of this run for provenance.json. The revision comes from the environment (HMMLT_REVISION, set by make)
// or from git, never from inside the executable: a commit that changes no code must not change the executable's hash.
RunRecord run_record(int argc, char** argv, std::chrono::system_clock::time_point started);

}  // namespace hmmlt
