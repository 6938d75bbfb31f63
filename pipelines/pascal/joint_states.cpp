#include "pipelines/pascal/joint_states.hpp"

namespace hmmlt::pascal {

arma::uvec JointStates::number(const arma::umat& on) {
    arma::uvec z(on.n_cols);
    for (arma::uword t = 0; t < on.n_cols; ++t)
        z(t) = number_of_.try_emplace({on.begin_col(t), on.end_col(t)}, number_of_.size()).first->second;
    return z;
}

arma::umat JointStates::columns() const {
    arma::umat theta;
    for (const auto& [column, number] : number_of_) {
        if (theta.is_empty()) theta.set_size(column.size(), number_of_.size());
        theta.col(number) = arma::uvec(column);
    }
    return theta;
}

}  // namespace hmmlt::pascal
