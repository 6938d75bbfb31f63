"""What the front page takes from a report, as Markdown: a picture for those who read nothing else, and the answer."""

import textwrap

from .claims import Judged
from .evidence import found_words
from .experiment import Experiment
from .figures import Picture
from .headline import image, of_headline
from .matrices import QUANTITY

FILE = "front.md"
WIDTH = "66%"  # such a picture is a page high at its full width
COLUMNS = 100  # the front page puts folders before the names here


def showing(experiments: dict[str, Experiment], pictures: dict[str, list[Picture]], of_data: dict[str, str]) -> list[str]:
    """The bits by step of the first experiment that says what they show."""
    for name, experiment in experiments.items():
        picture = of_headline(experiment, pictures.get(name, []), QUANTITY)
        words = " ".join(experiment.headline.get("front", "").split())
        if picture and words:
            where = f"{experiment.title}, variant {picture.variant}: {of_data.get(name, 'data of unknown origin')}."
            return [image(picture, WIDTH), f"*{words} ({where})*"]
    return []


def answer(judged: list[Judged]) -> str:
    of_paper = [one for one in judged if one.claim.published]
    n, words, converged = found_words(of_paper or judged)
    asked = "Does the paper replicate?" if of_paper else "What was found?"
    return f"**{asked}** {n} verdict{'s' if n != 1 else ''}: {words}; {converged} ([the report](index.html))."


def markdown(
    experiments: dict[str, Experiment],
    judged: list[Judged],
    pictures: dict[str, list[Picture]],
    missing: list[str],
    length: str,
    of_data: dict[str, str],
) -> str:
    lines = showing(experiments, pictures, of_data)
    if judged:
        short = [length] if length.startswith("**") else []
        absent = ["**Not all chains are there.**"] if missing else []
        lines.append(" ".join([answer(judged), *short, *absent]))
    wrap = textwrap.TextWrapper(COLUMNS, break_long_words=False, break_on_hyphens=False)
    return "\n\n".join(wrap.fill(line) for line in lines) + "\n"
