// Row sums in log space. Matrices are walked by columns, so all rows are summed at once.
#include "hmmlt/conditionals/total_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "hmmlt/math/log_space.hpp"

namespace hmmlt {

namespace {

std::string row_name(arma::uword row, arma::uword n_states) {
    return row == n_states ? fmt::format("row {} (the start row)", row) : fmt::format("row {}", row);
}

[[noreturn]] void refuse_bad_rate(const arma::mat& log_pi, const arma::mat& log_phi) {
    for_each_log_rate(log_pi, log_phi, [&](arma::uword from, arma::uword to, double log_rate) {
        if (!(log_rate < -minus_infinity))
            throw std::domain_error(
                fmt::format("log_largest_rates: log_pi + log_phi must be below infinity and not NaN, found {} in {}, "
                            "column {}",
                            log_rate, row_name(from, log_pi.n_cols), to));
    });
    throw std::logic_error("refuse_bad_rate: called without a bad rate");
}

}  // namespace

arma::vec log_largest_rates(const arma::mat& log_pi, const arma::mat& log_phi) {
    const arma::uword n_states = log_pi.n_cols;
    check_not_empty("log_largest_rates", "log_pi", n_states);
    check_size("log_largest_rates", "the rows of log_pi", log_pi.n_rows, n_states + 1);
    if (!log_phi.is_empty()) {
        check_size("log_largest_rates", "the rows of log_phi", log_phi.n_rows, n_states);
        check_size("log_largest_rates", "the columns of log_phi", log_phi.n_cols, n_states);
    }
    arma::vec largest(n_states + 1);
    largest.fill(minus_infinity);
    bool all_good = true;
    for_each_log_rate(log_pi, log_phi, [&](arma::uword from, arma::uword, double log_rate) {
        all_good &= log_rate < -minus_infinity;  // not NaN either
        largest[from] = log_rate > largest[from] ? log_rate : largest[from];
    });
    if (!all_good) refuse_bad_rate(log_pi, log_phi);
    for (arma::uword from = 0; from <= n_states; ++from)
        if (largest[from] == minus_infinity)
            throw std::domain_error(
                fmt::format("log_largest_rates: {} of log_pi + log_phi must have a finite entry, found only -inf",
                            row_name(from, n_states)));
    return largest;
}

arma::vec log_total_rates(const arma::mat& log_pi, const arma::mat& log_phi) {
    const arma::vec largest = log_largest_rates(log_pi, log_phi);
    arma::vec sum(largest.n_elem, arma::fill::zeros);
    for_each_log_rate(log_pi, log_phi, [&](arma::uword from, arma::uword, double log_rate) {
        sum[from] += vector_exp(log_rate - largest[from]);
    });
    return largest + arma::log(sum);
}

arma::mat scale_rows(const arma::mat& log_pi) {
    arma::vec largest = arma::max(log_pi, 1);
    largest.transform([](double value) { return value == minus_infinity ? 0.0 : value; });
    return log_pi.each_col() - largest;
}

}  // namespace hmmlt
