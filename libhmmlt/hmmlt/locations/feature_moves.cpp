#include "hmmlt/locations/feature_moves.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/random/below.hpp"

namespace hmmlt {

namespace {

// Nothing changes by a feature that no state has.
bool changes_nothing(const FeatureMove& move, const arma::umat& theta) {
    return move.other != move.dim && !arma::any(theta.row(move.other));
}

}  // namespace

void apply_move(const FeatureMove& move, arma::umat& theta) {
    check_below("apply_move", "move.dim", move.dim, theta.n_rows);
    check_below("apply_move", "move.other", move.other, theta.n_rows);
    for (arma::uword j = 0; j < theta.n_cols; ++j)
        theta.at(move.dim, j) ^= move.other == move.dim ? 1u : theta.at(move.other, j);
}

void move_features(const std::function<double(const arma::umat&)>& log_density, arma::umat& theta,
                   const BlockStreams& rng) {
    const auto density = [&](const arma::umat& bits) {
        const double value = log_density(bits);
        if (std::isnan(value)) throw std::domain_error("move_features: log_density must be a number, found nan");
        return value;
    };
    const arma::uword n_dims = theta.n_rows;
    if (n_dims == 0) return;
    double current = density(theta);
    for (arma::uword i = 0; i < std::min(n_dims, most_feature_moves); ++i) {
        Stream stream = rng.item(i);
        const FeatureMove move{draw_below(n_dims, stream), draw_below(n_dims, stream)};
        if (changes_nothing(move, theta)) continue;
        apply_move(move, theta);
        const double proposed = density(theta);
        if (std::log(draw_uniform(stream)) < proposed - current)
            current = proposed;
        else
            apply_move(move, theta);
    }
}

}  // namespace hmmlt
