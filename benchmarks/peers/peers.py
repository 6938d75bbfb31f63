"""Times one other program on the shapes of hmmlt-bench; prints one JSON line per figure. Runs in the peers' environment.

Example: build/peers/bin/python benchmarks/peers/peers.py hmmlearn
"""

import json
import sys
import time

import numpy as np

# (text as in bench.parquet, T, J); a party has 12 channels
PARTIES = [("T=2000 J=600 live", 2000, 600), ("T=2000 J=200 live", 2000, 200)]
CHANNELS = 12
CHORALES, CHORALE_STATES, SYMBOLS, TOKENS = "chorales J=200 live", 200, 3308, 18818


def chorale_lengths() -> np.ndarray:
    """The same lengths as in benchmarks/problems.cpp."""
    lengths = np.array([40 + 216 * s**3 // 199**3 for s in range(200)])
    missing = TOKENS - lengths.sum()
    lengths[len(lengths) - missing :] += 1
    assert lengths.sum() == TOKENS
    return lengths


def seconds(work) -> float:
    """The best of three times (fewer if they take long), after one that compiles whatever is compiled."""
    work()
    found = []
    while len(found) < 3 and sum(found) < 10:
        started = time.perf_counter()
        work()
        found.append(time.perf_counter() - started)
    return min(found)


def report(short: str, shape: str, figure: float, does: str, leaves_out: str) -> None:
    print(json.dumps({"short": short, "shape": shape, "seconds": figure, "does": does, "leaves_out": leaves_out}), flush=True)


def random_rows(rng, n: int, m: int) -> np.ndarray:
    rows = rng.gamma(1.0, size=(n, m))
    return rows / rows.sum(axis=1, keepdims=True)


def time_hmmlearn() -> None:
    import logging
    import warnings

    from hmmlearn import hmm

    warnings.simplefilter("ignore")
    logging.getLogger("hmmlearn").setLevel(logging.ERROR)  # one pass does not converge, and need not
    rng = np.random.default_rng(1)
    does = "one EM pass: forward-backward and the update of all parameters, scaled, in double"
    leaves_out = "priors, sampling, concentrations, locations, similarity"
    for shape, steps, states in PARTIES:
        y = rng.normal(size=(steps, CHANNELS))

        def fit():
            model = hmm.GaussianHMM(states, covariance_type="diag", n_iter=1, init_params="", implementation="scaling")
            model.startprob_ = np.full(states, 1 / states)
            model.transmat_ = transition
            model.means_ = means
            model.covars_ = np.ones((states, CHANNELS))
            model.fit(y)

        transition, means = random_rows(rng, states, states), rng.normal(size=(states, CHANNELS))
        report("EM pass", shape, seconds(fit), does + "; a mean and a variance per state and channel", leaves_out)
    lengths = chorale_lengths()
    tokens = rng.integers(SYMBOLS, size=(TOKENS, 1))
    transition, emission = random_rows(rng, CHORALE_STATES, CHORALE_STATES), random_rows(rng, CHORALE_STATES, SYMBOLS)

    def fit_chorales():
        model = hmm.CategoricalHMM(CHORALE_STATES, n_iter=1, init_params="", implementation="scaling", n_features=SYMBOLS)
        model.startprob_ = np.full(CHORALE_STATES, 1 / CHORALE_STATES)
        model.transmat_, model.emissionprob_ = transition, emission
        model.fit(tokens, lengths)

    report("EM pass", CHORALES, seconds(fit_chorales), does, leaves_out)


def padded_likelihoods(rng, lengths: np.ndarray, states: int) -> tuple[np.ndarray, np.ndarray]:
    """Log likelihoods of all sequences, as long as the longest one, 0 where there is nothing; and where there is."""
    mask = np.arange(lengths.max()) < lengths[:, None]
    return np.where(mask[:, :, None], rng.normal(size=(*mask.shape, states)), 0.0).astype(np.float32), mask


def time_dynamax() -> None:
    import jax
    import jax.numpy as jnp
    from dynamax.hidden_markov_model import hmm_posterior_sample

    rng = np.random.default_rng(1)
    does = "draws z given A and the likelihoods: filter and backward draw, in float"
    leaves_out = "everything else of a sweep: likelihoods, transitions, concentrations, emission, locations, similarity"
    key = jax.random.PRNGKey(0)
    one = jax.jit(lambda start, a, lik: hmm_posterior_sample(key, start, a, lik)[1])
    many = jax.jit(jax.vmap(one, in_axes=(None, None, 0)))

    def time_draw(draw, shape, states, likelihoods, note=""):
        start, a = jnp.full(states, 1 / states), jnp.asarray(random_rows(rng, states, states), dtype=jnp.float32)
        lik = jnp.asarray(likelihoods, dtype=jnp.float32)
        report("posterior sample", shape, seconds(lambda: draw(start, a, lik).block_until_ready()), does + note, leaves_out)

    for shape, steps, states in PARTIES:
        time_draw(one, shape, states, rng.normal(size=(steps, states)))
    padded, _ = padded_likelihoods(rng, chorale_lengths(), CHORALE_STATES)
    time_draw(many, CHORALES, CHORALE_STATES, padded, "; sequences padded to the longest")


def time_jax_moseq() -> None:
    import jax
    import jax.numpy as jnp
    import jax.random as jr
    from jax_moseq.models import arhmm
    from jax_moseq.utils.distributions import sample_hmm_stateseq
    from jax_moseq.utils.transitions import resample_hdp_transitions

    rng = np.random.default_rng(1)
    hyper = {"alpha": 5.0, "kappa": 50.0, "gamma": 20.0}
    common = "concentrations (held fixed), locations, similarity"
    draw = jax.jit(jax.vmap(sample_hmm_stateseq, in_axes=(0, None, 0, 0)))

    def time_hdp(shape, lik, mask, states):
        """Transitions and states, the likelihoods given: the sticky HDP-HMM without its emission."""
        keys = jr.split(jr.PRNGKey(0), len(lik))
        z = jnp.asarray(rng.integers(states, size=mask.shape))
        betas = jnp.full(states, 1 / states)
        lik, mask = jnp.asarray(lik), jnp.asarray(mask, dtype=jnp.float32)

        def sweep():
            new_betas, pi = resample_hdp_transitions(jr.PRNGKey(1), z=z, mask=mask, betas=betas, **hyper)
            jax.block_until_ready((new_betas, draw(keys, pi, lik, mask)[1]))

        report("sweep without emission", shape, seconds(sweep), "draws z, tables, beta and pi of the sticky HDP-HMM, in float",
               "likelihoods, emission, " + common)

    for shape, steps, states in PARTIES:
        time_hdp(shape, rng.normal(size=(1, steps, states)).astype(np.float32), np.ones((1, steps), dtype=int), states)
        data = {"x": jnp.asarray(rng.normal(size=(1, steps + 1, CHANNELS)), dtype=jnp.float32), "mask": jnp.ones((1, steps + 1), dtype=int)}
        model = arhmm.init_model(
            data, seed=jr.PRNGKey(0), trans_hypparams={**hyper, "num_states": states},
            ar_hypparams={"latent_dim": CHANNELS, "nlags": 1, "S_0_scale": 1.0, "K_0_scale": 1.0, "num_states": states},
        )

        def sweep(model=model, data=data):
            jax.block_until_ready(arhmm.resample_model(data, **model)["states"]["z"])

        report("whole sweep", shape, seconds(sweep), "a sweep of its autoregressive sticky HDP-HMM, in float; the emission is a "
               "regression on the step before with a full covariance per state, which costs more than ours", common)
    padded, mask = padded_likelihoods(rng, chorale_lengths(), CHORALE_STATES)
    time_hdp(CHORALES, padded, mask.astype(int), CHORALE_STATES)


if __name__ == "__main__":
    {"hmmlearn": time_hmmlearn, "dynamax": time_dynamax, "jax-moseq": time_jax_moseq}[sys.argv[1]]()
