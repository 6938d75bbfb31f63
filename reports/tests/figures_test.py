"""What figures show and say: published bands in view or named as cut off, true numbers, axes in words, names of rows."""

import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "reports"), str(ROOT / "pipelines/tests")]

import numpy as np
import pandas as pd
from traces import provenance, write_chain

from hmmlt_report import curves, figures, level_curves, matrices
from hmmlt_report.blocks import undefined
from hmmlt_report.chains import read_run
from hmmlt_report.curves import View
from hmmlt_report.data_sets import origin, origins_line, true_features
from hmmlt_report.experiment import Experiment, Level


class Figures(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)
        self.rng = np.random.default_rng(3)

    def data(self, n_features, n_on):
        """Truth of 50 steps: the first features are on at times, the others never."""
        folder = self.scratch / "data"
        folder.mkdir()
        on = (np.arange(50)[:, None] % (np.arange(n_features) + 2) == 0) & (np.arange(n_features) < n_on)
        truth = pd.DataFrame(on.astype("int32"), columns=[f"theta_{d}" for d in range(n_features)])
        truth.insert(0, "sequence", 0)
        truth.to_parquet(folder / "truth.parquet")
        return folder

    def run_of(self, model, quantity, level, n_chains=4, data=None, spread=0.01):
        directory = self.scratch / "results/mine/paper/set-1" / model / "single"
        for k in range(n_chains):
            about = provenance("run.burn_in = 20\n") | {"command": ["hmmlt-train", "--data", str(data)]}
            values = level + spread * self.rng.normal(size=100)
            where = write_chain(directory / f"chain-{k}", k, {quantity: values}, provenance=about)
            (where / "provenance.json").write_text(json.dumps(about))
        return read_run(directory, self.scratch / "results")

    def svg(self, picture):
        return (self.scratch / f"{picture.name}.svg").read_text()

    def published(self, sd):
        return pd.DataFrame(
            {"model": "lt", "sweep": np.arange(50, 101, 10), "value": 0.6, "sd_runs": sd, "n_runs": 5}
        )

    def test_chains_that_end_all_over_the_place_are_drawn_one_by_one(self):
        for elsewhere in (False, True):
            runs = [self.run_of("lt", "f1", 0.5, spread=0.001), self.run_of("hdp_hmm", "f1", 0.6, spread=0.001)]
            if elsewhere:  # one chain of four
                runs[0].chains[0].trace.loc[:, "f1"] = 0.1
            picture = curves.draw(Experiment("mine", "Mine"), runs, "f1", self.scratch, None, [])
            self.assertEqual("one per chain: LT;" in picture.caption, elsewhere)
            self.assertNotIn("HDP-HMM;", picture.caption)

    def test_published_bands_are_in_view_or_said_to_be_cut_off(self):
        run = self.run_of("lt", "f1", 0.5)
        for sd, cut in ((0.05, False), (2.0, True)):
            about = Experiment("mine", "Mine", published={"f1": self.published(sd)})
            picture = curves.draw(about, [run], "f1", self.scratch, None, [])
            self.assertIn("dashed: published, between thin lines the 99 % band of those runs", picture.caption)
            self.assertEqual("cut off" in picture.caption, cut)
        view = View([np.array([0.0, 1.0])], [np.array([-1.0, 1.5])])
        self.assertTrue(view.limits[0] < -1 and view.limits[1] > 1.5)
        view.bands.append(np.array([9.0]))
        self.assertTrue(view.cuts_off)
        self.assertTrue(view.limits[1] < 2)

    def test_published_curves_beside_another_variant_say_so(self):
        run = self.run_of("lt", "f1", 0.5)
        for variant, words in (("authors", "dashed: published (with other priors), "), ("paper", "dashed: published, ")):
            about = Experiment("mine", "Mine", published={"f1": self.published(0.1)}, published_variant=variant,
                               published_settings="with other priors")  # fmt: skip
            self.assertIn(words, curves.draw(about, [run], "f1", self.scratch, None, []).caption)

    def test_the_true_number_of_features(self):
        run = self.run_of("buffet", "features_used", 9.0, data=self.data(8, 5))
        self.assertEqual(true_features(run.chains[0]), 5)
        picture = curves.draw(Experiment("mine", "Mine"), [run], "features_used", self.scratch, None, [])
        self.assertIn("true number: 5", self.svg(picture))
        self.assertIn("dashed: the true number, of features that are on at some step", picture.caption)
        without = self.run_of("other", "features_used", 9.0)
        picture = curves.draw(Experiment("mine", "Mine"), [without], "features_used", self.scratch, None, [])
        self.assertNotIn("true number", self.svg(picture) + picture.caption)

    def test_axes_of_levels_in_words(self):
        runs = [self.run_of(f"binary-dims-{n}", "f1", 0.5) for n in (4, 10, 20)]
        levels = {"dims": Level("{value} features", False, "number of features")}
        about = Experiment("mine", "Mine", levels=levels, models={"binary": "fixed"})
        ((key, of_grid),) = level_curves.grids(about, runs).items()
        picture = level_curves.draw(about, key, of_grid, "f1", self.scratch, None)
        text = self.svg(picture)
        self.assertIn("number of features (log scale)", text)
        self.assertNotIn("ours", text, "nothing else is there to be told from")
        self.assertTrue(picture.caption.startswith("Fixed on set-1: F1 by number of features;"))
        self.assertNotIn("published", picture.caption)

    def test_rows_of_matrices_bear_their_names(self):
        folder = self.data(18, 9)
        for n, named in ((18, True), (25, False)):
            run = self.run_of(f"lt{n}", "f1", 0.5, n_chains=1, data=folder if n == 18 else None)
            mean = pd.DataFrame(self.rng.random((50, n)), columns=[f"p_{d}" for d in range(n)]).assign(sequence=0)
            mean.to_parquet(run.chains[0].directory / "state_mean.parquet")
            text = self.svg(matrices.draw(Experiment("mine", "Mine"), [run], self.scratch))
            self.assertEqual(">7</text>" in text, named)
            self.assertIn(f">{n - 1}</text>", text)

    def test_each_figure_is_one_file_and_of_many_strokes_its_pixels(self):
        for n, kind in ((50, "svg"), (20000, "png")):
            figure, axes = figures.plt.subplots()
            axes.scatter(self.rng.random(n), self.rng.random(n), s=self.rng.random(n))
            picture = figures.store(figure, self.scratch, f"dots-{n}", "", "")
            self.assertEqual([path.name for path in self.scratch.glob(f"dots-{n}*")], [f"dots-{n}.{kind}"])
            self.assertEqual(picture.file, f"figures/dots-{n}.{kind}")
            self.assertEqual((self.scratch / f"dots-{n}.{kind}").read_bytes(), picture.content)
            self.assertAlmostEqual(picture.width / picture.height, 6.4 / 4.8, places=2)

    def test_why_there_is_no_rhat(self):
        row = {"quantity": "test_log_likelihood", "n_draws": 3, "n_chains": 5}
        self.assertEqual(undefined(row), "R-hat undefined: 3 scores")
        self.assertEqual(undefined(row | {"quantity": "f1", "n_draws": 1}), "R-hat undefined: 1 value")
        self.assertEqual(undefined(row | {"n_chains": 1}), "R-hat undefined: one chain")
        self.assertEqual(undefined({"quantity": "pooled_f1", "n_chains": 5, "n_draws": np.nan}), "")

    def test_what_the_data_are(self):
        folder = self.data(4, 2)
        self.assertEqual(origin(folder), "origin unknown")
        (folder / "provenance.json").write_text(json.dumps({"command": ["hmmlt-generate", "--model", "m.toml"], "seed": "7"}))
        run = self.run_of("lt", "f1", 0.5, data=folder)
        self.assertEqual(origins_line([run, run]), "drawn from the model m.toml")
        (folder / "statistics.json").write_text(json.dumps({"corpus": "stand-in speech (x 1)"}))
        self.assertEqual(origin(folder), "stand-in speech (x 1), not the paper's recordings")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], warnings="ignore")
