// One pass over the data each: cheap beside what an emission does with them.
#include "hmmlt/emission/checks.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "hmmlt/math/checks.hpp"

namespace hmmlt {

void check_states(std::string_view function, const Observations& observations, const arma::uvec& z,
                  arma::uword n_states) {
    check_size(function, "z", z.n_elem, observations.sequences.n_steps());
    for (const arma::uword state : z) check_below(function, "z", state, n_states);
}

void check_channels(std::string_view function, const Observations& observations, arma::uword n_channels) {
    check_size(function, "the rows of observations.y", observations.y.n_rows, n_channels);
    check_size(function, "the columns of observations.y", observations.y.n_cols, observations.sequences.n_steps());
    for (const double cell : observations.y)
        if (!std::isnan(cell)) check_finite(function, "observations.y", cell);
}

void check_symbols(std::string_view function, const Observations& observations, arma::uword n_symbols) {
    check_size(function, "observations.symbol", observations.symbol.n_elem, observations.sequences.n_steps());
    const auto bound = static_cast<arma::sword>(n_symbols);
    for (const arma::sword symbol : observations.symbol)
        if (symbol != no_symbol && (symbol < 0 || symbol >= bound))
            throw std::domain_error(fmt::format("{}: observations.symbol must be in 0..{} or {} (missing), found {}",
                                                function, bound - 1, no_symbol, symbol));
}

void check_bits(std::string_view function, const arma::umat& theta, arma::uword n_dims) {
    check_size(function, "the rows of theta", theta.n_rows, n_dims);
    for (const arma::uword bit : theta) check_below(function, "theta", bit, 2);
}

}  // namespace hmmlt
