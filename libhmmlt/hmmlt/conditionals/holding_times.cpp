#include "hmmlt/conditionals/holding_times.hpp"

#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/gamma.hpp"

namespace hmmlt {

void sample_holding_times(const arma::vec& departures, const arma::vec& log_total, arma::vec& log_u,
                          const BlockStreams& rng) {
    check_size("sample_holding_times", "log_total", log_total.n_elem, departures.n_elem);
    log_u.set_size(departures.n_elem);
    for (arma::uword from = 0; from < departures.n_elem; ++from) {
        Stream row = rng.item(from);
        log_u(from) =
            departures(from) == 0.0 ? minus_infinity : draw_log_gamma(departures(from), row) - log_total(from);
    }
}

arma::uvec departed_states(const arma::vec& log_u) {
    return arma::find(log_u.head(log_u.n_elem - 1) > minus_infinity);
}

}  // namespace hmmlt
