"""The README's lines from a CSV to a segmentation, as a reader types them, on a CSV whose segments are known.

python readme_test.py BIN_DIRECTORY
"""

import re
import subprocess
import sys

import numpy
import pandas

from stage_case import ROOT, StageCase, main, without_make

CHANGES = [40, 90, 150, 190, 240]


def typed_lines():
    section = (ROOT / "README.md").read_text().split("## From your own CSV to a segmentation")[1]
    return re.search(r"^```sh\n(.*?)^```", section, re.MULTILINE | re.DOTALL)[1]


class Readme(StageCase):
    def test_from_a_csv_to_a_segmentation(self):
        rng = numpy.random.default_rng(3)
        state = numpy.searchsorted(CHANGES, numpy.arange(300), side="right") % 3
        y = numpy.array([[20.0, 0.003], [24.0, 0.001], [17.0, -0.003]])[state]
        y += rng.normal(size=y.shape) * [0.5, 0.0004]
        rows = "".join(f"{t},{a:.4f},{b:.6f}\n" for t, (a, b) in enumerate(y))
        (self.scratch / "sensors.csv").write_text("time,heat,flow\n" + rows)
        (self.scratch / "build/release").mkdir(parents=True)
        (self.scratch / "build/release/bin").symlink_to(self.bin_directory.resolve())
        result = subprocess.run(["bash", "-euo", "pipefail", "-c", typed_lines()], cwd=self.scratch, env=without_make(),
                                capture_output=True, text=True, timeout=300)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        out = self.scratch / "results/sensors/report"
        self.assertTrue((out / "index.html").is_file())
        steps = pandas.read_csv(out / "steps.csv")
        self.assertEqual(len(steps), 240, "the last fifth is kept to be predicted")
        self.assertEqual(steps["t"][steps["change_probability"] > 0.5].tolist(), CHANGES[:-1])


if __name__ == "__main__":
    main(sys.argv)
