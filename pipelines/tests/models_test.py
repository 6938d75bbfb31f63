"""Models of docs/choosing-a-model.md, each from data drawn from it to its scores; features without names against a truth.

python models_test.py BIN_DIRECTORY
"""

import itertools
import re
import sys

import numpy
import pandas

from stage_case import ROOT, StageCase, main, result_bytes

RUN = ["--set", "run.burn_in=10", "--set", "run.draws_every=10", "--set", "run.record_every=10", "--checkpoint-seconds", 0]
SMALL = ["--set", "generate.n_steps=60"]


def shown_models():
    """The model files that the page shows, by the names in their first lines."""
    text = (ROOT / "docs/choosing-a-model.md").read_text()
    return dict(re.findall(r"```toml\n# (\w+)\.toml[^\n]*\n(.*?)```", text, re.DOTALL))


def best_f1(truth, found):
    """F1 of the order, and turning over, of features that leaves the fewest cells different; by trying all."""
    n = max(truth.shape[1], found.shape[1])
    spare = numpy.zeros((len(truth), n - truth.shape[1]), dtype=int)
    truth = numpy.hstack([truth, spare])
    best = None
    for order in itertools.permutations(range(n)):
        columns = []
        for d in range(n):
            column = found[:, order[d]] if order[d] < found.shape[1] else numpy.zeros(len(truth), dtype=int)
            turned = 1 - column
            fits_turned = order[d] < found.shape[1] and (turned != truth[:, d]).sum() < (column != truth[:, d]).sum()
            columns.append(turned if fits_turned else column)
        matched = numpy.stack(columns, axis=1)
        different = (matched != truth).sum()
        if best is None or different < best[0]:
            best = (different, 2 * (matched & truth).sum() / (matched.sum() + truth.sum()))
    return best


class Models(StageCase):
    def model(self, name):
        path = self.scratch / f"{name}.toml"
        path.write_text(shown_models()[name])
        return path

    def generate(self, name):
        data = self.scratch / "data"
        self.assert_done(self.run_stage("generate", "--model", self.model(name), "--seed", 3, "--out", data, *SMALL))
        return data

    def train(self, name, data, out, sweeps, more=()):
        flags = ["--data", data, "--model", self.model(name), "--chain", 0, "--seed", 1, "--sweeps", sweeps]
        return self.run_stage("train", *flags, "--out", self.scratch / out, *RUN, *more)

    def evaluate(self, data, chain, *more):
        result = self.run_stage("evaluate", "--data", data, "--chains", self.scratch / chain, "--out",
                                self.scratch / "scores", *more)
        self.assert_done(result)
        rows = pandas.read_parquet(self.scratch / "scores/evaluation.parquet")
        return result.stdout, rows[rows["sequence"] == -1].set_index("measure")["value"]

    def test_every_model_of_the_page_goes_all_the_way(self):
        models = shown_models()
        self.assertGreaterEqual(len(models), 1)
        for name in models:
            for sampler in ["single", "blocked"]:
                with self.subTest(name=name, sampler=sampler):
                    self.setUp()
                    data = self.generate(name)
                    more = ["--set", f"run.sampler={sampler}"]
                    self.assert_done(self.train(name, data, "whole", 40, more))
                    self.assert_done(self.train(name, data, "parts", 15, more))
                    self.assert_done(self.train(name, data, "parts", 40, more))
                    self.assertEqual(result_bytes(self.scratch / "whole"), result_bytes(self.scratch / "parts"))
                    trace = pandas.read_parquet(self.scratch / "whole/trace.parquet")
                    self.assertTrue(numpy.isfinite(trace["log_joint"]).all())
                    _, values = self.evaluate(data, "whole", "--predict")
                    self.assertTrue(numpy.isfinite(values).all())
                    self.assertIn("log_predictive", values)

    def test_the_precision_of_weights_is_learnt_unless_it_is_a_number(self):
        for name, dynamics in {"hmm": 'n_states = 4', "factorial": 'dynamics = "factorial"'}.items():
            for precision, learnt in {"{ shape = 2.0, rate = 2.0 }": True, "1.0": False}.items():
                with self.subTest(dynamics=name, precision=precision):
                    self.setUp()
                    model = self.scratch / "model.toml"
                    weights = f"{{ precision = {precision}, bias_sd = 2.0 }}"
                    model.write_text(f"""[model]
{dynamics}
locations = {{ kind = "binary", n_dims = 2 }}
emission = {{ kind = "linear_gaussian", n_channels = 3, weights = {weights} }}
[generate]
n_steps = 40
""")
                    data = self.scratch / "data"
                    self.assert_done(self.run_stage("generate", "--model", model, "--seed", 3, "--out", data))
                    flags = ["--data", data, "--model", model, "--chain", 0, "--seed", 1, *RUN]
                    for out, sweeps in [("whole", 30), ("parts", 15), ("parts", 30)]:
                        more = ["--sweeps", sweeps, "--out", self.scratch / out]
                        self.assert_done(self.run_stage("train", *flags, *more))
                    self.assertEqual(result_bytes(self.scratch / "whole"), result_bytes(self.scratch / "parts"))
                    trace = pandas.read_parquet(self.scratch / "whole/trace.parquet")
                    self.assertEqual("weight_precision" in trace, learnt)
                    if learnt:
                        self.assertEqual(trace["weight_precision"].nunique(), 30)
                        self.assertTrue((trace["weight_precision"] > 0).all())

    def test_learnt_features_are_matched_with_the_truth(self):
        data = self.generate("learned_weights")
        for n_dims in [2, 3, 5]:
            with self.subTest(n_dims=n_dims):
                chain = f"chain-{n_dims}"
                more = ["--set", f"model.locations.n_dims={n_dims}"]
                self.assert_done(self.train("learned_weights", data, chain, 40, more))
                trace = pandas.read_parquet(self.scratch / chain / "trace.parquet")
                self.assertNotIn("f1", trace)
                self.assertEqual(list(trace[trace["matched_f1"].notna()]["sweep"]), [10, 20, 30, 40])
                for on in ["train", "test"]:
                    text, values = self.evaluate(data, chain, "--on", on)
                    self.assertIn("matched features of these sequences: F1 ", text)
                    self.assertNotIn("f1", values)
                    self.assertTrue(0 <= values["matched_f1"] <= 1)
                truth = pandas.read_parquet(data / "truth.parquet").filter(like="theta_").to_numpy()
                mean = pandas.read_parquet(self.scratch / chain / "state_mean.parquet").filter(like="p_").to_numpy()
                different, f1 = best_f1(truth, (mean > 0.5).astype(int))
                self.assertAlmostEqual(values["matched_state_mean_accuracy"], 1 - different / (len(truth) * max(3, n_dims)))
                if n_dims == 3:
                    self.assertAlmostEqual(values["matched_state_mean_f1"], f1)

    def test_features_without_names_are_not_pooled(self):
        data = self.generate("learned_weights")
        self.assert_done(self.train("learned_weights", data, "chain", 40))
        self.evaluate(data, "chain", "--predict")
        predictions = pandas.read_parquet(self.scratch / "scores/predictions.parquet")
        states = predictions.filter(like="smoothed_").to_numpy()
        numpy.testing.assert_allclose(states.sum(axis=1), 1.0, atol=1e-9)  # of states, not of features
        first = ",".join(str(y) for y in pandas.read_parquet(data / "observations.parquet").filter(like="y_").iloc[0])
        lines = self.run_stage("evaluate", "--stream", "--chains", self.scratch / "chain", input=first + "\n")
        self.assertEqual(self.assert_done(lines).stdout.splitlines()[0], "sequence,t,log_density,state,probability")


if __name__ == "__main__":
    main(sys.argv)
