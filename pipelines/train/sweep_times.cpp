#include "pipelines/train/sweep_times.hpp"

#include <algorithm>
#include <cmath>

namespace hmmlt {

namespace {

constexpr std::size_t fewest = 2;
constexpr std::size_t fewest_to_compare = 8;  // quarters of two
constexpr double short_seconds = 1;           // less than that, and others on the machine decide
constexpr double most_seconds = 60;
constexpr double same_share = 0.1;

}  // namespace

void SweepTimes::add(double seconds) {
    until_.push_back(until_.back() + seconds);
}

double SweepTimes::between(std::size_t first, std::size_t last) const {
    return until_[last] - until_[first];
}

double SweepTimes::later() const {
    return between(count() - n_later(), count()) / static_cast<double>(n_later());
}

bool SweepTimes::has_settled() const {
    if (count() < fewest_to_compare) return false;
    const std::size_t quarter = count() / 4;
    const double before = between(count() - 2 * quarter, count() - quarter);
    const double after = between(count() - quarter, count());
    return std::abs(after - before) <= same_share * std::max(before, after);
}

bool SweepTimes::is_enough() const {
    if (count() < fewest) return false;
    return until_.back() >= most_seconds || (until_.back() >= short_seconds && has_settled());
}

double SweepTimes::total(std::size_t n_sweeps) const {
    if (n_sweeps <= count()) return until_[n_sweeps];
    return until_.back() + static_cast<double>(n_sweeps - count()) * later();
}

}  // namespace hmmlt
