#include "hmmlt/conditionals/row_scales.hpp"

#include <algorithm>

#include "hmmlt/conditionals/rates.hpp"
#include "hmmlt/conditionals/total_rates.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/gamma.hpp"

namespace hmmlt {

namespace {

void scale_rows_by(const arma::vec& log_factor, arma::mat& log_pi) {
    for (arma::uword to = 0; to < log_pi.n_cols; ++to) {
        double* const rate = log_pi.colptr(to);
        for (arma::uword from = 0; from < log_pi.n_rows; ++from) rate[from] += log_factor[from];
    }
}

}  // namespace

void sample_row_scales(double c, arma::mat& log_pi, const BlockStreams& rng) {
    arma::vec log_factor = -log_total_rates(log_pi, {});
    for (arma::uword from = 0; from < log_factor.n_elem; ++from) {
        Stream row = rng.item(from);
        log_factor[from] += draw_log_gamma(c, row);
    }
    scale_rows_by(log_factor, log_pi);
}

void sample_scales_of_jumps(const arma::mat& a, arma::mat& log_pi, const BlockStreams& rng) {
    const arma::uword n_states = log_pi.n_cols;
    const arma::vec shape = shapes_of_jumps(a);
    log_pi.diag().fill(minus_infinity);
    arma::vec log_factor = -log_total_rates(log_pi, {});
    arma::vec diagonal(n_states, arma::fill::value(minus_infinity));
    for (arma::uword from = 0; from <= n_states; ++from) {
        Stream row = rng.item(from);
        log_factor[from] += draw_log_gamma(std::max(shape[from], smallest_shape_of_jumps), row);
        if (from < n_states && a.at(from, from) >= smallest_gamma_shape)
            diagonal[from] = draw_log_gamma(a.at(from, from), row);
    }
    scale_rows_by(log_factor, log_pi);
    log_pi.diag() = diagonal;
}

}  // namespace hmmlt
