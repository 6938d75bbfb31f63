"""How all figures look and how they are stored: each in one file, with the same bytes each time."""

import pathlib
from dataclasses import dataclass

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from .small_files import drawing, pixels

FOLDER = "figures"  # of a report's directory
MOST_BYTES = 200_000  # of a drawing; one of more strokes than that is stored as its pixels

INK, SOFT, RULE = "#1d1d1f", "#5f6368", "#d9d9de"
HUES = {  # told apart by colour-blind readers too
    "hdp_hmm": "#b8860b",
    "sticky": "#009e73",
    "lt": "#0072b2",
    "sticky_lt": "#d55e00",
    "factorial": "#8e5ba6",
}
MORE_HUES = ("#4a4a4a", "#56a0d3", "#a5483f", "#5b7f2b", "#c06a9a")  # the first unlike all of the above
CSS_DPI = 96  # what a browser takes an inch for
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
    """A finished figure: its file, what the page shows and what it says to those who do not see it."""

    name: str
    kind: str  # svg or png
    content: bytes
    width: int
    height: int
    alt: str
    caption: str
    wide: bool = False
    variant: str = ""  # of curves by sweep: what they show
    quantity: str = ""

    @property
    def file(self) -> str:
        """Its path in the report's directory."""
        return f"{FOLDER}/{self.name}.{self.kind}"


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


def store(
    figure, folder: pathlib.Path, name: str, alt: str, caption: str, wide: bool = False, dpi: int = 190
) -> Picture:
    folder.mkdir(parents=True, exist_ok=True)
    kind, content = "svg", drawing(figure)
    width, height = (round(CSS_DPI * inches) for inches in figure.get_size_inches())
    if len(content) > MOST_BYTES:
        figure.set_layout_engine("none")  # it is laid out; once is enough
        kind, (content, width, height) = "png", pixels(figure, dpi)
    (folder / f"{name}.{kind}").write_bytes(content)
    plt.close(figure)
    return Picture(name, kind, content, width, height, alt, caption, wide)
