"""What `make test` says at its end: times of tests and phases, and commands that run again what failed."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))

import test_times

JUNIT = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="(empty)" tests="4">
  <testcase name="io/a: (b), c+" time="2.5" status="fail"><failure message=""/></testcase>
  <testcase name="quick" time="0.25" status="run"><system-out>fine</system-out></testcase>
  <testcase name="skipped" time="0.01" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>
  <testcase name="gone" time="0" status="notrun"><skipped message="Unable to find executable"/></testcase>
</testsuite>
"""


class TestTimes(unittest.TestCase):
    def run_times(self, *phases):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            self.assertEqual(test_times.main([str(self.build), *phases]), 0)
        return out.getvalue()

    def test_table_and_last_words(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.build = pathlib.Path(scratch.name)
        (self.build / "test-results/test-unit").mkdir(parents=True)
        (self.build / "test-results/test-unit/release.xml").write_text(JUNIT)
        self.run_times("lint=900", "golden=100")
        said = self.run_times("lint=1500", "test-unit=3000")
        table = (self.build / "test-times.csv").read_text().splitlines()
        self.assertEqual(table[:4], ["phase,test,seconds", "golden,,0.10", "lint,,1.50", "test-unit,,3.00"])
        self.assertEqual(table[4:6], ['test-unit,"io/a: (b), c+",2.50', "test-unit,quick,0.25"])
        self.assertEqual(len(table), 8)
        self.assertLess(said.index("2.5  io/a: (b), c+"), said.index("0.2  quick"), "the slowest first")
        self.assertIn("      4.5  together", said)
        failed = [line for line in said.splitlines() if line.startswith("failed: ")]
        self.assertEqual(failed, [r"failed: ctest --preset release -R '^io/a: \(b\), c\+$'",
                                  "failed: ctest --preset release -R '^gone$'"])  # fmt: skip


if __name__ == "__main__":
    unittest.main()
