#include "hmmlt/conditionals/row_scales.hpp"

#include "hmmlt/conditionals/total_rates.hpp"
#include "hmmlt/random/gamma.hpp"

namespace hmmlt {

void sample_row_scales(double c, arma::mat& log_pi, const BlockStreams& rng) {
    arma::vec log_factor = -log_total_rates(log_pi, {});
    for (arma::uword from = 0; from < log_factor.n_elem; ++from) {
        Stream row = rng.item(from);
        log_factor[from] += draw_log_gamma(c, row);
    }
    for (arma::uword to = 0; to < log_pi.n_cols; ++to) {
        double* const rate = log_pi.colptr(to);
        for (arma::uword from = 0; from < log_pi.n_rows; ++from) rate[from] += log_factor[from];
    }
}

}  // namespace hmmlt
