"""The committed tables of validation/ are whole, and their pictures show all of them.

python validation_test.py BIN_DIRECTORY
"""

import pathlib
import sys
import unittest

import matplotlib
import pandas as pd

matplotlib.use("Agg")
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "reports"))
import picture_of_validation as pictures

TABLES = ROOT / "validation"


class Validation(unittest.TestCase):
    def table(self, name, *columns):
        table = pd.read_csv(TABLES / name)
        self.assertEqual(list(table.columns), list(columns))
        self.assertFalse(table.isna().any(axis=None))
        return table

    def drawn(self, draw, *arguments):
        """The figure that a function would have saved and closed."""
        figures = []
        saved, pictures.save = pictures.save, lambda figure, out: figures.append(figure)
        try:
            draw(*arguments, pathlib.Path("nowhere.png"))
        finally:
            pictures.save = saved
        return figures[0]

    def test_all_checks_pass_and_no_mutant_lives(self):
        referees = self.table("referees.csv", "model", "referee", "statistic", "bound", "pass")
        self.assertTrue((referees["pass"] == 1).all())
        mutants = self.table("mutants.csv", "mutant", "referee", "statistic", "killed", "bound", "model", "bug")
        self.assertTrue((mutants["killed"] == 1).all())
        rows = (TABLES / "mutants.md").read_text().replace(r"\|", "").splitlines()
        self.assertEqual(len(rows), len(mutants) + 2)
        self.assertEqual({row.count("|") for row in rows}, {7})

    def test_every_calibrated_model_has_a_panel_with_all_its_functionals(self):
        ranks = self.table("sbc.csv", "model", "functional", "simulation", "rank", "n_draws")
        figure = self.drawn(pictures.draw_sbc, ranks, 1e-7)
        lines = {axes.get_title(loc="left"): len(axes.lines) - 1 for axes in figure.axes if axes.get_visible()}
        self.assertEqual(lines, dict(ranks.groupby("model")["functional"].nunique()))

    def test_every_design_has_a_row(self):
        scores = self.table("geweke.csv", "design", "seed", "functional", "z")
        figure = self.drawn(pictures.draw_geweke, scores, 5.7)
        self.assertEqual([label.get_text() for label in figure.axes[0].get_yticklabels()], list(scores["design"].unique()))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
