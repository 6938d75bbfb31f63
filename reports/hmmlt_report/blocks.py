"""The blocks of a report's page that are tables: summaries, diagnostics, settings, origins."""

import numpy as np
import pandas as pd
from markupsafe import Markup

from . import tables
from .bands import t_factor
from .chains import Run
from .convergence import CONVERGED, FEWEST
from .curves import LIKELIHOODS
from .experiment import Experiment
from .heldout import ENOUGH
from .length import shortened
from .page import duration, html_table, number
from .published import WINDOW
from .quantities import decimals, in_reader_order, meaning

LEVEL = 0.95  # of the intervals in tables
DIAGNOSED = ("f1", "matched_f1", "features_used", "lambda", "states_used", "rho", "alpha", "gamma", "log_joint")
DIAGNOSED += LIKELIHOODS
POOLED = ("pooled_log_predictive", "pooled_log_predictive_expected", "pooled_f1", "pooled_matched_f1")


def columns_of(experiment: Experiment, runs: list[Run]) -> list[str]:
    """Models with a column of their own; brackets stand in those of their models."""
    models = {run.model for run in runs if run.chains}
    return experiment.in_order(
        {m for m in models if not experiment.is_bracket(m)} or {experiment.base(m) for m in models}
    )


def summary_table(experiment: Experiment, runs: list[Run], summary: pd.DataFrame) -> Markup:
    """Rows: quantities, of each data set. Columns: models. Cells: mean ± sd over chains, published, R-hat."""
    there = set(summary["quantity"])
    quantities = [q for q in (*tables.quantities_of(experiment, runs), *POOLED) if q in there]
    models, data_sets = columns_of(experiment, runs), list(dict.fromkeys(run.data for run in runs))
    rows = []
    for quantity in quantities:
        here = summary[summary["quantity"] == quantity]
        if len(data_sets) > 1:
            rows.append([experiment.label(quantity)])
        for data in data_sets:
            name = data if len(data_sets) > 1 else experiment.label(quantity)
            rows.append([name, *(summary_cell(experiment, here, data, model) for model in models)])
    n_chains = sorted({len(run.chains) for run in runs if run.chains and not experiment.is_bracket(run.model)})
    published = ", ".join(filter(None, (WINDOW, experiment.other_settings(runs[0].variant))))
    below = f"the published value ({published}) and R-hat"
    caption = (
        f"After burn-in: mean over {' or '.join(map(str, n_chains))} chains ± their standard deviation; below it"
        f" {below if experiment.published else 'R-hat'}, where there is one."
    )
    dynamics = {run.chains[0].config.get("model.dynamics") for run in runs if run.chains}
    if "states_used" in there and "factorial" in dynamics:
        caption += " States of a factorial model: different combinations of its bits that occur."
    caption += predictive_words(summary)
    columns = ["data" if len(data_sets) > 1 else "quantity", *map(experiment.model_name, models)]
    return html_table(columns, rows, caption, "numbers cards")


def predictive_words(summary: pd.DataFrame) -> str:
    """What the averages over draws are worth."""
    if not summary["draws_that_count"].notna().any():
        return ""
    words = (
        " Posterior predictive: of each chain, over as many draws of every model; R-hat is that of the scores it averages;"
        " draws that count: 1/Σw², w being the share of a draw in the average, median over test sequences."
    )
    if (summary["draws_that_count"] < ENOUGH).any():
        words += " Where that is near 1, the average is the likelihood of the best draw less log n."
    return words


def summary_cell(experiment: Experiment, of_quantity: pd.DataFrame, data: str, model: str) -> Markup | str:
    of_data = of_quantity[of_quantity["data"] == data]
    found = of_data[of_data["model"] == model]
    cell = Markup("")
    if len(found):
        entry, digits = found.iloc[0], decimals(found.iloc[0]["quantity"])
        cell += number(entry["mean"], digits)
        if np.isfinite(entry["sd_chains"]):
            cell += f" ± {number(entry['sd_chains'], digits)}"
        if np.isfinite(entry.get("draws_that_count", np.nan)):
            half = t_factor(int(entry["n_chains"]), LEVEL) * entry["sd_chains"]
            low, high = number(entry["mean"] - half, digits), number(entry["mean"] + half, digits)
            cell += Markup("<small>{:g} % [{}, {}]</small>").format(100 * LEVEL, low, high)
            cell += Markup("<small>{:.1f} of {:.0f} draws count</small>").format(entry["draws_that_count"], entry["n_draws"])
        if np.isfinite(entry["published"]):
            cell += Markup("<small>published {}</small>").format(number(entry["published"], digits))
        if not pd.isna(entry["rhat"]):
            cell += Markup("<small>R-hat {}</small>").format(rhat_mark(entry["rhat"]))
        elif words := undefined(entry):
            cell += Markup("<small>{}</small>").format(words)
    for other in of_data.itertuples():
        if experiment.is_bracket(other.model) and experiment.base(other.model) == model:
            title = experiment.model_name(other.model).partition(", ")[2]
            cell += Markup("<small>{} {}</small>").format(title, number(other.mean, decimals(other.quantity)))
    return cell


def undefined(entry) -> str:
    """Why a row of the summary or of diagnostics has no R-hat; empty where it is not about chains, or has another reason."""
    n, chains = entry.get("n_draws", np.nan), entry.get("n_chains", np.nan)
    if not np.isfinite(n) or np.isnan(chains):
        return ""
    if chains < 2:
        return "R-hat undefined: one chain"
    what = "score" if entry.get("quantity", entry.get("name")) in LIKELIHOODS else "value"
    return f"R-hat undefined: {n:.0f} {what}{'s' if n != 1 else ''}" if n < FEWEST else ""


def rhat_number(value: float) -> str:
    """Two decimals, or three where two would show the limit itself and leave open on which side of it the value is."""
    text = number(value, 2)
    return number(value, 3) if text == number(CONVERGED, 2) else text


def rhat_mark(value: float) -> Markup | str:
    """Red where chains have not converged."""
    text = rhat_number(value)
    return Markup('<span class="far">{}</span>').format(text) if value > CONVERGED else text


def glossary(experiment: Experiment, summary: pd.DataFrame) -> list[dict]:
    """What the quantities of a summary are, in a phrase each."""
    there = in_reader_order(summary["quantity"])
    return [{"name": experiment.label(q), "meaning": meaning(q)} for q in there if meaning(q)]


def length_note(experiment: Experiment, runs: list[Run]) -> str:
    """Sweeps and burn-in, and what part of the full length that is."""
    chains = [chain for run in runs for chain in run.chains]
    if not chains:
        return ""
    sweeps, burn_in = sorted({chain.n_sweeps for chain in chains}), sorted({chain.burn_in for chain in chains})
    note = f"{' or '.join(f'{s:,}' for s in sweeps)} sweeps, burn-in {' or '.join(f'{b:,}' for b in burn_in)}"
    words = shortened(experiment, runs)
    return f"{note}{': ' + words if words else ''}."


def diagnostics_block(experiment: Experiment, runs: list[Run], summary: pd.DataFrame) -> Markup:
    """Rows: quantities, of each variant, sampler and data set. Columns: models."""
    by_stage = tables.diagnostics(runs)
    scores = summary[summary["quantity"].isin(LIKELIHOODS)].rename(columns={"quantity": "name"})
    parts = [part for part in (by_stage, scores) if len(part)]
    if not parts:
        return Markup("<p>No diagnostics/ beside these chains: hmmlt-diagnose writes them.</p>")
    table = pd.concat(parts)
    table = table[table["name"].isin(DIAGNOSED)]
    models = experiment.in_order(set(table["model"]))
    rows = []
    for variant, sampler, data in dict.fromkeys((run.variant, run.sampler, run.data) for run in runs):
        here = table[(table["variant"] == variant) & (table["sampler"] == sampler) & (table["data"] == data)]
        rows.append([f"{variant} · {sampler} · {data}"])
        for name in in_reader_order(here["name"]):
            of_name = here[here["name"] == name].set_index("model")
            rows.append([experiment.label(name), *(diagnostics_cell(of_name, model) for model in models)])
    caption = (
        "Rank-normalised split R-hat, bulk effective sample size (ESS) and ESS per second of sampling, after burn-in and"
        f" of all chains of a run together; above {CONVERGED} R-hat is red. diagnostics.parquet has every scalar."
    )
    return html_table(["quantity", *map(experiment.model_name, models)], rows, caption, "numbers cards")


def chains_block(experiment: Experiment, runs: list[Run], of_chains: pd.DataFrame) -> Markup:
    """Rows: chains. Columns: what the figures show, and alpha, which tells places apart in which chains stay."""
    shown = [q for q in dict.fromkeys([*experiment.figures, experiment.score, "alpha"]) if q in set(of_chains["quantity"])]
    wide = of_chains.pivot_table(index=[*tables.KEYS, "chain"], columns="quantity", values="mean", sort=False)
    rows = []
    for run in runs:
        for chain in run.chains:
            values = wide.loc[(*tables.keys_of(run).values(), chain.number)]
            name = f"{run.variant} · {run.sampler} · {run.data} · {experiment.model_name(run.model)}, chain {chain.number}"
            cells = [number(values.get(q, np.nan), decimals(q)) if np.isfinite(values.get(q, np.nan)) else "" for q in shown]
            rows.append([name, *cells])
    caption = "Means after burn-in of each chain: where those of one model lie apart, their mean and its interval say little"
    return html_table(["chain", *map(experiment.label, shown)], rows, caption, "numbers cards")


def diagnostics_cell(of_name: pd.DataFrame, model: str) -> Markup | str:
    if model not in of_name.index:
        return ""
    entry = of_name.loc[model]
    if pd.isna(entry["rhat"]):
        return undefined(entry)
    cell = Markup("{}<small>ESS {}</small>").format(rhat_mark(entry["rhat"]), number(entry["ess_bulk"], 0))
    if np.isfinite(entry.get("ess_per_second", np.nan)):
        cell += Markup("<small>{} per s</small>").format(number(entry["ess_per_second"], 2))
    return cell


def settings_block(experiment: Experiment, runs: list[Run]) -> Markup | None:
    """What all models share once; then what differs, model by model."""
    table = tables.settings(experiment, runs)
    if table.empty:
        return None
    shared = table.apply(lambda row: len(set(row)) == 1, axis=1)
    blocks = Markup("")
    if shared.any():
        rows = [[key, values.iloc[0]] for key, values in table[shared].iterrows()]
        blocks += html_table(["setting", "value"], rows, "The same for all models; keys as in a model file")
    if not shared.all():
        rows = [[key, *values] for key, values in zip(table.index[~shared], table[~shared].to_numpy().tolist())]
        caption = "What differs; empty: not a key of that model"
        blocks += html_table(["setting", *table.columns], rows, caption, "cards")
    return blocks


def origins_table(origins: pd.DataFrame) -> Markup:
    rows = [
        [
            f"{row.experiment}/{row.variant}/{row.data}/{row.model}/{row.sampler}",
            row.chains,
            row.seeds,
            row.sweeps,
            duration(row.seconds_per_chain),
            row.revision,
            row.host,
        ]
        for row in origins.itertuples()
    ]
    columns = ["run", "chains", "seeds", "sweeps", "time per chain", "revision", "machine"]
    return html_table(columns, rows, "Wall time is the sum over sweeps of timing.parquet", "cards")


def origin_words(origins: pd.DataFrame) -> str:
    def every(column: str) -> str:
        return "; ".join(dict.fromkeys(v for v in origins[column] if v)) or "unknown"

    return (
        f"Revision {every('revision')}; machine {every('host')}; instruction set {every('instruction_set')}; BLAS"
        f" {every('blas')}; seeds {every('seeds')}; {duration(origins['seconds'].sum())} of sampling in all; last chain"
        f" finished {origins['finished'].max() or 'at an unknown time'}."
    )
