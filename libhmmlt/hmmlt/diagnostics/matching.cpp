#include "hmmlt/diagnostics/matching.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "hmmlt/math/checks.hpp"

namespace hmmlt {

namespace {

// Rows are given a column one after the other. Prices of rows and columns keep every cost(row, column) - prices at 0 or
// above, and at 0 where a row has its column; a new row takes the cheapest path over rows that may change theirs.
class Assignment {
  public:
    explicit Assignment(const arma::mat& cost)
        : cost_(cost), n_(cost.n_rows), row_price_(n_, 0.0), column_price_(n_ + 1, 0.0), row_of_(n_ + 1, n_) {}

    void add(arma::uword row) {
        std::vector<double> distance(n_, std::numeric_limits<double>::infinity());
        std::vector<arma::uword> before(n_, n_);  // the column that a path came from
        std::vector<bool> reached(n_ + 1, false);
        arma::uword column = n_;  // not a real one: where the path begins
        row_of_[column] = row;
        while (row_of_[column] != n_) {
            reached[column] = true;
            const arma::uword next = nearest(column, reached, distance, before);
            const double step = distance[next];
            for (arma::uword c = 0; c <= n_; ++c) {
                if (reached[c]) {
                    row_price_[row_of_[c]] += step;
                    column_price_[c] -= step;
                } else {
                    distance[c] -= step;
                }
            }
            column = next;
        }
        for (; column != n_; column = before[column]) row_of_[column] = row_of_[before[column]];
        row_of_[n_] = n_;
    }

    arma::uvec column_of_rows() const {
        arma::uvec columns(n_);
        for (arma::uword column = 0; column < n_; ++column) columns[row_of_[column]] = column;
        return columns;
    }

  private:
    // The nearest column that no path has reached, now that one has reached `column`.
    arma::uword nearest(arma::uword column, const std::vector<bool>& reached, std::vector<double>& distance,
                        std::vector<arma::uword>& before) const {
        const arma::uword row = row_of_[column];
        arma::uword best = n_;
        for (arma::uword c = 0; c < n_; ++c) {
            if (reached[c]) continue;
            const double reduced = cost_.at(row, c) - row_price_[row] - column_price_[c];
            if (reduced < distance[c]) {
                distance[c] = reduced;
                before[c] = column;
            }
            if (best == n_ || distance[c] < distance[best]) best = c;
        }
        return best;
    }

    const arma::mat& cost_;
    arma::uword n_;
    std::vector<double> row_price_;
    std::vector<double> column_price_;
    std::vector<arma::uword> row_of_;  // of each column; n_ where it has none
};

arma::umat padded(const arma::umat& bits, arma::uword n_rows) {
    arma::umat all(n_rows, bits.n_cols, arma::fill::zeros);
    all.head_rows(bits.n_rows) = bits;
    return all;
}

double differences(const arma::umat& truth, arma::uword d, const arma::umat& found, arma::uword e) {
    double count = 0.0;
    for (arma::uword t = 0; t < truth.n_cols; ++t) count += (truth.at(d, t) != 0) != (found.at(e, t) != 0) ? 1.0 : 0.0;
    return count;
}

}  // namespace

arma::uvec cheapest_assignment(const arma::mat& cost) {
    check_size("cheapest_assignment", "the columns of cost", cost.n_cols, cost.n_rows);
    for (const double value : cost) check_finite("cheapest_assignment", "cost", value);
    Assignment assignment(cost);
    for (arma::uword row = 0; row < cost.n_rows; ++row) assignment.add(row);
    return assignment.column_of_rows();
}

MatchedBits match_features(const arma::umat& truth, const arma::umat& found) {
    check_size("match_features", "the columns of found", found.n_cols, truth.n_cols);
    const arma::uword n = std::max(truth.n_rows, found.n_rows);
    const auto n_steps = static_cast<double>(truth.n_cols);
    MatchedBits matched{padded(truth, n), arma::umat(n, truth.n_cols), 0};
    const arma::umat features = padded(found, n);
    arma::mat different(n, n);
    for (arma::uword d = 0; d < n; ++d)
        for (arma::uword e = 0; e < n; ++e) different(d, e) = differences(matched.truth, d, features, e);
    // one that is not there cannot be turned over
    const auto turns = [&](arma::uword d, arma::uword e) {
        return e < found.n_rows && n_steps - different(d, e) < different(d, e);
    };
    arma::mat cost = different;
    for (arma::uword d = 0; d < n; ++d)
        for (arma::uword e = 0; e < n; ++e)
            if (turns(d, e)) cost(d, e) = n_steps - different(d, e);
    const arma::uvec partner = cheapest_assignment(cost);
    for (arma::uword d = 0; d < n; ++d) {
        const bool turned = turns(d, partner[d]);
        matched.n_turned += turned ? 1 : 0;
        for (arma::uword t = 0; t < truth.n_cols; ++t)
            matched.found.at(d, t) = (features.at(partner[d], t) != 0) != turned ? 1 : 0;
    }
    return matched;
}

}  // namespace hmmlt
