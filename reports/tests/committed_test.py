"""The committed reports are whole: each figure that a page names is there, is named, and is stored once, as each table is."""

import collections
import pathlib
import re
import sys
import unittest

REPORTS = pathlib.Path(__file__).resolve().parents[1]
COMMITTED = [REPORTS / name for name in ("beyond", "paper", "replication")]  # others are ignored by git


class Committed(unittest.TestCase):
    def test_figures(self):
        for folder in COMMITTED:
            texts = [(folder / name).read_text() for name in ("index.html", "headline.md", "front.md") if (folder / name).exists()]
            named = {source for text in texts for source in re.findall(r'<img\s+src="([^"]+)"', text)}
            self.assertEqual(named, {str(path.relative_to(folder)) for path in (folder / "figures").iterdir()}, folder)
            self.assert_once(folder / "figures")

    def test_tables(self):
        for folder in COMMITTED:
            tables = {path.name for path in folder.iterdir() if path.suffix in (".csv", ".parquet")}
            written = {"chains.parquet", "claims.csv", "comparisons.csv", "diagnostics.parquet", "provenance.csv", "summary.csv"}
            self.assertEqual(tables, written, folder)
            kinds = "|".join(pathlib.Path(name).stem for name in written)
            named = re.findall(rf"\b(?:{kinds})\.(?:csv|parquet)\b", (folder / "index.html").read_text())
            self.assertLessEqual(set(named), written, folder)

    def assert_once(self, folder):
        twice = [stem for stem, n in collections.Counter(path.stem for path in folder.iterdir()).items() if n > 1]
        self.assertEqual(twice, [], folder)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
