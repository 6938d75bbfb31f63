"""Short drawings show what long ones did: corners where they were, round marks, words, the pixels of pictures."""

import base64
import io
import pathlib
import re
import sys
import unittest
import xml.etree.ElementTree as ET

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "reports"))

import numpy as np
from matplotlib.patheffects import withStroke
from PIL import Image

from hmmlt_report.figures import plt
from hmmlt_report.small_svg import SVG, UNIT, UNSEEN, kept_corners, short, short_path, small_svg, transform_in_units


def drawn(figure) -> str:
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    plt.close(figure)
    return out.getvalue()


def corners(d: str) -> np.ndarray:
    """Of a short path of straight lines, where they are on the page."""
    here, start, out = np.zeros(2), np.zeros(2), []
    for letter, numbers in re.findall(r"([mlz])([^mlz]*)", d):
        if letter == "z":
            here = start
            continue
        for step in np.array(re.findall(r"-?(?:\d+\.?\d*|\.\d+)", numbers), float).reshape(-1, 2):
            here = here + step
            out.append(here)
        if letter == "m":
            start = out[-1]
    return np.array(out)


def distance(point: np.ndarray, line: np.ndarray) -> float:
    start, along = line[:-1], np.diff(line, axis=0)
    share = np.clip(((point - start) * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-12), 0, 1)
    return np.hypot(*(point - start - share[:, None] * along).T).min()


class SmallSvg(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(3)

    def test_a_curve_runs_where_it_did(self):
        x = np.linspace(20, 330, 400)
        for y in (100 + 30 * np.sin(x / 40), 100 + np.cumsum(self.rng.normal(size=400))):
            long = np.stack([x, y], axis=1)
            text = short_path("M " + " L ".join(f"{a:.6f} {b:.6f}" for a, b in long))
            found = corners(text)
            rounding = 0.5 * np.sqrt(2)
            self.assertLess(max(distance(UNIT * point, found) for point in long), UNSEEN + rounding + 1e-9)
            self.assertLess(len(text), 10 * len(found) + 20)
        self.assertLess(len(corners(short_path("M 0 0 " + "".join(f"L {k} {2 * k} " for k in range(100))))), 3)

    def test_a_curve_that_comes_back_keeps_its_turn(self):
        self.assertEqual(kept_corners(np.array([[0.0, 0.0], [5.0, 0.0], [1.0, 0.0]])).tolist(), [0, 1, 2])
        self.assertEqual(corners(short_path("M 0 0 L 5 0 L 1 0 z M 2 2 L 3 3")).tolist(), [[0, 0], [50, 0], [10, 0], [20, 20], [30, 30]])

    def test_numbers(self):
        self.assertEqual([short(v) for v in (0.5, -0.5, -0.001, 10.0, 100, 3.14159)], [".5", "-.5", "0", "10", "100", "3.1"])
        self.assertEqual(transform_in_units("rotate(-90 9.838834 15.5)"), "rotate(-90 98.4 155)")
        self.assertEqual(transform_in_units("scale(1 -1) translate(0 -7.25)"), "scale(1 -1) translate(0 -72.5)")
        self.assertEqual(transform_in_units("matrix(0.25 0 0 0.5 3 4)"), "matrix(.25 0 0 .5 30 40)")
        with self.assertRaisesRegex(ValueError, "expected a path of M, L, Q, C and z, found A"):
            short_path("M 0 0 A 1 2 3")

    def test_words_marks_and_clips_stay(self):
        figure, axes = plt.subplots()
        axes.plot(np.linspace(0, 1, 50), self.rng.random(50), marker="o")
        axes.scatter([0.2, 0.7], [0.5, 0.6], s=[30, 90])
        axes.set(title="0.12345 of the text stays", ylabel="up")
        long = drawn(figure)
        text = small_svg(long)
        self.assertLess(len(text), 0.5 * len(long))
        self.assertIn("0.12345 of the text stays", text)
        root = ET.fromstring(text)
        self.assertEqual([word.text for word in root.iter(f"{{{SVG}}}text")], [w.text for w in ET.fromstring(long).iter(f"{{{SVG}}}text")])
        self.assertEqual(len(list(root.iter(f"{{{SVG}}}use"))), long.count("<use"))
        dots = [circle for circle in root.iter(f"{{{SVG}}}circle") if not circle.get("id")]
        self.assertIn("clip-path:url(#", text)
        self.assertEqual([round((float(dot.get("r")) / UNIT) ** 2 / 7.5) for dot in dots], [1, 3])  # s is 4 r^2
        self.assertIn("rotate(-90", text)
        for name in re.findall(r'(?:url\(|href=")#([^)"]+)', text):
            self.assertEqual(text.count(f'id="{name}"'), 1, name)
        for name in set(re.findall(r'class="([^"]+)"', text)):
            self.assertEqual(text.count(f".{name}{{"), 1, name)

    def test_letters_with_a_halo_are_there_once_the_halo_behind_them(self):
        figure, axes = plt.subplots()
        axes.text(0.5, 0.5, "E4", path_effects=[withStroke(linewidth=2, foreground="white")])
        long = drawn(figure)
        text = small_svg(long)
        self.assertEqual(long.count("stroke: #ffffff"), 1)
        self.assertEqual(text.count("paint-order:stroke"), 1)
        self.assertEqual(text.count("<path"), long.count("<path") - 1)

    def test_pictures_keep_every_pixel(self):
        for cmap in ("Greys", "viridis"):
            figure, axes = plt.subplots()
            axes.imshow(self.rng.random((5, 80)), cmap=cmap, interpolation="none", aspect="auto")
            long = drawn(figure)
            text = small_svg(long)
            before, after = (
                Image.open(io.BytesIO(base64.b64decode(re.search(r"data:image/png;base64,([^\"]+)", one)[1]))) for one in (long, text)
            )
            self.assertEqual(before.size, after.size)
            self.assertTrue((np.asarray(before.convert("RGB")) == np.asarray(after.convert("RGB"))).all())
            self.assertLess(len(text), 0.6 * len(long))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], warnings="ignore")
