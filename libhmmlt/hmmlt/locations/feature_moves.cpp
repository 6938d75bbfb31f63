#include "hmmlt/locations/feature_moves.hpp"

#include <algorithm>
#include <cmath>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

namespace {

arma::uword draw_index(arma::uword n, Stream& rng) {
    return static_cast<arma::uword>(draw_uniform(rng) * static_cast<double>(n));
}

}  // namespace

void apply(const FeatureMove& move, arma::umat& theta) {
    check_below("apply", "move.dim", move.dim, theta.n_rows);
    check_below("apply", "move.other", move.other, theta.n_rows);
    for (arma::uword j = 0; j < theta.n_cols; ++j)
        theta.at(move.dim, j) ^= move.other == move.dim ? 1u : theta.at(move.other, j);
}

arma::uword move_features(const std::function<double(const arma::umat&)>& log_density, arma::umat& theta,
                          const BlockStreams& rng) {
    const arma::uword n_dims = theta.n_rows;
    if (n_dims == 0) return 0;
    arma::uword n_accepted = 0;
    double current = log_density(theta);
    for (arma::uword i = 0; i < std::min(n_dims, most_feature_moves); ++i) {
        Stream stream = rng.item(i);
        const FeatureMove move{draw_index(n_dims, stream), draw_index(n_dims, stream)};
        apply(move, theta);
        const double proposed = log_density(theta);
        if (std::log(draw_uniform(stream)) < proposed - current) {
            current = proposed;
            ++n_accepted;
        } else {
            apply(move, theta);
        }
    }
    return n_accepted;
}

}  // namespace hmmlt
