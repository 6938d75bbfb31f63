"""What the front page takes from a report, as Markdown: a picture for those who read nothing else, and the answer."""

import dataclasses
import pathlib
import textwrap

from . import matrices
from .chains import Run
from .claims import Judged
from .data_sets import origins_line
from .evidence import found_words
from .experiment import Experiment
from .figures import Picture
from .headline import image

FILE = "front.md"
COLUMNS = 100  # the front page puts folders before the names here


def draw(experiments: dict[str, Experiment], runs: list[Run], folder: pathlib.Path) -> Picture | None:
    """Bits by step of the models that the first experiment names for this, in the variant that it names or else the first."""
    for experiment in experiments.values():
        about = experiment.front
        mine = [run for run in runs if run.experiment == experiment.name and run.model in about.get("models", [])]
        mine.sort(key=lambda run: run.variant != about.get("variant"))
        alike = [run for run in mine if all(getattr(run, x) == getattr(mine[0], x) for x in ("variant", "sampler", "data"))]
        picture = matrices.draw(experiment, alike, folder, "front") if alike else None
        if picture:
            return with_words(experiment, mine[0].variant, origins_line(alike), picture)
    return None


def with_words(experiment: Experiment, variant: str, origin: str, picture: Picture) -> Picture:
    words = " ".join(str(experiment.front.get("words", "")).split())
    return dataclasses.replace(picture, caption=f"{words} ({experiment.title}, variant {variant}: {origin}.)")


def answer(judged: list[Judged]) -> str:
    of_paper = [one for one in judged if one.claim.published]
    n, words, converged = found_words(of_paper or judged)
    asked = "Does the paper replicate?" if of_paper else "What was found?"
    return f"**{asked}** {n} verdict{'s' if n != 1 else ''}: {words}; {converged} ([the report](index.html))."


def markdown(judged: list[Judged], showing: Picture | None, missing: list[str], length: str) -> str:
    lines = [image(showing, "100%"), f"*{showing.caption}*"] if showing else []
    if judged:
        short = [length] if length.startswith("**") else []
        absent = ["**Not all chains are there.**"] if missing else []
        lines.append(" ".join([answer(judged), *short, *absent]))
    wrap = textwrap.TextWrapper(COLUMNS, break_long_words=False, break_on_hyphens=False)
    return "\n\n".join(wrap.fill(line) for line in lines) + "\n"
