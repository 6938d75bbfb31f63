#include "pipelines/pascal/statistics.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "pipelines/pascal/joint_states.hpp"

namespace hmmlt::pascal {

PartyStatistics describe(const std::vector<std::vector<Segment>>& conversations, const Scene& scene,
                         const Recipe& recipe) {
    arma::running_stat<double> seconds;
    for (const auto& segments : conversations) {
        const std::vector<Point> points = down_sample(segments, recipe.step);
        const arma::uword n_begun = points.at(scene.on.n_cols - 1).segment + 1;
        for (arma::uword segment = 0; segment < n_begun; ++segment)
            if (segments[segment].speaker)
                seconds(static_cast<double>(segments[segment].n_samples) / recipe.sample_rate);
    }
    const arma::mat on = arma::conv_to<arma::mat>::from(scene.on);
    JointStates states;
    states.number(scene.on);
    const bool any = seconds.count() > 0;
    return {.n_steps = scene.on.n_cols,
            .n_turns = static_cast<arma::uword>(seconds.count()),
            .mean_sentence = any ? seconds.mean() : 0.0,
            .shortest_sentence = any ? seconds.min() : 0.0,
            .longest_sentence = any ? seconds.max() : 0.0,
            .on_fraction = arma::accu(on) / static_cast<double>(on.n_elem),
            .n_joint_states = states.columns().n_cols,
            .on_by_speaker = arma::conv_to<std::vector<double>>::from(arma::mean(on, 1))};
}

std::string statistics_json(const std::string& corpus, const std::vector<std::string>& speakers, const Recipe& recipe,
                            const PartyStatistics& train, const PartyStatistics& test) {
    nlohmann::ordered_json json{{"corpus", corpus}};
    for (const auto& [name, part] : {std::pair("train", &train), std::pair("test", &test)})
        json[name] = {
            {"n_steps", part->n_steps},
            {"n_turns", part->n_turns},
            {"sentence_seconds",
             {{"mean", part->mean_sentence}, {"min", part->shortest_sentence}, {"max", part->longest_sentence}}},
            {"on_fraction", part->on_fraction},
            {"n_joint_states", part->n_joint_states}};
    for (std::size_t dim = 0; dim < speakers.size(); ++dim)
        json["speakers"].push_back({{"dimension", dim},
                                    {"conversation", dim / recipe.n_speakers},
                                    {"name", speakers[dim]},
                                    {"on_fraction_train", train.on_by_speaker.at(dim)},
                                    {"on_fraction_test", test.on_by_speaker.at(dim)}});
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string summary(const PartyStatistics& statistics) {
    return fmt::format(
        "{} steps, {} sentences of {:.2f} s on average ({:.2f} to {:.2f} s), {:.1f} % on, {} joint states",
        statistics.n_steps, statistics.n_turns, statistics.mean_sentence, statistics.shortest_sentence,
        statistics.longest_sentence, 100.0 * statistics.on_fraction, statistics.n_joint_states);
}

}  // namespace hmmlt::pascal
