"""The page of a user's own chains: what they found, how sure it is, and whether they agree."""

import pathlib

import pandas as pd
from markupsafe import Markup

from . import tables
from .blocks import rhat_mark
from .chains import Chain, NotThere
from .convergence import CONVERGED, ess_bulk, rhat
from .data_sets import named, origin, seed, size
from .decoding import obstacle
from .figures import FOLDER
from .heldout import held_out
from .matrices import draw as draw_bits
from .output import Output
from .page import cell, duration, html_table, number, render
from .quantities import decimals, in_reader_order, label
from .segmentation import Segmentation, segment
from .user_data import UserData, read_chains, read_data
from .user_figures import N_SEQUENCES, draw_sequence, draw_traces
from .user_states import states_html

SHOWN_SEGMENTS = 60
SHOWN_NAMES = 6


def scalars(chain: Chain) -> list[str]:
    """What the chain recorded, what a reader cares about first."""
    scored = [q for q in ("test_log_likelihood", "test_log_likelihood_expected") if len(chain.series(q))]
    traced = [name for name in chain.trace.columns if name not in ("chain", "sweep") and not name.startswith("hmc_")]
    return in_reader_order([*scored, *traced])


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
    names = [label(name) for name in far["name"]]
    more = f" and {len(names) - SHOWN_NAMES} more" if len(names) > SHOWN_NAMES else ""
    return (
        f"The chains have not converged: R-hat is above {CONVERGED} for {', '.join(names[:SHOWN_NAMES])}{more}. What"
        " follows may change with longer chains."
    )


def diagnostics_html(found: pd.DataFrame) -> Markup:
    """What tells whether chains agree stands first, so that a narrow window shows it."""
    rows = [
        [
            label(row.name),
            rhat_mark(row.rhat),
            number(row.ess_bulk, 0),
            f"{number(row.mean, decimals(row.name))} ± {number(row.sd, decimals(row.name))}",
            number(row.ess_per_second, 2),
        ]
        for row in found.itertuples(index=False)
    ]
    caption = (
        "After burn-in, all chains together: rank-normalised split R-hat, bulk effective sample size (ESS), mean ±"
        " standard deviation"
    )
    return html_table(["quantity", "R-hat", "ESS", "value", "ESS per second"], rows, caption, "numbers")


def as_html(table: pd.DataFrame, caption: str, kind: str = "numbers") -> Markup:
    rows = [[cell(value) for value in row] for row in table.astype(object).itertuples(index=False)]
    return html_table([name.replace("_", " ") for name in table.columns], rows, caption, kind)


def heldout_html(score: pd.DataFrame, which_draws: str) -> Markup:
    named_rows = score.replace({"chain": r"^(\d+)$"}, r"chain \1", regex=True)
    caption = f"Log likelihood per step of the held-out data, states summed out. {which_draws}"
    return as_html(named_rows, caption, "numbers cards")


def no_segmentation(chain: Chain) -> str:
    why = obstacle(chain)
    if why:
        return f"{why}: there is no segmentation."
    return "No draws were stored after burn-in: there is no segmentation. run.draws_every sets how often they are."


def counted(n: int, what: str) -> str:
    return f"{n} {what}{'s' if n != 1 else ''}"


def segmentation_parts(chain: Chain, data: UserData, found: Segmentation | None, folder: pathlib.Path) -> dict:
    if found is None:
        return {"words": no_segmentation(chain), "pictures": [], "tables": []}
    certain = found.steps["change_probability"] > 0.5
    words = (
        f"{found.n_draws} draws of all chains were decoded. The consensus is the segmentation that is nearest to all of"
        f" them in variation of information ({found.origin}): {counted(found.states['state'].size, 'state')} in"
        f" {counted(len(found.segments), 'segment')}; at {counted(int(certain.sum()), 'step')} the state changes with a probability above one"
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
        tables.write_csv(getattr(found, name), folder.parent, name)
    return {"words": words, "pictures": pictures, "tables": blocks}


def bits_picture(chains: list[Chain], folder: pathlib.Path):
    """Posterior means of binary features, where the chains have them."""
    from .chains import Run
    from .experiment import Experiment

    run = Run(chains[0].directory.parent, "", "", "these data", "posterior mean", "", chains, [])
    experiment = Experiment("bits", "", models={"posterior mean": "posterior mean"})
    return draw_bits(experiment, [run], folder)


def model_words(config: dict) -> str:
    """What kind of model it is, as the paper calls it."""
    if config.get("model.dynamics") == "factorial":
        return "factorial HMM"
    sticky = "sticky " if config.get("priors.rho") or any(key.startswith("priors.rho.") for key in config) else ""
    semi = "semi-Markov " if config.get("model.dynamics") == "semi_markov" else ""
    similar = config.get("model.similarity.kind", "constant") != "constant"
    return f"{sticky}{semi}HDP-HMM{'-LT' if similar else ''}"


def write_user_report(
    directories: list[pathlib.Path], folder: pathlib.Path | None, name: str | None, out: pathlib.Path, say
) -> None:
    chains, notes = read_chains(directories)
    if (chains[0].directory / "scaling.parquet").exists():
        notes.append(
            "The channels were scaled when they were imported: parameters and likelihoods below are those of the scaled"
            " values; scaling.parquet of a chain has the mean and the scale of each channel."
        )
    where = folder or chains[0].data
    if where is None:
        raise NotThere(
            f"{chains[0].directory}: there is no {chains[0].named_data or 'data directory'}, on which it was trained, seen"
            " from here; name it with --data"
        )
    data = read_data(where)
    with Output(out) as partial:
        figures = partial / FOLDER
        found = segment(chains, data, say)
        parts = segmentation_parts(chains[0], data, found, figures)
        checks = diagnostics(chains)
        score, which_draws = held_out(chains)
        drawn = ("f1", "matched_f1", "features_used", "test_log_likelihood", "lambda", "states_used", "rho", "log_joint")
        wanted = [name for name in scalars(chains[0]) if name in drawn and all(len(chain.series(name)) for chain in chains)]
        traces = draw_traces(chains, wanted, figures)
        bits = bits_picture(chains, figures)
        tables.write_csv(checks, partial, "diagnostics")
        if len(score):
            tables.write_csv(score, partial, "heldout")
        first = chains[0]
        test = size(where / "test") if (where / "test").is_dir() else ""
        page = render(
            "user_run.html",
            self_contained=True,
            title=name or f"{named(where)}: {model_words(first.config)}",
            lead=(
                f"{len(chains)} chain{'s' if len(chains) > 1 else ''} of {first.n_sweeps:,} sweeps, burn-in"
                f" {first.burn_in:,}, on {where}: {size(where)}{f', and {test} held out' if test else ''};"
                f" {origin(where)}{seed(where)}."
            ),
            notes=notes,
            verdict=verdict(checks, len(chains)),
            agree=len(chains) > 1 and not (checks["rhat"] > CONVERGED).any(),
            segmentation=parts,
            bits=[bits] if bits else [],
            heldout=heldout_html(score, which_draws) if len(score) else "",
            diagnostics=diagnostics_html(checks),
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
