"""The headline of a report as Markdown: claims with their verdicts and two figures, for reports/README.md and the like."""

import pandas as pd

from .claims import Judged
from .convergence import CONVERGED
from .evidence import bound, interval, published_words, tally, word_of
from .experiment import Experiment
from .figures import Picture
from .page import duration, minus

FILE = "headline.md"
N_FIGURES = 2
UNSETTLED = "†"
ABOUT_LENGTH = "What follows is about chains of that length."


def cell(judged: Judged | None) -> str:
    if judged is None:
        return ""
    verdict = judged.verdict
    if not judged.was_run:
        return f"**{word_of(judged)}**"
    if verdict.estimate.n == 0:
        return f"**{word_of(judged)}**: {verdict.reason}"
    about = "; ".join(filter(None, (verdict.decisive, published_words(judged), bound(judged))))
    mark = "" if judged.converged else f" {UNSETTLED}"
    return f"**{word_of(judged)}**{mark}<br>{interval(verdict.estimate, judged.claim.quantity)} ({about})"


def claims_table(experiments: dict[str, Experiment], judged: list[Judged]) -> list[str]:
    """Rows are claims; columns are (variant, sampler), of all experiments."""
    columns = list(dict.fromkeys((one.variant, one.sampler) for one in judged))
    heads = [f"ours: {variant}, {sampler}" for variant, sampler in columns]
    lines = ["| claim | published | " + " | ".join(heads) + " |", "|---" * (2 + len(columns)) + "|"]
    for name in dict.fromkeys(one.experiment for one in judged):
        lines.append(f"| **{experiments[name].title}** |" + " |" * (1 + len(columns)))
        of_experiment = [one for one in judged if one.experiment == name]
        for claim in {one.claim.id: one.claim for one in of_experiment}.values():
            found = {(one.variant, one.sampler): one for one in of_experiment if one.claim.id == claim.id}
            published = minus(claim.published) or "*our question*"
            cells = [claim.text, published, *(cell(found.get(column)) for column in columns)]
            lines.append("| " + " | ".join(text.replace("|", "\\|") for text in cells) + " |")
    return lines


def answers_table(experiments: dict[str, Experiment], judged: list[Judged]) -> list[str]:
    """Questions of ours, a row each: experiments have variants of their own, so columns for all would stand empty."""
    lines = ["| question | answer |", "|---|---|"]
    for one in judged:
        where = f"{experiments[one.experiment].title}, {one.variant}: {one.claim.text}"
        lines.append("| " + " | ".join(text.replace("|", "\\|") for text in (where, cell(one))) + " |")
    return lines


def chosen_figures(experiments: dict[str, Experiment], pictures: dict[str, list[Picture]]) -> dict[str, Picture]:
    """Titles and figures: those that experiments name, of the variant they name or else of the first there is."""
    out = {}
    for name, experiment in experiments.items():
        quantity, variant = experiment.headline.get("quantity"), experiment.headline.get("variant", "")
        found = [picture for picture in pictures.get(name, []) if quantity and picture.quantity == quantity]
        found.sort(key=lambda picture: picture.variant != variant)  # stable: else the first
        if found:
            out[f"{experiment.title}, variant {found[0].variant}"] = found[0]
    return dict(list(out.items())[:N_FIGURES])


def image(picture: Picture, width: str) -> str:
    return f'<img src="{picture.file}" width="{width}" alt="{picture.alt}">'


def side_by_side(experiments: dict[str, Experiment], pictures: dict[str, list[Picture]]) -> list[str]:
    chosen = chosen_figures(experiments, pictures)
    lines = [image(picture, "48%") for picture in chosen.values()]
    sides = ["Left: ", "Right: "] if len(chosen) > 1 else [""]
    captions = [f"{side}{experiment}. {picture.caption}" for side, (experiment, picture) in zip(sides, chosen.items())]
    return [*lines, "", " ".join(captions)] if lines else []


def data_lines(experiments: dict[str, Experiment], origins_of_data: dict[str, str]) -> list[str]:
    """What the data are, and of what the published curves are, a line per experiment that has runs."""
    lines = []
    for name, origin in origins_of_data.items():
        experiment = experiments[name]
        protocol = f" {experiment.protocol}" if experiment.published and experiment.protocol else ""
        lines.append(f"- {experiment.title}: {origin}.{protocol}")
    return lines


def markdown(
    name: str,
    experiments: dict[str, Experiment],
    judged: list[Judged],
    pictures: dict[str, list[Picture]],
    origins: pd.DataFrame,
    n_chains: int,
    missing: list[str],
    length: str,
    origins_of_data: dict[str, str],
) -> str:
    # a run whose chains are of several revisions lists them all
    revisions = ", ".join(dict.fromkeys(one for row in origins["revision"] for one in row.split(", ")))
    of_paper = any(one.claim.published for one in judged)
    lines = [
        "## Does the paper replicate?" if of_paper else "## What was found",
        "",
        f"`{name}`: {n_chains} chains, {duration(origins['seconds'].sum())} of sampling, revision {revisions};"
        f" [the report](index.html), [its numbers](claims.csv). {tally(judged) if judged else ''}".rstrip(),
        "",
    ]
    if length:
        lines += [f"{length} {ABOUT_LENGTH}" if length.startswith("**") else length, ""]
    if missing:
        lines += [f"**Not all chains are there**: {'; '.join(missing)}. What follows is from those that are.", ""]
    if judged:
        levels = " or ".join(f"{100 * level:g} %" for level in dict.fromkeys(one.claim.level for one in judged))
        lines += [
            *(claims_table if of_paper else answers_table)(experiments, judged),
            "",
            f"Ours: mean and {levels} interval, over chains, of the comparison that decides. No verdict is typed: each"
            f" follows from a rule that the report states. {UNSETTLED} R-hat is above {CONVERGED} or undefined: these"
            " chains had not converged.",
            "",
        ]
    lines += [*data_lines(experiments, origins_of_data), ""]
    return "\n".join(lines + side_by_side(experiments, pictures)).rstrip() + "\n"
