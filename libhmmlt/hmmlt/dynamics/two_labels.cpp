#include "hmmlt/dynamics/two_labels.hpp"

#include <algorithm>
#include <cmath>

#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

namespace {

constexpr double most_apart = -500.0;   // log likelihoods of the two labels, so that no message underflows
constexpr double never_drawn = 1e-250;  // so that products of probabilities do not either
constexpr double time_for_a_log = 1e-40;

}  // namespace

TwoLabelFilter::TwoLabelFilter(const PairSteps& steps, const PairTransitions& transitions,
                               std::span<const double> log_lik_0, std::span<const double> log_lik_1)
    : steps_(steps), transitions_(transitions) {
    const std::size_t n = steps.t.size();
    for (auto& message : message_) message.resize(n);
    for (std::size_t i = 0; i < n;
         ++i) {  // likelihoods, the larger one 1; a loop of its own, so that it is vector code
        const double apart = log_lik_1[i] - log_lik_0[i];
        message_[0][i] = vector_exp(std::max(std::min(-apart, 0.0), most_apart));
        message_[1][i] = vector_exp(std::max(std::min(apart, 0.0), most_apart));
    }
    const auto& within = transitions.within;
    for (std::size_t i = 0; i < n; ++i) {
        double now[2];
        for (int label = 0; label < 2; ++label) {
            now[label] = steps.before[i] == PairSteps::among_steps
                             ? message_[0][i - 1] * within[0][label] + message_[1][i - 1] * within[1][label]
                             : transitions.into.at(steps.before[i], static_cast<arma::uword>(label));
            if (steps.after[i] < steps.n_states)
                now[label] *= transitions.from.at(steps.after[i], static_cast<arma::uword>(label));
            now[label] *= message_[label][i];
        }
        const double scale = 1.0 / (now[0] + now[1]);
        message_[0][i] = now[0] * scale;
        message_[1][i] = now[1] * scale;
    }
}

template <typename Choose>
double TwoLabelFilter::backward(const Choose& choose) const {
    double log_sum = 0.0;
    double product = 1.0;
    std::size_t next = 0;
    for (std::size_t i = steps_.t.size(); i-- > 0;) {
        double weight[2] = {message_[0][i], message_[1][i]};
        if (steps_.after[i] == PairSteps::among_steps)
            for (int label = 0; label < 2; ++label) weight[label] *= transitions_.within[label][next];
        const double p = weight[1] / (weight[0] + weight[1]);
        next = choose(i, p);
        const double of_choice = next == 1 ? p : weight[0] / (weight[0] + weight[1]);
        if (!(of_choice > never_drawn)) return minus_infinity;
        product *= of_choice;
        if (product < time_for_a_log) {
            log_sum += std::log(product);
            product = 1.0;
        }
    }
    return log_sum + std::log(product);
}

double TwoLabelFilter::draw(Labels& labels, Stream& rng) const {
    labels.resize(steps_.t.size());
    return backward([&](std::size_t i, double p) { return labels[i] = draw_uniform(rng) < p ? 1 : 0; });
}

double TwoLabelFilter::log_probability(const Labels& labels) const {
    return backward([&](std::size_t i, double) { return labels[i]; });
}

}  // namespace hmmlt
