"""The page of a user's own chains: what they found, how sure it is, and whether they agree."""

import pathlib

import numpy as np
import pandas as pd
from markupsafe import Markup
from scipy.special import logsumexp

from . import tables
from .chains import Chain, ReportError, read_table
from .convergence import CONVERGED, ess_bulk, rhat
from .data_sets import corpus, size
from .matrices import draw as draw_bits
from .output import Output
from .page import duration, html_table, number, render
from .segmentation import Segmentation, segment
from .user_data import UserData, read_chains, read_data
from .user_figures import N_SEQUENCES, draw_sequence, draw_traces

SHOWN_SEGMENTS = 60


def held_out(chains: list[Chain]) -> pd.DataFrame:
    """Per chain and pooled: mean log likelihood per step of the test data, and the posterior predictive average."""
    frames = []
    for place, chain in enumerate(chains):
        path = chain.directory / "heldout.parquet"
        table = read_table(path) if path.exists() else pd.DataFrame()
        if len(table) and len(table := table[table["sweep"] > chain.burn_in]):
            frames.append(table.assign(place=place))
    if not frames:
        return pd.DataFrame()
    rows = [{"chain": str(chains[f["place"].iloc[0]].number)} | scores(f) for f in frames]
    if len(frames) > 1:
        rows.append({"chain": "all together"} | scores(pd.concat(frames)))
    return pd.DataFrame(rows)


def scores(table: pd.DataFrame) -> dict:
    n = table.groupby("sequence")["n"].first().sum()
    draws = table.groupby(["place", "sweep"]).ngroups
    out = {"draws": draws}
    for column, name in (("log_likelihood", "drawn emission"), ("log_likelihood_expected", "expected emission")):
        pooled = (
            table.groupby("sequence")[column]
            .apply(lambda values: logsumexp(values.to_numpy()) - np.log(len(values)))
            .sum()
        )
        out |= {f"mean, {name}": table[column].sum() / draws / n, f"posterior predictive, {name}": pooled / n}
    return out


def scalars(chain: Chain) -> list[str]:
    return [name for name in chain.trace.columns if name not in ("chain", "sweep") and not name.startswith("hmc_")]


def diagnostics(chains: list[Chain]) -> pd.DataFrame:
    seconds = sum(chain.seconds_after(chain.burn_in) for chain in chains)
    rows = []
    for name in scalars(chains[0]):
        values = [chain.after_burn_in(name) for chain in chains]
        if any(len(of_one) == 0 for of_one in values):
            continue
        ess = ess_bulk(chains, name)
        pooled = pd.concat(values)
        rows.append(
            {
                "name": name,
                "mean": pooled.mean(),
                "sd": pooled.std(),
                "rhat": rhat(chains, name),
                "ess_bulk": ess,
                "ess_per_second": ess / seconds,
            }
        )
    return pd.DataFrame(rows, columns=["name", "mean", "sd", "rhat", "ess_bulk", "ess_per_second"])


def verdict(found: pd.DataFrame, n_chains: int) -> str:
    """Do the chains agree, in a sentence."""
    if n_chains < 2:
        return "There is one chain: whether it has converged cannot be told. Train at least four."
    far = found[found["rhat"] > CONVERGED]
    if len(far) == 0:
        return f"The chains agree: R-hat is at most {CONVERGED} for every scalar."
    return (
        f"The chains have not converged: R-hat is above {CONVERGED} for {', '.join(far['name'])}. What follows may"
        " change with longer chains."
    )


def cell(value) -> str | Markup:
    return number(value, 3) if isinstance(value, float) else str(value)


def as_html(table: pd.DataFrame, caption: str) -> Markup:
    rows = [[cell(value) for value in row] for row in table.astype(object).itertuples(index=False)]
    return html_table([name.replace("_", " ") for name in table.columns], rows, caption, "numbers")


def states_html(states: pd.DataFrame, data: UserData) -> Markup:
    """Shares and lengths, then what a state emits; states.csv has the spread over draws too."""
    columns = ["state", "share", "segments", "mean length", "in draws", "support"]
    rows = [
        [
            row["state"],
            f"{100 * row['share']:.1f} %",
            row["segments"],
            number(row["mean_length"], 1),
            f"{100 * row['in_draws']:.0f} %",
            number(row["support"], 2),
        ]
        for row in states.to_dict("records")
    ]
    how = "parameters are means over the draws that have the state"
    if f"{data.channels[0]}: mean" in states if data.channels else False:
        columns += data.channels
        how += "; of a channel: mean ± standard deviation of what the state emits"
        for row, state in zip(rows, states.to_dict("records")):
            row += [
                f"{number(state[f'{name}: mean'], 2)} ± {number(state[f'{name}: sd'], 2)}" for name in data.channels
            ]
    else:
        others = [
            name for name in states if name not in ("state", "share", "segments", "mean_length", "in_draws", "support")
        ]
        columns += others
        for row, state in zip(rows, states.to_dict("records")):
            row += [cell(state[name]) for name in others]
    return html_table(columns, rows, f"States of the consensus, most frequent first; {how}", "numbers")


def segmentation_parts(data: UserData, found: Segmentation | None, folder: pathlib.Path) -> dict:
    if found is None:
        why = (
            "These chains hold no draws with one state at a time (a factorial model, or none was stored after burn-in):"
            " there is no segmentation. run.draws_every sets how often draws are stored."
        )
        return {"words": why, "pictures": [], "tables": []}
    certain = found.steps["change_probability"] > 0.5
    words = (
        f"{found.n_draws} draws of all chains were decoded. The consensus is the segmentation that is nearest to all of"
        f" them in variation of information ({found.origin}): {found.states['state'].size} states in"
        f" {len(found.segments)} segments; at {int(certain.sum())} steps the state changes with a probability above one"
        " half. States of different draws are matched by the steps they share, so nothing here depends on how they are"
        " numbered."
    )
    sequences = list(dict.fromkeys(data.sequence.tolist()))
    pictures = [draw_sequence(data, found, s, folder) for s in sequences[:N_SEQUENCES]]
    if len(sequences) > N_SEQUENCES:
        words += f" The first {N_SEQUENCES} of {len(sequences)} sequences are drawn; steps.csv has all."
    shown = found.segments.head(SHOWN_SEGMENTS)
    more = (
        f"; the first {SHOWN_SEGMENTS} of {len(found.segments)}, all in segments.csv"
        if len(found.segments) > SHOWN_SEGMENTS
        else ""
    )
    blocks = [
        states_html(found.states, data),
        Markup("<details><summary>Segments</summary>{}</details>").format(
            as_html(shown, f"Segments of the consensus{more}")
        ),
    ]
    for name in ("steps", "segments", "states"):
        tables.write(getattr(found, name), folder.parent, name)
    return {"words": words, "pictures": pictures, "tables": blocks}


def bits_picture(chains: list[Chain], folder: pathlib.Path):
    """Posterior means of binary features, where the chains have them."""
    from .chains import Run
    from .experiment import Experiment

    run = Run(chains[0].directory.parent, "", "", "these data", "posterior mean", "", chains, [])
    experiment = Experiment("bits", "", models={"posterior mean": "posterior mean"})
    return draw_bits(experiment, [run], folder)


def write_user_report(directories: list[pathlib.Path], folder: pathlib.Path | None, out: pathlib.Path, say) -> None:
    chains, notes = read_chains(directories)
    if (chains[0].directory / "scaling.parquet").exists():
        notes.append(
            "The channels were scaled when they were imported: parameters and likelihoods below are those of the scaled"
            " values; scaling.parquet of a chain has the mean and the scale of each channel."
        )
    where = folder or chains[0].data
    if where is None:
        raise ReportError(
            f"{chains[0].directory}: the data directory it was trained on is not there any more; name it with --data"
        )
    data = read_data(where)
    with Output(out) as partial:
        figures = partial / "figures"
        found = segment(chains, data, say)
        parts = segmentation_parts(data, found, figures)
        checks = diagnostics(chains)
        score = held_out(chains)
        wanted = [name for name in ("log_joint", "states_used", "lambda", "rho") if name in chains[0].trace]
        traces = draw_traces(chains, wanted, figures)
        bits = bits_picture(chains, figures)
        tables.write(checks, partial, "diagnostics")
        if len(score):
            tables.write(score, partial, "heldout")
        first = chains[0]
        test = size(where / "test") if (where / "test").is_dir() else ""
        page = render(
            "user_run.html",
            title=f"hmmlt: {first.directory.parent}",
            lead=(
                f"{len(chains)} chain{'s' if len(chains) > 1 else ''} of {first.n_sweeps:,} sweeps, burn-in"
                f" {first.burn_in:,}, on {where}: {size(where)}{f', and {test} held out' if test else ''};"
                f" {corpus(where)}."
            ),
            notes=notes,
            verdict=verdict(checks, len(chains)),
            agree=len(chains) > 1 and not (checks["rhat"] > CONVERGED).any(),
            segmentation=parts,
            bits=[bits] if bits else [],
            heldout=(
                as_html(score, "Log likelihood per step of the held-out data after burn-in, states summed out")
                if len(score)
                else ""
            ),
            diagnostics=as_html(
                checks, "After burn-in, all chains together; rank-normalised split R-hat, bulk effective sample size"
            ),
            traces=traces,
            settings=html_table(
                ["setting", "value"], [[k, str(v)] for k, v in first.config.items()], "The configuration in force"
            ),
            origin=(
                f"Revision {first.provenance.get('revision', 'unknown')}; machine"
                f" {first.provenance.get('host', 'unknown')}; instruction set"
                f" {first.provenance.get('instruction_set', 'unknown')}; seeds"
                f" {', '.join(dict.fromkeys(c.seed for c in chains))}; {duration(sum(c.seconds for c in chains))} of"
                " sampling."
            ),
        )
        (partial / "index.html").write_text(page)
