#include "hmmlt/diagnostics/scores.hpp"

#include "hmmlt/math/checks.hpp"

namespace hmmlt {

Scores score_bits(const arma::umat& truth, const arma::umat& found) {
    check_size("score_bits", "the rows of found", found.n_rows, truth.n_rows);
    check_size("score_bits", "the columns of found", found.n_cols, truth.n_cols);
    double both = 0.0;
    double only_found = 0.0;
    double only_truth = 0.0;
    for (arma::uword cell = 0; cell < truth.n_elem; ++cell) {
        if (truth(cell) != 0 && found(cell) != 0) both += 1.0;
        if (truth(cell) == 0 && found(cell) != 0) only_found += 1.0;
        if (truth(cell) != 0 && found(cell) == 0) only_truth += 1.0;
    }
    const auto share = [](double part, double whole) { return whole == 0.0 ? 1.0 : part / whole; };
    return {.precision = share(both, both + only_found),
            .recall = share(both, both + only_truth),
            .f1 = share(2.0 * both, 2.0 * both + only_found + only_truth),
            .accuracy = 1.0 - (only_found + only_truth) / static_cast<double>(truth.n_elem)};
}

}  // namespace hmmlt
