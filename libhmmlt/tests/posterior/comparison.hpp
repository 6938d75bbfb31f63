// Two log densities of one variable side by side: the law that the library gives to it, and the joint density.
#pragma once

#include <functional>
#include <vector>

#include "hmmlt/random/block_streams.hpp"
#include "posterior/augmented_joint.hpp"

namespace hmmlt::testing {

// Two log densities of one variable are the same law if all their differences agree. Errors are relative to the largest
// number that entered, where it is above 1: nothing better than rounding of the joint can be expected.
class Comparison {
  public:
    // law(i), joint(i): the log densities at the i-th value of the variable; -infinity is an impossible value.
    void ratios(std::size_t n, const std::function<double(std::size_t)>& law,
                const std::function<double(std::size_t)>& joint);
    // A derivative of the law against a difference quotient of joint(shift) around 0.
    void slope(double law, const std::function<double(double)>& joint, double step);
    void equal(double found, double expected);

    std::size_t n_checked() const { return n_checked_; }
    double largest_error() const { return largest_error_; }              // of ratios and equal values
    double largest_slope_error() const { return largest_slope_error_; }  // relative, above 1

  private:
    std::size_t n_checked_ = 0;
    double largest_error_ = 0.0;
    double largest_slope_error_ = 0.0;
};

// Puts each value into a copy of the point and asks for the joint density there.
template <typename Value, typename Put, typename Law, typename Joint>
void compare(const AugmentedPoint& point, const std::vector<Value>& values, const Put& put, const Law& law,
             const Joint& joint, Comparison& comparison) {
    comparison.ratios(
        values.size(), [&](std::size_t i) { return law(values[i]); },
        [&](std::size_t i) {
            AugmentedPoint moved = point;
            put(moved, values[i]);
            return joint(moved);
        });
}

// The draw of a conditional is a draw of its law from the same stream.
template <typename Found, typename Expected>
void compare_draws(const Found& found, const Expected& expected, Comparison& comparison) {
    Stream of_conditional({.seed = 1});
    Stream of_law({.seed = 1});
    comparison.equal(found(of_conditional), expected(of_law));
}

constexpr std::size_t n_values = 5;  // of a continuous variable, in one comparison

std::vector<double> positive_values(Stream& rng);
std::vector<double> values_between_0_and_1(Stream& rng);
// The centre and random neighbours of it.
std::vector<arma::mat> values_around(const arma::mat& centre, Stream& rng);

}  // namespace hmmlt::testing
