#include "io/system_calls.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>

namespace {

hmmlt::testing::SystemCalls* active = nullptr;

// Runs a hook, which may make calls itself: those go straight through.
template <typename Hook, typename... Arguments>
int error_from(Hook hmmlt::testing::SystemCalls::*member, const Arguments&... arguments) {
    hmmlt::testing::SystemCalls* const calls = active;
    if (calls == nullptr || !(calls->*member)) return 0;
    struct Pause {
        hmmlt::testing::SystemCalls* paused;
        ~Pause() { active = paused; }
    } const pause{calls};
    active = nullptr;
    const Hook hook = calls->*member;  // a copy: it may replace itself
    return hook(arguments...);
}

template <typename Call>
auto unless(int error_number, Call call) -> decltype(call()) {
    if (error_number == 0) return call();
    errno = error_number;
    return -1;
}

}  // namespace

namespace hmmlt::testing {

SystemCalls::SystemCalls() {
    if (active != nullptr) throw std::logic_error("SystemCalls: one at a time");
    active = this;
}

SystemCalls::~SystemCalls() {
    active = nullptr;
}

}  // namespace hmmlt::testing

using hmmlt::testing::SystemCalls;

extern "C" int flock(int fd, int operation) noexcept {
    return unless(error_from(&SystemCalls::before_flock, fd),
                  [&] { return static_cast<int>(::syscall(SYS_flock, fd, operation)); });
}

extern "C" int fsync(int fd) {
    return unless(error_from(&SystemCalls::before_fsync, fd),
                  [&] { return static_cast<int>(::syscall(SYS_fsync, fd)); });
}

extern "C" int rename(const char* from, const char* to) noexcept {
    return unless(error_from(&SystemCalls::before_rename, from, to),
                  [&] { return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0U)); });
}

extern "C" ssize_t read(int fd, void* buffer, size_t size) {
    return unless(error_from(&SystemCalls::before_read, fd),
                  [&] { return static_cast<ssize_t>(::syscall(SYS_read, fd, buffer, size)); });
}
