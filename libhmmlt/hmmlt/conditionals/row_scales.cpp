#include "hmmlt/conditionals/row_scales.hpp"

#include "hmmlt/conditionals/total_rates.hpp"
#include "hmmlt/random/gamma.hpp"

namespace hmmlt {

void sample_row_scales(const arma::mat& a, arma::mat& log_pi, const BlockStreams& rng) {
    const arma::vec shape = arma::sum(a, 1);
    arma::vec log_factor = -log_total_rates(log_pi, {});
    for (arma::uword from = 0; from < log_factor.n_elem; ++from) {
        Stream row = rng.item(from);
        log_factor[from] += draw_log_gamma(shape[from], row);
    }
    log_pi.each_col() += log_factor;
}

}  // namespace hmmlt
