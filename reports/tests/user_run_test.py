"""The page of a user's own chains: segments that are there are found, as hmmlt-evaluate has them."""

import base64
import json
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "pipelines/tests"), str(ROOT / "reports/tests"), str(ROOT / "reports")]

import numpy as np
import pandas as pd
from browser import assert_good_page
from report_case import ReportCase
from stage_case import main

from hmmlt_report.chains import Chain
from hmmlt_report.decoding import draw_sweeps, log_densities, read_draws, smooth
from hmmlt_report.user_data import read_data
from hmmlt_report.user_run import counted

MODEL = """[model]
n_states = 10
emission = { kind = "gaussian" }
[priors]
rho = { a = 1.0, b = 1.0 }
[run]
burn_in = 60
draws_every = 10
record_every = 10
sampler = "blocked"
"""
CHANGES = [25, 60, 100, 130]


class UserRun(ReportCase):
    def report(self, *chains, out):
        return self.run_report("--run", *chains, "--out", out)

    def train(self, model=MODEL, chains=2, sweeps=120):
        rng = np.random.default_rng(5)
        state = np.searchsorted(CHANGES, np.arange(160), side="right") % 3
        y = np.array([[0.0, 3.0], [4.0, 0.0], [-4.0, -3.0]])[state] + 0.4 * rng.normal(size=(160, 2))
        cells = np.where(rng.random(y.shape) < 0.03, "", np.char.mod("%.4f", y))
        csv = self.scratch / "sensors.csv"
        csv.write_text("time,flow,heat\n" + "".join(f"{t},{a},{b}\n" for t, (a, b) in enumerate(cells)))
        self.data = self.scratch / "data"
        self.assert_done(self.run_stage("import", "--in", csv, "--test", "0.1", "--out", self.data))
        path = self.scratch / "model.toml"
        path.write_text(model)
        out = [self.scratch / f"chain-{k}" for k in range(chains)]
        for k, directory in enumerate(out):
            self.assert_done(
                self.run_stage(
                    "train",
                    "--data",
                    self.data,
                    "--model",
                    path,
                    "--chain",
                    k,
                    "--seed",
                    1,
                    "--sweeps",
                    sweeps,
                    "--out",
                    directory,
                )
            )
        return out

    def test_page_and_tables(self):
        chains = self.train()
        unfinished = self.scratch / "chain-9"
        unfinished.mkdir()
        out = self.scratch / "report"
        self.assert_done(self.report(*chains, unfinished, out=out))
        steps = pd.read_csv(out / "steps.csv")
        found = steps["t"][steps["change_probability"] > 0.5].tolist()
        self.assertEqual(found, CHANGES)
        segments = pd.read_csv(out / "segments.csv")
        self.assertEqual(segments["begin"].tolist(), [0, *CHANGES])
        states = pd.read_csv(out / "states.csv")
        self.assertEqual(len(states), 3)
        self.assertTrue((states["in_draws"] == 1).all())
        np.testing.assert_allclose(sorted(states["flow: mean"]), [-4, 0, 4], atol=0.4)
        scalars = pd.read_csv(out / "diagnostics.csv")["name"].tolist()
        self.assertEqual(scalars[:4], ["test_log_likelihood", "test_log_likelihood_expected", "states_used", "rho"])
        self.assertEqual(scalars[-2:], ["log_likelihood", "log_joint"])
        text = assert_good_page(self, out / "index.html", self.scratch, self_contained=True)
        page = (out / "index.html").read_text()
        inside = [base64.b64decode(image) for image in re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', page)]
        beside = [path.read_bytes() for path in (out / "figures").iterdir()]
        self.assertEqual(sorted(inside), sorted(beside), "each figure is in the page, once")
        for words in (
            "sensors.csv: sticky HDP-HMM",
            "3 states in 5 segments",
            "chain-9 is not finished",
            "flow",
            "R-hat",
            "posterior predictive",
        ):
            self.assertIn(words, text)

    def test_one_of_a_kind_is_not_many(self):
        self.assertEqual([counted(n, "state") for n in (0, 1, 2)], ["0 states", "1 state", "2 states"])

    def test_features_without_names_are_not_averaged(self):
        """Weights are learnt, so bits of different draws are not the same ones: states are shown by what they emit."""
        model = MODEL.replace('{ kind = "gaussian" }', '{ kind = "linear_gaussian", weights = { sd = 3.0 } }')
        model = model.replace("[priors]", 'locations = { kind = "indian_buffet", n_dims = 4 }\n[priors]')
        chains = self.train(model)
        out = self.scratch / "report"
        self.assert_done(self.report(*chains, out=out))
        states = pd.read_csv(out / "states.csv")
        self.assertFalse([name for name in states if name.startswith("bit")])
        big = states[states["share"] > 0.15]
        np.testing.assert_allclose(sorted(big["flow: mean"]), [-4, 0, 4], atol=0.6)
        text = (out / "index.html").read_text()
        self.assertIn("matched with those of the first chain", text)
        self.assertIn("Features in use by sweep", text)

    def test_held_out_scores_are_those_of_evaluate(self):
        """Of the stored draws, though training scores more; where some were not scored, the page says so."""
        chains = self.train(MODEL.replace("record_every = 10", "heldout_every = 5"), sweeps=90)
        out, scores = self.scratch / "report", self.scratch / "scores"
        self.assert_done(self.report(*chains, "--name", "My sensors", out=out))
        self.assert_done(self.run_stage("evaluate", "--data", self.data, "--chains", *chains, "--out", scores))
        ours = pd.read_csv(out / "heldout.csv").set_index("chain").loc["all together"]
        table = pd.read_parquet(scores / "evaluation.parquet")
        table = table[table["sequence"] == -1].set_index("measure")
        theirs = table["value"] / table["n"]
        for column, measure in (
            ("mean, drawn emission", "log_likelihood"),
            ("posterior predictive, drawn emission", "log_predictive"),
            ("posterior predictive, expected emission", "log_predictive_expected"),
        ):
            self.assertAlmostEqual(ours[column], theirs[measure], places=4)
        self.assertEqual(ours["draws"], 6)
        page = (out / "index.html").read_text()
        self.assertIn("the same ones that hmmlt-evaluate pools", page)
        self.assertIn("<h1>My sensors</h1>", page)

    def test_draws_that_training_did_not_score(self):
        chains = self.train(MODEL.replace("record_every = 10", "heldout_every = 15"), chains=1, sweeps=90)
        self.assert_done(self.report(*chains, out=self.scratch / "report"))
        self.assertIn("Of the 1 of 3 stored draws", (self.scratch / "report/index.html").read_text())

    def test_decoding_is_that_of_evaluate(self):
        """Of the one draw that hmmlt-evaluate decodes: the last of the first chain."""
        chains = self.train(chains=1, sweeps=80)
        scores = self.scratch / "scores"
        self.assert_done(
            self.run_stage("evaluate", "--data", self.data, "--chains", chains[0], "--predict", "--out", scores)
        )
        predictions = pd.read_parquet(scores / "predictions.parquet")
        chain = Chain(chains[0])
        (draw,) = read_draws(chain, draw_sweeps(chain)[-1:])
        scored = self.data / "test" if len(predictions) < 100 else self.data  # whichever part it scores
        data = read_data(scored)
        smoothed, _ = smooth(draw, log_densities(draw, data.y, data.symbols))
        expected = predictions[[f"smoothed_{k}" for k in draw.states]].to_numpy()
        np.testing.assert_allclose(smoothed, expected, atol=1e-7)

    def test_a_damaged_table_is_refused_by_name(self):
        (chain,) = self.train(chains=1)
        for name in ("draws.parquet", "trace.parquet"):
            table = chain / name
            whole = table.read_bytes()
            damaged = bytearray(whole)
            damaged[len(whole) // 3] ^= 0x10
            table.write_bytes(damaged)
            result = self.report(chain, out=self.scratch / "page")
            self.assert_fails(result, 65, f"{chain / name}: cannot be read as Parquet")
            self.assertFalse((self.scratch / "page").exists())
            table.write_bytes(whole)

    def test_chains_too_short_for_a_held_out_score(self):
        chains = self.train(chains=1, sweeps=3)
        self.assertEqual(pd.read_parquet(chains[0] / "heldout.parquet").shape[0], 0)
        self.assert_done(self.report(*chains, out=self.scratch / "page"))
        page = (self.scratch / "page" / "index.html").read_text()
        self.assertIn("Trace of log joint", page)
        self.assertIn("No draws were stored after burn-in", page)

    def test_a_model_that_cannot_be_decoded_has_a_page_that_says_why(self):
        """An emission that came after the page, or dynamics that have no single state."""
        (chain,) = self.train(chains=1, sweeps=70)
        provenance = json.loads((chain / "provenance.json").read_text())
        for key, value, words in (
            ("model.emission.kind", "poisson", "The density of the emission “poisson” is not known here"),
            ("model.dynamics", "factorial", "A factorial model has many states at a time, one in each of its chains"),
            ("model.dynamics", "tides", "The dynamics “tides” cannot be decoded here"),
        ):
            kept = [line for line in provenance["config"].splitlines() if not line.startswith(f"{key} = ")]
            config = "\n".join([*kept, f'{key} = "{value}"'])
            (chain / "provenance.json").write_text(json.dumps(provenance | {"config": config}))
            self.assert_done(self.report(chain, out=self.scratch / value))
            page = (self.scratch / value / "index.html").read_text()
            self.assertIn(f"{words}: there is no segmentation.", page)

    def test_errors(self):
        chains = self.train(sweeps=70)
        self.assert_fails(self.report(chains[0], chains[0], out=self.scratch / "twice"), 65, "each chain counts once")
        out = self.scratch / "report"
        self.assert_fails(self.report(self.scratch / "none", out=out), 74, "directory of a chain")
        diagnosed = self.run_stage("diagnose", "--chains", self.scratch / "none", "--out", out)
        self.assertEqual(diagnosed.returncode, 74, "the same code in every stage")
        whole = (chains[0] / "trace.parquet").read_bytes()
        (chains[0] / "trace.parquet").write_bytes(whole[:100])
        self.assert_fails(self.report(*chains, out=out), 65, "trace.parquet")
        (chains[0] / "trace.parquet").write_bytes(whole)
        other = self.scratch / "other"
        other.mkdir()
        table = pd.read_parquet(self.data / "observations.parquet")
        for columns, words in (
            (["sequence", "t", "y_0"], "expected 2 columns y_0, y_1, ..., as the chains were trained on, found 1"),
            (["sequence", "t", "y_1"], "expected columns y_0, y_1, ... or symbol, found sequence, t, y_1"),
            (["sequence", "y_0", "y_1"], "expected a column t, found none"),
        ):
            table[columns].to_parquet(other / "observations.parquet")
            self.assert_fails(self.report(*chains, "--data", other, out=out), 65, words)
        table.assign(symbol=0)[["sequence", "t", "symbol"]].to_parquet(other / "observations.parquet")
        self.assert_fails(self.report(*chains, "--data", other, out=out), 65, "found symbols")
        shutil.rmtree(self.data)
        self.assert_fails(self.report(*chains, out=out), 74, "--data")
        self.assertFalse(out.exists())


if __name__ == "__main__":
    main(sys.argv)
