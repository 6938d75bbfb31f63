"""How all figures look and how they are stored: SVG and PNG files with the same bytes each time."""

import io
import pathlib
import re
from dataclasses import dataclass

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from PIL import Image

INK, SOFT, RULE = "#1d1d1f", "#5f6368", "#d9d9de"
HUES = {  # told apart by colour-blind readers too
    "hdp_hmm": "#b8860b",
    "sticky": "#009e73",
    "lt": "#0072b2",
    "sticky_lt": "#d55e00",
    "factorial": "#8e5ba6",
}
MORE_HUES = ("#4a4a4a", "#56a0d3", "#a5483f", "#5b7f2b", "#c06a9a")  # the first unlike all of the above
WIDTH = 4.6  # inches: on a phone the letters are then about 10 px high

plt.rcParams.update(
    {
        "svg.hashsalt": "hmmlt",
        "svg.fonttype": "none",
        "font.family": ["DejaVu Sans"],
        "font.size": 9,
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": SOFT,
        "axes.linewidth": 0.6,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.titlesize": 9.5,
        "axes.titlelocation": "left",
        "xtick.color": SOFT,
        "ytick.color": SOFT,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
        "xtick.major.width": 0.6,
        "ytick.major.width": 0.6,
        "legend.frameon": False,
        "figure.facecolor": "white",
    }
)


@dataclass(frozen=True)
class Picture:
    """A finished figure: where its files are, what the page shows and what it says to those who do not see it."""

    name: str
    png: bytes
    width: int
    height: int
    alt: str
    caption: str
    wide: bool = False
    variant: str = ""  # of curves by sweep: what they show
    quantity: str = ""


def hue(model: str, models: list[str]) -> str:
    """A model of the paper has its own colour; so does the first of its levels where the plain one is not there."""
    first = {}
    for other in sorted(models, key=len):
        first.setdefault(other.split("-")[0], other)
    base = model.split("-")[0]
    if base in HUES and first.get(base, model) == model:
        return HUES[base]
    others = [m for m in models if m.split("-")[0] not in HUES or first[m.split("-")[0]] != m]
    return MORE_HUES[others.index(model) % len(MORE_HUES)] if model in others else INK


def small_png(figure, dpi: int) -> tuple[bytes, int, int]:
    """With a palette: a third of the bytes, and nobody sees it."""
    raw = io.BytesIO()
    figure.savefig(raw, format="png", dpi=dpi)
    image = (
        Image.open(raw)
        .convert("RGB")
        .quantize(colors=256, method=Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE)
    )
    out = io.BytesIO()
    image.save(out, format="png", optimize=True)
    return out.getvalue(), image.width, image.height


def small_svg(figure) -> str:
    """Coordinates to a hundredth of a point: nobody sees the rest, and a page has dozens of curves."""
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    geometry = re.compile(r' (?:d|x|y)="[^"]*"')
    return geometry.sub(lambda found: re.sub(r"(\.\d\d)\d+", r"\1", found.group()), out.getvalue())


def store(
    figure, folder: pathlib.Path, name: str, alt: str, caption: str, wide: bool = False, dpi: int = 190
) -> Picture:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.svg").write_text(small_svg(figure))
    figure.set_layout_engine("none")  # it is laid out; once is enough
    png, width, height = small_png(figure, dpi)
    (folder / f"{name}.png").write_bytes(png)
    plt.close(figure)
    return Picture(name, png, width, height, alt, caption, wide)
