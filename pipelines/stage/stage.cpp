// Start and end of a stage's process.
#include "pipelines/stage/stage.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/math/blas.hpp"
#include "pipelines/stage/command_line.hpp"

namespace hmmlt {

namespace {

volatile std::sig_atomic_t interrupted_by = 0;

void note_signal(int signal) {
    interrupted_by = signal;
}

// Restarts the process under the preferred core unless the user chose one. Should the restart fail, the stage runs
// with the core there is, and provenance records which.
void prefer_blas_core(char** argv) {
    const std::string core = preferred_blas_core();
    if (std::getenv("OPENBLAS_CORETYPE") != nullptr || core.empty() || blas_info().core == core) return;
    setenv("OPENBLAS_CORETYPE", core.c_str(), 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    execv("/proc/self/exe", argv);
}

// A message may quote a file name, or a library that quotes a damaged file: neither may break the line.
std::string one_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

}  // namespace

int run_stage(int argc, char** argv, const std::function<void(int, char**)>& stage) {
    const std::string name = std::filesystem::path(argv[0]).filename().string();
    try {
        prefer_blas_core(argv);
        use_one_blas_thread();
        std::signal(SIGINT, note_signal);
        std::signal(SIGTERM, note_signal);
        stage(argc, argv);
    } catch (const HelpShown&) {
        return EXIT_SUCCESS;
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "{}: not enough memory for a model and data of this size\n", name);
        return exit_code::internal;
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}: {}\n", name, one_line(error.what()));
        return exit_code_for(error);
    }
    return EXIT_SUCCESS;
}

bool is_interrupted() {
    return interrupted_by != 0;
}

void stop_if_interrupted() {
    if (is_interrupted()) throw Interrupted("interrupted; what was finished is kept");
}

namespace {

// What git says of the tree the executable lies in, for runs that make did not start.
std::string revision_of_executable() {
    std::error_code error;
    const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    if (error || folder.string().find('\'') != std::string::npos) return "unknown";
    FILE* git = ::popen(("git -C '" + folder.string() + "' describe --always --dirty 2>/dev/null").c_str(), "r");
    if (git == nullptr) return "unknown";
    char line[128] = "";
    const bool found = std::fgets(line, sizeof line, git) != nullptr;
    ::pclose(git);
    const std::string revision(line);
    return found ? revision.substr(0, revision.find('\n')) : "unknown";
}

}  // namespace

RunRecord run_record(int argc, char** argv, std::chrono::system_clock::time_point started) {
    const char* revision = std::getenv("HMMLT_REVISION");
    return {.revision = revision == nullptr ? revision_of_executable() : revision,
            .command = std::vector<std::string>(argv, argv + argc),
            .started = started,
            .finished = std::chrono::system_clock::now()};
}

}  // namespace hmmlt
