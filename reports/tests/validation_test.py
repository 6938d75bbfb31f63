"""The committed tables of validation/ are whole, and their pictures show all of them.

python validation_test.py BIN_DIRECTORY
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import matplotlib
import pandas as pd
from PIL import Image

matplotlib.use("Agg")
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "reports"))
import picture_of_validation as pictures

TABLES = ROOT / "validation"


class Validation(unittest.TestCase):
    def table(self, name, *columns):
        read = pd.read_parquet if name.endswith(".parquet") else pd.read_csv
        table = read(TABLES / name)
        self.assertEqual(list(table.columns), list(columns))
        self.assertFalse(table.isna().any(axis=None))
        return table

    def words(self, drawing):
        return re.findall(r"<text[^>]*>([^<]*)", drawing.read_text())

    def drawn(self, draw, *arguments):
        """The figure that a function would have saved and closed."""
        figures = []
        saved, pictures.save = pictures.save, lambda figure, out: figures.append(figure)
        try:
            draw(*arguments, pathlib.Path("nowhere"))
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
        ranks = self.table("sbc.parquet", "model", "functional", "simulation", "rank", "n_draws")
        figure = self.drawn(pictures.draw_sbc, ranks, 1e-7)
        lines = {axes.get_title(loc="left"): len(axes.lines) - 1 for axes in figure.axes if axes.get_visible()}
        self.assertEqual(lines, dict(ranks.groupby("model")["functional"].nunique()))

    def test_the_pictures_are_of_these_tables(self):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            for table in TABLES.glob("*.[cp]*"):
                if table.suffix in (".csv", ".parquet"):
                    (folder / table.name).write_bytes(table.read_bytes())
            program = [sys.executable, ROOT / "reports/picture_of_validation.py", "--tables", folder]
            subprocess.run(program, check=True, capture_output=True, timeout=600)
            for name in ("sbc.svg", "mutants.svg"):
                self.assertEqual(self.words(folder / name), self.words(TABLES / name), name)
            with Image.open(folder / "geweke.png") as drawn, Image.open(TABLES / "geweke.png") as committed:
                self.assertEqual((drawn.mode, drawn.size), ("P", committed.size))

    def test_every_design_has_a_row(self):
        scores = self.table("geweke.csv", "design", "seed", "functional", "z")
        figure = self.drawn(pictures.draw_geweke, scores, 5.7)
        self.assertEqual([label.get_text() for label in figure.axes[0].get_yticklabels()], list(scores["design"].unique()))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
