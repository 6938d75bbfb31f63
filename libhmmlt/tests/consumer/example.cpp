// Segments a made-up series of two channels with a sticky HDP-HMM and prints where the sampler is after each 50 sweeps.
#include <cstdio>
#include <hmmlt/model/generative.hpp>
#include <hmmlt/sampler/chain.hpp>

int main() {
    using namespace hmmlt;
    Model model;
    model.n_states = 20;                 // the weak limit
    model.gamma = GammaPrior{1.0, 0.1};  // shape, rate
    model.c = GammaPrior{1.0, 0.1};      // alpha + kappa
    model.rho = BetaPrior{1.0, 1.0};     // kappa / (alpha + kappa)
    model.emission = GaussianSpec{std::vector<NormalGammaLaw>(2, {.m = 0.0, .k = 0.01, .a = 2.0, .b = 2.0})};

    // data of our own: 2 channels x 300 steps; NaN would be a missing value
    Observations data{Sequences::of_lengths({300}), arma::mat(2, 300), {}};
    for (arma::uword t = 0; t < 300; ++t)
        data.y.col(t) = arma::vec{t / 50 % 2 == 0 ? 1.0 : -1.0, t / 75 % 2 == 0 ? 3.0 : 0.0};

    Chain chain(model, data, {.seed = 1, .chain = 0, .sampler = Sampler::blocked});
    chain.run(200, [](std::uint32_t sweep, const State& state, const SweepInfo& info) {
        if (sweep % 50 == 0)
            std::printf("sweep %u: log likelihood %.1f, %u states, rho %.2f\n", sweep, info.log_likelihood,
                        static_cast<unsigned>(info.n_used), state.rho);
    });
    return chain.state().z(0) == chain.state().z(20) ? 0 : 1;  // within one segment
}
