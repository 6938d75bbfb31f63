// Small factorial HMMs whose joint paths can all be listed.
#pragma once

#include <armadillo>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "hmmlt/dynamics/sequences.hpp"
#include "hmmlt/random/normal.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt::testing {

inline const double missing = std::numeric_limits<double>::quiet_NaN();

struct FactorialCase {
    arma::cube log_pi;
    arma::mat weights;
    arma::vec h;
    arma::mat y;
    Sequences sequences;

    arma::uword n_dims() const { return log_pi.n_slices; }
};

inline FactorialCase make_factorial_case(arma::uword n_dims, arma::uword n_channels,
                                         const std::vector<arma::uword>& lengths, std::uint64_t seed) {
    Stream rng({.seed = seed});
    const auto normal = [&](double sd) { return [&rng, sd](double& x) { x = draw_normal(0.0, sd, rng); }; };
    FactorialCase model{arma::cube(3, 2, n_dims),
                        arma::mat(n_dims + 1, n_channels),
                        arma::vec(n_channels),
                        {},
                        Sequences::of_lengths(lengths)};
    model.y.set_size(n_channels, model.sequences.n_steps());
    model.log_pi.for_each(normal(1.0));
    model.weights.for_each(normal(1.0));
    model.h.for_each([&](double& h) { h = 0.5 + draw_uniform(rng); });
    model.y.for_each(normal(1.5));
    return model;
}

// A twelfth of the cells, and one step altogether.
inline void lose_cells(FactorialCase& model, std::uint64_t seed) {
    Stream rng({.seed = seed});
    model.y.for_each([&](double& y) { y = draw_uniform(rng) < 1.0 / 12.0 ? missing : y; });
    model.y.col(1).fill(missing);
}

inline double log_normal_density(double y, double mean, double precision) {
    return 0.5 * std::log(precision / (2.0 * std::numbers::pi)) - 0.5 * precision * (y - mean) * (y - mean);
}

// log p(y_t | bits of a joint state), over observed cells.
inline double log_emission(const FactorialCase& model, arma::uword step, arma::uword joint) {
    double total = 0.0;
    for (arma::uword i = 0; i < model.y.n_rows; ++i) {
        if (std::isnan(model.y(i, step))) continue;
        double mean = model.weights(0, i);
        for (arma::uword d = 0; d < model.n_dims(); ++d)
            if (joint >> d & 1) mean += model.weights(d + 1, i);
        total += log_normal_density(model.y(i, step), mean, model.h(i));
    }
    return total;
}

// A of the product space, 2^D + 1 rows, the start row last.
inline arma::mat joint_transition(const FactorialCase& model) {
    const arma::uword n_joint = arma::uword{1} << model.n_dims();
    arma::mat a(n_joint + 1, n_joint, arma::fill::ones);
    for (arma::uword from = 0; from <= n_joint; ++from)
        for (arma::uword to = 0; to < n_joint; ++to)
            for (arma::uword d = 0; d < model.n_dims(); ++d) {
                const arma::uword row = from == n_joint ? 2 : (from >> d & 1);
                const arma::rowvec rates = arma::exp(model.log_pi.slice(d).row(row));
                a(from, to) *= rates(to >> d & 1) / arma::accu(rates);
            }
    return a;
}

// log p(y) of the sequence by a plain forward pass over 2^D states, 4^D work per step.
inline double dense_log_likelihood(const FactorialCase& model, arma::uword sequence) {
    const arma::mat a = joint_transition(model);
    arma::rowvec message;
    double total = 0.0;
    for (arma::uword step = model.sequences.first[sequence]; step < model.sequences.first[sequence + 1]; ++step) {
        message = message.is_empty() ? arma::rowvec(a.tail_rows(1)) : arma::rowvec(message * a.head_rows(a.n_cols));
        for (arma::uword s = 0; s < a.n_cols; ++s) message(s) *= std::exp(log_emission(model, step, s));
        total += std::log(arma::accu(message));
        message /= arma::accu(message);
    }
    return total;
}

// p(path, y) of every joint path of a sequence; digit t, in base 2^D, of the index of a path is its joint state at t.
inline arma::vec path_weights(const FactorialCase& model, arma::uword sequence) {
    const arma::mat a = joint_transition(model);
    const arma::uword n_joint = a.n_cols, n_steps = model.sequences.length(sequence);
    arma::uword n_paths = 1;
    for (arma::uword t = 0; t < n_steps; ++t) n_paths *= n_joint;
    arma::vec weights(n_paths);
    for (arma::uword path = 0; path < n_paths; ++path) {
        double log_weight = 0.0;
        arma::uword from = n_joint, rest = path;
        for (arma::uword t = 0; t < n_steps; ++t, rest /= n_joint) {
            const arma::uword to = rest % n_joint;
            log_weight += std::log(a(from, to)) + log_emission(model, model.sequences.first[sequence] + t, to);
            from = to;
        }
        weights(path) = std::exp(log_weight);
    }
    return weights;
}

inline arma::uword bit_of_path(arma::uword path, arma::uword n_dims, arma::uword step, arma::uword dim) {
    return path >> (n_dims * step + dim) & 1;
}

}  // namespace hmmlt::testing
