#include "hmmlt/sampler/split_merge.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "hmmlt/conditionals/state_pairs.hpp"
#include "hmmlt/dynamics/two_labels.hpp"
#include "hmmlt/emission/groups.hpp"
#include "hmmlt/math/log_rising.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/below.hpp"
#include "hmmlt/random/categorical.hpp"
#include "hmmlt/random/dirichlet.hpp"

namespace hmmlt {

namespace {

constexpr int n_launch_draws = 5;
constexpr double share_of_close_pairs = 0.7;
// Shapes below this make weights whose logarithms have no digits left for a difference. gamma does not move here, so
// that doing nothing is exact.
constexpr double smallest_top_shape = 1e-8;
// Transitions never seen, whose shape underflows, stay possible in a proposal.
constexpr double least_weight = 1e-12;

template <typename Spec>
concept HasGroups = requires(const Spec& spec, const Observations& observations) {
    groups_of(spec, observations);
};

double log_dirichlet_density(const std::vector<double>& shapes, const std::vector<double>& log_x, double log_total) {
    double sum = 0.0;
    double total = 0.0;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        sum += (shapes[i] - 1.0) * (log_x[i] - log_total) - fast_log_gamma(shapes[i]);
        total += shapes[i];
    }
    return sum + fast_log_gamma(total) - static_cast<double>(shapes.size() - 1) * log_total;
}

std::vector<double> draw_log_shares(const std::vector<double>& shapes, double log_total, Stream& rng) {
    std::vector<double> log_x(shapes.size(), 0.0);
    if (shapes.size() > 1) draw_log_dirichlet(shapes, log_x, rng);
    for (double& value : log_x) value += log_total;
    return log_x;
}

double log_of_sum(const std::vector<double>& logs) {
    return log_sum_exp(logs.size(), [&](std::size_t i) { return logs[i]; });
}

template <typename Groups>
class SplitsAndMerges {
  public:
    using Group = typename Groups::Group;

    SplitsAndMerges(const Groups& groups, const Observations& observations, double g, const SplitMergeRules& rules,
                    State& state)
        : groups_(groups),
          sequences_(observations.sequences),
          rules_(rules),
          n_states_(state.log_beta.n_elem),
          g_(g),
          c_(state.c),
          rho_(state.rho),
          z_(state.z),
          log_beta_(state.log_beta),
          group_(n_states_, groups.nothing()),
          size_(n_states_, arma::fill::zeros),
          log_marginal_(n_states_, arma::fill::zeros),
          gain_(n_states_, n_states_, arma::fill::zeros) {
        for (arma::uword t = 0; t < z_.n_elem; ++t) {
            groups_.add(t, group_[z_[t]]);
            ++size_[z_[t]];
        }
        for (arma::uword k = 0; k < n_states_; ++k) log_marginal_[k] = groups_.log_marginal_likelihood(group_[k]);
        list_states();
        for (const arma::uword j : used_)
            for (const arma::uword k : used_)
                if (j < k) set_gain(j, k, gain_of_joining(group_[j], log_marginal_[j], k));
    }

    bool split(Stream& rng);
    bool merge(Stream& rng);

  private:
    // What is different on the two sides of a move.
    struct Pair {
        Group group[2];
        double log_marginal[2];
        Group whole;
        double log_marginal_of_whole;
        double log_gain;              // of joining the two
        std::vector<double> gain[2];  // of joining either with each other used state, in the order of `others`
        std::vector<arma::uword> others;
        double log_weight;                   // that a merge picks it, of all pairs
        std::vector<double> log_beta_split;  // of the two; what is left, if any state is empty then
        std::vector<double> log_beta_whole;  // of the one; what is left
    };

    PairConditions conditions() const { return {g_, c_, rho_, log_beta_}; }
    void list_states();
    double gain_of_joining(const Group& group, double log_marginal, arma::uword other) const {
        return groups_.log_gain(group, group_[other], log_marginal + log_marginal_[other]);
    }
    void set_gain(arma::uword j, arma::uword k, double gain) { gain_.at(j, k) = gain_.at(k, j) = gain; }
    double log_left() const;
    double log_weight_of_pair(double gain, const std::vector<double>& half_gains) const;

    void mark_window(arma::uword anchor, arma::uword half_width, Group& group) const;
    void count_into_transitions(const PairCounts& counts, double log_share);
    TwoLabelFilter launch(arma::uword t0, arma::uword t1, double log_total, Stream& rng);
    std::vector<double> shapes_of_split(const PairCounts& counts, arma::uword n_empty) const;
    std::vector<double> shapes_of_whole(const PairCounts& counts, arma::uword n_empty) const;
    SplitRatio ratio(const Pair& pair, const PairCounts& counts, const PairCounts& whole, arma::uword n_empty_of_whole,
                     double n0, double n1, double log_probability_of_labels) const;
    void divide_what_is_left(double log_left, Stream& rng);

    const Groups& groups_;
    const Sequences& sequences_;
    const SplitMergeRules& rules_;
    const arma::uword n_states_;
    const double g_;
    const double c_;
    const double rho_;
    arma::uvec& z_;
    arma::vec& log_beta_;

    std::vector<Group> group_;  // of each state
    arma::uvec size_;
    arma::vec log_marginal_;
    arma::mat gain_;   // log M of two states together less those of each
    arma::vec shape_;  // alpha beta_k of used states
    std::vector<arma::uword> used_;
    std::vector<arma::uword> empty_;

    PairSteps steps_;
    Labels labels_;
    Labels launched_;
    PairCounts counts_;
    PairTransitions transitions_;
    std::vector<double> log_lik_[2];
};

template <typename Groups>
void SplitsAndMerges<Groups>::list_states() {
    used_.clear();
    empty_.clear();
    for (arma::uword k = 0; k < n_states_; ++k) (size_[k] > 0 ? used_ : empty_).push_back(k);
    shape_ = (1.0 - rho_) * c_ * arma::exp(log_beta_);
}

template <typename Groups>
double SplitsAndMerges<Groups>::log_left() const {
    return log_sum_exp(empty_.size(), [&](std::size_t i) { return log_beta_[empty_[i]]; });
}

// docs/model.md (135)
template <typename Groups>
double SplitsAndMerges<Groups>::log_weight_of_pair(double gain, const std::vector<double>& half_gains) const {
    const double among_close = std::exp(0.5 * gain - log_of_sum(half_gains));
    return std::log(share_of_close_pairs * among_close +
                    (1.0 - share_of_close_pairs) / static_cast<double>(half_gains.size()));
}

// The steps within a window about the anchor, in its sequence.
template <typename Groups>
void SplitsAndMerges<Groups>::mark_window(arma::uword anchor, arma::uword half_width, Group& group) const {
    const auto end = std::upper_bound(sequences_.first.begin(), sequences_.first.end(), anchor);
    const arma::uword first = std::max(*(end - 1), anchor - std::min(anchor, half_width));
    const arma::uword last = std::min(*end - 1, anchor + half_width);
    for (auto t = std::lower_bound(steps_.t.begin(), steps_.t.end(), first); t != steps_.t.end() && *t <= last; ++t)
        groups_.add(*t, group);
}

// Means of pi given the counts, with the same weight for both labels; of rows `into` the scale is left out.
template <typename Groups>
void SplitsAndMerges<Groups>::count_into_transitions(const PairCounts& counts, double log_share) {
    const double share = std::exp(log_share);
    const double alpha = (1.0 - rho_) * c_;
    transitions_.into = counts.into + alpha * share + least_weight;
    transitions_.into.row(n_states_) += (c_ - alpha) * share;
    transitions_.from = counts.from;
    for (arma::uword label = 0; label < 2; ++label) {
        const double scale = 1.0 / (c_ + counts.departures(label));
        for (arma::uword to = 0; to < n_states_; ++to)
            transitions_.from.at(to, label) = (counts.from.at(to, label) + shape_[to]) * scale + least_weight;
        for (arma::uword to = 0; to < 2; ++to)
            transitions_.within[label][to] =
                (counts.within[label][to] + alpha * share + (to == label ? rho_ * c_ : 0.0)) * scale + least_weight;
    }
}

// The last filter of docs/model.md (136). It depends on which steps are shared out, not on how they are now.
template <typename Groups>
TwoLabelFilter SplitsAndMerges<Groups>::launch(arma::uword t0, arma::uword t1, double log_total, Stream& rng) {
    const arma::uword half_width = rules_.half_width(used_.size(), rng);
    Group side[2] = {groups_.nothing(), groups_.nothing()};
    mark_window(t0, half_width, side[0]);
    mark_window(t1, half_width, side[1]);
    const double log_share = log_total - std::log(3.0);
    launched_.assign(steps_.t.size(), 0);
    count_pair(steps_, launched_, counts_);
    count_into_transitions(counts_, log_share);
    transitions_.into.col(1) = transitions_.into.col(0);
    transitions_.from.col(1) = transitions_.from.col(0);
    auto& within = transitions_.within;
    within[1][1] = within[0][0] *= 0.8;
    within[0][1] = within[1][0] = 0.25 * within[0][0];
    for (auto& log_lik : log_lik_) log_lik.resize(steps_.t.size());
    for (int i = 0;; ++i) {
        for (int label = 0; label < 2; ++label) groups_.log_predictive(side[label], steps_.t, log_lik_[label]);
        TwoLabelFilter filter(steps_, transitions_, log_lik_[0], log_lik_[1]);
        if (i == n_launch_draws) return filter;
        filter.draw(launched_, rng);
        for (Group& group : side) group = groups_.nothing();
        for (std::size_t m = 0; m < steps_.t.size(); ++m) groups_.add(steps_.t[m], side[launched_[m]]);
        count_pair(steps_, launched_, counts_);
        count_into_transitions(counts_, log_share);
    }
}

// docs/model.md (137): roughly the tables of a column
template <typename Groups>
std::vector<double> SplitsAndMerges<Groups>::shapes_of_split(const PairCounts& counts, arma::uword n_empty) const {
    std::vector<double> shapes{g_ + 0.5 + counts.rows_into(0), g_ + 0.5 + counts.rows_into(1)};
    if (n_empty > 0) shapes.push_back(static_cast<double>(n_empty) * g_);
    return shapes;
}

template <typename Groups>
std::vector<double> SplitsAndMerges<Groups>::shapes_of_whole(const PairCounts& whole, arma::uword n_empty) const {
    return {g_ + 0.5 + whole.rows_into(0), static_cast<double>(n_empty) * g_};
}

template <typename Groups>
SplitRatio SplitsAndMerges<Groups>::ratio(const Pair& pair, const PairCounts& counts, const PairCounts& whole,
                                          arma::uword n_empty_of_whole, double n0, double n1,
                                          double log_probability_of_labels) const {
    const arma::uword n_empty = n_empty_of_whole - 1;
    const auto& split = pair.log_beta_split;
    const auto& one = pair.log_beta_whole;
    const double log_total = log_of_sum(one);
    const double n_steps = static_cast<double>(z_.n_elem);
    SplitRatio ratio;
    ratio.law = pair.log_marginal[0] + pair.log_marginal[1] - pair.log_marginal_of_whole +
                log_density_of_transitions(counts, conditions(), {split[0], split[1]}) -
                log_density_of_transitions(whole, conditions(), {one[0], one[0]}) +
                log_density_of_weights(g_, n_empty, {split[0], split[1]}, n_empty > 0 ? split[2] : 0.0) -
                log_density_of_weights(g_, n_empty_of_whole, {one[0]}, one[1]);
    ratio.pair = pair.log_weight - std::log(2.0);  // in either order
    ratio.anchors = std::log(n_steps) + std::log(n0 + n1) - std::log(n0) - std::log(n1);
    ratio.state = std::log(static_cast<double>(n_empty_of_whole));
    ratio.labels = -log_probability_of_labels;
    ratio.weights = log_dirichlet_density(shapes_of_whole(whole, n_empty_of_whole), one, log_total) -
                    log_dirichlet_density(shapes_of_split(counts, n_empty), split, log_total);
    return ratio;
}

template <typename Groups>
void SplitsAndMerges<Groups>::divide_what_is_left(double log_left, Stream& rng) {
    const std::vector<double> log_x = draw_log_shares(std::vector<double>(empty_.size(), g_), log_left, rng);
    for (std::size_t i = 0; i < empty_.size(); ++i) log_beta_[empty_[i]] = log_x[i];
}

template <typename Groups>
bool SplitsAndMerges<Groups>::split(Stream& rng) {
    if (empty_.empty()) return false;
    const arma::uword t0 = draw_below(z_.n_elem, rng);
    const arma::uword j = z_[t0];
    collect_steps(z_, sequences_, n_states_, j, j, steps_);
    const arma::uword t1 = steps_.t[draw_below(steps_.t.size(), rng)];
    const arma::uword k = empty_[draw_below(empty_.size(), rng)];
    if (t1 == t0) return false;

    Pair pair;
    pair.log_beta_whole = {log_beta_[j], log_left()};
    const double log_total = log_of_sum(pair.log_beta_whole);
    const TwoLabelFilter filter = launch(t0, t1, log_total, rng);
    const double log_probability = filter.draw(labels_, rng);
    const auto label_at = [&](arma::uword t) {
        return labels_[static_cast<std::size_t>(std::lower_bound(steps_.t.begin(), steps_.t.end(), t) -
                                                steps_.t.begin())];
    };
    if (label_at(t0) != 0 || label_at(t1) != 1 || log_probability == minus_infinity) return false;

    count_pair(steps_, labels_, counts_);
    const PairCounts whole = joined(counts_);
    for (Group& group : pair.group) group = groups_.nothing();
    double n[2] = {0.0, 0.0};
    for (std::size_t m = 0; m < labels_.size(); ++m) {
        groups_.add(steps_.t[m], pair.group[labels_[m]]);
        n[labels_[m]] += 1.0;
    }
    for (int label = 0; label < 2; ++label)
        pair.log_marginal[label] = groups_.log_marginal_likelihood(pair.group[label]);
    pair.log_marginal_of_whole = log_marginal_[j];
    pair.log_gain = pair.log_marginal_of_whole - pair.log_marginal[0] - pair.log_marginal[1];
    std::vector<double> half_gains{0.5 * pair.log_gain};
    for (const arma::uword other : used_) {
        if (other == j) continue;
        for (const arma::uword another : used_)
            if (another != j && other < another) half_gains.push_back(0.5 * gain_.at(other, another));
        pair.others.push_back(other);
        for (int label = 0; label < 2; ++label) {
            pair.gain[label].push_back(gain_of_joining(pair.group[label], pair.log_marginal[label], other));
            half_gains.push_back(0.5 * pair.gain[label].back());
        }
    }
    pair.log_weight = log_weight_of_pair(pair.log_gain, half_gains);
    pair.log_beta_split = draw_log_shares(shapes_of_split(counts_, empty_.size() - 1), log_total, rng);
    const double log_ratio = rules_.log_ratio(ratio(pair, counts_, whole, empty_.size(), n[0], n[1], log_probability));
    if (!(std::log(draw_uniform(rng)) < log_ratio)) return false;

    const arma::uword state[2] = {j, k};
    for (std::size_t m = 0; m < labels_.size(); ++m) z_[steps_.t[m]] = state[labels_[m]];
    for (int label = 0; label < 2; ++label) {
        const arma::uword now = state[label];
        group_[now] = std::move(pair.group[label]);
        size_[now] = static_cast<arma::uword>(n[label]);
        log_marginal_[now] = pair.log_marginal[label];
        log_beta_[now] = pair.log_beta_split[static_cast<std::size_t>(label)];
        for (std::size_t i = 0; i < pair.others.size(); ++i) set_gain(now, pair.others[i], pair.gain[label][i]);
    }
    set_gain(j, k, pair.log_gain);
    list_states();
    if (!empty_.empty()) divide_what_is_left(pair.log_beta_split[2], rng);
    return true;
}

template <typename Groups>
bool SplitsAndMerges<Groups>::merge(Stream& rng) {
    if (used_.size() < 2) return false;
    std::vector<double> half_gains;
    std::vector<std::pair<arma::uword, arma::uword>> pairs;
    for (const arma::uword j : used_)
        for (const arma::uword k : used_)
            if (j < k) {
                half_gains.push_back(0.5 * gain_.at(j, k));
                pairs.emplace_back(j, k);
            }
    const bool close = draw_uniform(rng) < share_of_close_pairs;
    auto [j, k] = pairs[close ? draw_categorical_log(half_gains, rng) : draw_below(pairs.size(), rng)];
    if (draw_uniform(rng) < 0.5) std::swap(j, k);
    collect_steps(z_, sequences_, n_states_, j, k, steps_);
    labels_.resize(steps_.t.size());
    std::vector<arma::uword> of_label[2];
    for (std::size_t m = 0; m < labels_.size(); ++m) {
        labels_[m] = z_[steps_.t[m]] == k ? 1 : 0;
        of_label[labels_[m]].push_back(steps_.t[m]);
    }
    const arma::uword t0 = of_label[0][draw_below(of_label[0].size(), rng)];
    const arma::uword t1 = of_label[1][draw_below(of_label[1].size(), rng)];

    Pair pair;
    pair.log_beta_split = {log_beta_[j], log_beta_[k]};
    if (!empty_.empty()) pair.log_beta_split.push_back(log_left());
    const double log_total = log_of_sum(pair.log_beta_split);
    const TwoLabelFilter filter = launch(t0, t1, log_total, rng);
    const double log_probability = filter.log_probability(labels_);
    if (log_probability == minus_infinity) return false;

    count_pair(steps_, labels_, counts_);
    const PairCounts whole = joined(counts_);
    pair.log_marginal[0] = log_marginal_[j];
    pair.log_marginal[1] = log_marginal_[k];
    pair.log_marginal_of_whole = gain_.at(j, k) + log_marginal_[j] + log_marginal_[k];
    pair.log_weight = log_weight_of_pair(gain_.at(j, k), half_gains);
    pair.log_beta_whole = draw_log_shares(shapes_of_whole(whole, empty_.size() + 1), log_total, rng);
    const double log_ratio =
        -rules_.log_ratio(ratio(pair, counts_, whole, empty_.size() + 1, static_cast<double>(size_[j]),
                                static_cast<double>(size_[k]), log_probability));
    if (!(std::log(draw_uniform(rng)) < log_ratio)) return false;

    for (const arma::uword t : of_label[1]) z_[t] = j;
    group_[j] = groups_.joined(group_[j], group_[k]);
    group_[k] = groups_.nothing();
    size_[j] += size_[k];
    size_[k] = 0;
    log_marginal_[j] = groups_.log_marginal_likelihood(group_[j]);
    log_marginal_[k] = 0.0;
    log_beta_[j] = pair.log_beta_whole[0];
    list_states();
    for (const arma::uword other : used_)
        if (other != j) set_gain(j, other, gain_of_joining(group_[j], log_marginal_[j], other));
    divide_what_is_left(pair.log_beta_whole[1], rng);
    return true;
}

// 2^o - 1 + uniform on 0 .. 2^o - 1, o uniform on 0 .. 5
arma::uword draw_half_width(arma::uword, Stream& rng) {
    const std::size_t scale = std::size_t{1} << draw_below(6, rng);
    return scale - 1 + draw_below(scale, rng);
}

}  // namespace

bool has_splits_and_merges(const Model& model) {
    const bool has_groups = std::visit([]<typename Spec>(const Spec&) { return HasGroups<Spec>; }, model.emission);
    return has_groups && std::holds_alternative<ConstantSimilarity>(model.similarity) &&
           std::holds_alternative<MarkovDynamics>(model.dynamics);
}

const SplitMergeRules& split_merge_rules() {
    static const SplitMergeRules rules{draw_half_width, [](const SplitRatio& ratio) { return ratio.sum(); }};
    return rules;
}

SplitMergeCounts split_and_merge(const Model& model, const Observations& observations, arma::uword n_proposals,
                                 const SplitMergeRules& rules, State& state, const BlockStreams& rng) {
    SplitMergeCounts counts;
    const double g = state.gamma / static_cast<double>(model.n_states);
    if (g < smallest_top_shape || state.z.is_empty() || n_proposals == 0) return counts;
    std::visit(
        [&]<typename Spec>(const Spec& spec) {
            if constexpr (HasGroups<Spec>) {
                const auto groups = groups_of(spec, observations);
                SplitsAndMerges moves(groups, observations, g, rules, state);
                for (arma::uword i = 0; i < n_proposals; ++i) {
                    Stream stream = rng.item(i);
                    const bool is_split = draw_uniform(stream) < 0.5;
                    ++(is_split ? counts.splits : counts.merges);
                    if (is_split)
                        counts.splits_accepted += moves.split(stream);
                    else
                        counts.merges_accepted += moves.merge(stream);
                }
            }
        },
        model.emission);
    return counts;
}

}  // namespace hmmlt
