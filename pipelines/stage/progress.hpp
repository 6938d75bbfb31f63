// Progress of long work on stderr: a bar that is redrawn on a terminal, a line every half minute elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace hmmlt {

class Progress {
  public:
    using Clock = std::chrono::steady_clock;  // a jump of the wall clock changes nothing

    // `what` names the work ("cocktail chain 0"), `unit` what is counted ("sweep"); work resumed begins at `done`.
    Progress(std::string what, std::string unit, std::uint64_t total, std::uint64_t done = 0);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // Whether it is time to show something: building `details` costs more than asking.
    bool is_due(std::uint64_t done) const;
    void show(std::uint64_t done, const std::string& details = "");

  private:
    std::string what_;
    std::string unit_;
    std::uint64_t total_;
    std::uint64_t first_;
    bool terminal_;
    Clock::time_point started_;
    Clock::time_point shown_;
    bool bar_is_open_ = false;
};

// 75 -> "1 min 15 s", 7300 -> "2 h 01 min".
std::string duration_text(double seconds);

// Three digits that a person reads at a glance: 0.0123, 2.46, 2130; never an exponent.
std::string number_text(double value);

// "1 sweep", "2 sweeps".
std::string count_text(std::uint64_t n, const std::string& noun);

}  // namespace hmmlt
