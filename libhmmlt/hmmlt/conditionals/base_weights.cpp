#include "hmmlt/conditionals/base_weights.hpp"

#include "hmmlt/random/dirichlet.hpp"

namespace hmmlt {

arma::vec base_weight_concentration(const arma::vec& base, double gamma) {
    return base + gamma / static_cast<double>(base.n_elem);
}

void sample_base_weights(const arma::vec& base, double gamma, arma::vec& log_beta, Stream& rng) {
    log_beta.set_size(base.n_elem);
    draw_log_dirichlet(base_weight_concentration(base, gamma), log_beta, rng);
}

}  // namespace hmmlt
