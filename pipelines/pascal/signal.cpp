#include "pipelines/pascal/signal.hpp"

#include <algorithm>
#include <cmath>

namespace hmmlt::pascal {

std::vector<Point> down_sample(const std::vector<Segment>& segments, arma::uword step) {
    std::vector<Point> points;
    arma::uword begin = 0;        // of the segment, in samples of the conversation
    arma::uword next = step / 2;  // sample to take
    for (arma::uword segment = 0; segment < segments.size(); ++segment) {
        const arma::uword n_samples = segments[segment].n_samples;
        if (next >= begin + n_samples) points.push_back({segment, n_samples / 2});
        for (; next < begin + n_samples; next += step) points.push_back({segment, next - begin});
        begin += n_samples;
    }
    return points;
}

Scene record(const std::vector<std::vector<Segment>>& conversations, const Recipe& recipe, const SampleAt& sample_at) {
    std::vector<std::vector<Point>> points;
    for (const auto& segments : conversations) points.push_back(down_sample(segments, recipe.step));
    const auto shorter = [](const auto& a, const auto& b) { return a.size() < b.size(); };
    arma::uword n_steps = std::min_element(points.begin(), points.end(), shorter)->size();
    if (recipe.n_steps) n_steps = std::min(n_steps, *recipe.n_steps);

    Scene scene{arma::umat(recipe.n_dims(), n_steps, arma::fill::zeros),
                arma::mat(recipe.n_dims(), n_steps, arma::fill::zeros)};
    for (arma::uword conversation = 0; conversation < conversations.size(); ++conversation)
        for (arma::uword t = 0; t < n_steps; ++t) {
            const Point point = points[conversation][t];
            const Segment& segment = conversations[conversation][point.segment];
            if (!segment.speaker) continue;
            const arma::uword dim = conversation * recipe.n_speakers + *segment.speaker;
            const double sample = sample_at(dim, segment.sentence, point.offset);
            scene.on(dim, t) = 1;
            scene.signal(dim, t) = recipe.absolute ? std::abs(sample) : sample;
        }
    return scene;
}

void scale_signal(double mean, double sd, Scene& scene) {
    for (arma::uword dim = 0; dim < scene.on.n_rows; ++dim) {
        const arma::uvec on = arma::find(scene.on.row(dim));
        if (on.is_empty()) continue;
        const arma::rowvec row = scene.signal.row(dim);
        arma::vec values = row.elem(on);
        values -= arma::mean(values);
        const double spread = std::sqrt(arma::mean(arma::square(values)));
        values =
            spread > 0.0 ? arma::vec(mean + values * (sd / spread)) : arma::vec(on.n_elem, arma::fill::value(mean));
        for (arma::uword i = 0; i < on.n_elem; ++i) scene.signal(dim, on(i)) = values(i);
    }
}

}  // namespace hmmlt::pascal
