// The portable build gives the same bytes on every x86-64-v3 machine: a digest of every kind of draw, of synthetic data
// and of a Parquet file, against committed values. A change here is a change of results for every user;
// CONTRIBUTING.md says where to tell them.
#include <doctest/doctest.h>

#include <armadillo>
#include <array>
#include <bit>
#include <cmath>
#include <fstream>
#include <span>
#include <vector>

#include "hmmlt/io/data_tables.hpp"
#include "hmmlt/io/hash.hpp"
#include "hmmlt/io/table_file.hpp"
#include "hmmlt/model/generative.hpp"
#include "hmmlt/random/adaptive_rejection.hpp"
#include "hmmlt/random/beta.hpp"
#include "hmmlt/random/binomial.hpp"
#include "hmmlt/random/categorical.hpp"
#include "hmmlt/random/crt.hpp"
#include "hmmlt/random/dirichlet.hpp"
#include "hmmlt/random/gamma.hpp"
#include "hmmlt/random/normal.hpp"
#include "hmmlt/random/poisson.hpp"
#include "hmmlt/random/uniform.hpp"
#include "hmmlt/sampler/chain.hpp"
#include "io/scratch_directory.hpp"

using namespace hmmlt;

namespace {

class Digest {
  public:
    void add(double value) {
        const auto bytes = std::bit_cast<std::array<std::byte, sizeof value>>(value);
        hash_.update(bytes);
    }
    void add(std::span<const double> values) {
        for (const double value : values) add(value);
    }
    std::string hex() { return hash_.hex(); }

  private:
    Sha256 hash_;
};

}  // namespace

TEST_CASE("golden: continuous draws") {
    Digest digest;
    Stream rng({.seed = 2017, .chain = 1, .sweep = 2, .block = 3, .item = 4});
    std::vector<double> weights(7);
    for (int i = 0; i < 2000; ++i) {
        digest.add(draw_uniform(rng));
        digest.add(draw_standard_normal(rng));
        for (const double shape : {1e-10, 0.3, 1.0, 42.0, 1e9}) digest.add(draw_log_gamma(shape, rng));
        digest.add(draw_gamma(2.5, 0.1, rng));
        digest.add(draw_beta(0.5, 3.0, rng));
        draw_log_dirichlet(std::vector<double>{0.01, 0.1, 1.0, 2.0, 3.0, 40.0, 500.0}, weights, rng);
        digest.add(weights);
        digest.add(draw_log_concave(
            [](double x) {
                return LogDensity{2.0 * std::log(x) - x, 2.0 / x - 1.0};
            },
            {.lower = 0.0}, 1.0, rng));
    }
    CHECK(digest.hex() == "e93cd41516c617400823bc7d632d7d269b7c846032618960aed7811b457e0582");
}

TEST_CASE("golden: discrete draws") {
    Digest digest;
    Stream rng({.seed = 2017, .item = 5});
    std::vector<CellCount> cells;
    for (int i = 0; i < 2000; ++i) {
        for (const double mean : {0.01, 3.0, 1000.0, 1e10, 1e15}) digest.add(draw_poisson(mean, rng));
        for (const std::uint64_t n : {5ul, 1000ul}) digest.add(static_cast<double>(draw_binomial(n, 0.3, rng)));
        for (const double n : {10.0, 1e4, 1e18}) digest.add(static_cast<double>(draw_crt(n, 1.5, rng)));
        digest.add(static_cast<double>(draw_categorical(std::vector<double>{1.0, 2.0, 3.0}, rng)));
        draw_poisson_row(std::vector<double>{0.1, 0.0, 0.3, 0.2}, cells, rng);
        for (const CellCount& cell : cells) digest.add(cell.count + 10.0 * cell.index);
    }
    CHECK(digest.hex() == "6fee136774b8a343b11c624f7b4ea4132eca45bb8b3b63725d5de8c42be08635");
}

TEST_CASE("golden: synthetic data, its Parquet file, and a chain of each sampler on it") {
    Model model;
    model.n_states = 50;
    model.gamma = GammaPrior{5.0, 1.0};
    model.c = GammaPrior{3.0, 1.0};
    model.rho = BetaPrior{1.0, 3.0};
    model.similarity = LaplacianSimilarity{ExponentialPrior{1.0}};
    model.locations = BinaryLocations{8, {}};
    model.emission = LinearGaussianSpec{std::vector<GammaPrior>(3, {3.0, 2.0}), LearnedWeights::isotropic(8, 1.0)};
    State state = draw_parameters(model, {.seed = 2017});
    Observations observations{Sequences::of_lengths({300, 200}), {}, {}};
    draw_states(observations.sequences, state, {.seed = 2017});
    draw_data(state, observations, {.seed = 2017});
    Digest digest;
    digest.add(std::span<const double>(observations.y.memptr(), observations.y.n_elem));
    CHECK(digest.hex() == "6969b5265fe5ed3a2a99f4118220451ef984ab9da775fb902ec8112cc4e3254a");

    const Provenance provenance{.config = "",
                                .seed = 2017,
                                .inputs = {},
                                .executable_sha256 = "",
                                .instruction_set = "",
                                .blas = {},
                                .arguments = {}};
    const testing::ScratchDirectory scratch;
    const auto path = scratch.path() / "observations.parquet";
    write_table(path, observations_schema(), observations_table(observations), provenance);
    CHECK(sha256_of_file(path) == "1b6ff0d9bb13d7b6e179556cd2e382a2ba6fd707d13ed71dddf7903868f0d426");

    for (const auto& [sampler, expected] :
         {std::pair{Sampler::single, "97d90b08a9c7dd35a421c5cb4ce39460d178247ae914a131d7ed29fa53a6fcc8"},
          std::pair{Sampler::blocked, "2f987f58963fbc10440856ead16f63a108a216782282d383a38ef5a56a69f5d4"}}) {
        Chain chain(model, observations, {.seed = 2017, .chain = 3, .sampler = sampler});
        Digest trace;
        chain.run(20, [&](std::uint32_t, const State& now, const SweepInfo& info) {
            for (const double value : {now.gamma, now.c, now.rho, now.lambda, info.log_likelihood}) trace.add(value);
        });
        CHECK(trace.hex() == std::string(expected));
    }
}
