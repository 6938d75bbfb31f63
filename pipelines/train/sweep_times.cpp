#include "pipelines/train/sweep_times.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hmmlt {

namespace {

constexpr std::size_t fewest = 2;
constexpr std::size_t fewest_to_compare = 8;  // quarters of two
constexpr double short_seconds = 1;           // less than that, and others on the machine decide
constexpr double most_seconds = 60;
constexpr double same_share = 0.1;

}  // namespace

void SweepTimes::add(double seconds) {
    seconds_.push_back(seconds);
    sum_ += seconds;
}

double SweepTimes::later() const {
    const auto n = static_cast<std::ptrdiff_t>(n_later());
    return std::accumulate(seconds_.end() - n, seconds_.end(), 0.0) / static_cast<double>(n);
}

bool SweepTimes::has_settled() const {
    if (seconds_.size() < fewest_to_compare) return false;
    const auto quarter = static_cast<std::ptrdiff_t>(seconds_.size() / 4);
    const double before = std::accumulate(seconds_.end() - 2 * quarter, seconds_.end() - quarter, 0.0);
    const double after = std::accumulate(seconds_.end() - quarter, seconds_.end(), 0.0);
    return std::abs(after - before) <= same_share * std::max(before, after);
}

bool SweepTimes::is_enough() const {
    if (seconds_.size() < fewest) return false;
    return sum_ >= most_seconds || (sum_ >= short_seconds && has_settled());
}

double SweepTimes::total(std::size_t n_sweeps) const {
    if (n_sweeps <= seconds_.size())
        return std::accumulate(seconds_.begin(), seconds_.begin() + static_cast<std::ptrdiff_t>(n_sweeps), 0.0);
    return sum_ + static_cast<double>(n_sweeps - seconds_.size()) * later();
}

}  // namespace hmmlt
