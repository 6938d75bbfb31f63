// Lets a test watch, delay or fail the system calls that files depend on. The test program defines flock, fsync, rename
// and read itself, in front of those of the C library, so that hmmlt needs no hooks.
#pragma once

#include <functional>
#include <string>

namespace hmmlt::testing {

// While one is alive, its functions run before each such call of this process. They return 0, and the call goes on, or
// the error number with which it fails. An empty function does nothing. One at a time.
struct SystemCalls {
    std::function<int(int fd)> before_flock;
    std::function<int(int fd)> before_fsync;
    std::function<int(int fd)> before_read;
    std::function<int(const std::string& from, const std::string& to)> before_rename;

    SystemCalls();
    ~SystemCalls();
    SystemCalls(const SystemCalls&) = delete;
    SystemCalls& operator=(const SystemCalls&) = delete;
};

}  // namespace hmmlt::testing
