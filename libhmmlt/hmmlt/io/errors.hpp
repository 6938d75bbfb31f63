// The errors a stage reports to its user: each kind carries the exit code of the process, so that main catches once.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

namespace hmmlt {

// Exit codes follow sysexits.h where it has one.
namespace exit_code {
inline constexpr int usage = 64;
inline constexpr int data = 65;
inline constexpr int internal = 70;
inline constexpr int io = 74;
inline constexpr int interrupted = 130;
}  // namespace exit_code

class Error : public std::runtime_error {
  public:
    Error(int exit_code, const std::string& message) : std::runtime_error(message), exit_code_(exit_code) {}
    int exit_code() const noexcept { return exit_code_; }

  private:
    int exit_code_;
};

// The command line is wrong: an unknown flag, a bad --set.
class UsageError : public Error {
  public:
    explicit UsageError(const std::string& message) : Error(exit_code::usage, message) {}
};

// An input was read but says something it must not: a damaged file, a missing column, an unknown key.
class DataError : public Error {
  public:
    explicit DataError(const std::string& message) : Error(exit_code::data, message) {}
};

// The operating system refused: no such file, no space left.
class IoError : public Error {
  public:
    explicit IoError(const std::string& message) : Error(exit_code::io, message) {}
};

class Interrupted : public Error {
  public:
    explicit Interrupted(const std::string& message) : Error(exit_code::interrupted, message) {}
};

// "cannot write a/b.parquet: No space left on device"; `error_number` is an errno.
IoError system_error(std::string_view action, std::string_view path, int error_number);

// What main returns for an exception: its own code, 74 if the file system refused, or 70 (internal).
int exit_code_for(const std::exception& error) noexcept;

}  // namespace hmmlt
