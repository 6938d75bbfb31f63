"""Chains as ArviZ InferenceData: posterior and sample_stats with dimensions chain and draw.

    import arviz
    from hmmlt_arviz import load
    arviz.plot_trace(load(["results/mine/chain-0", "results/mine/chain-1"]))
"""

import json
import pathlib
import tomllib

try:
    import arviz
except ModuleNotFoundError:
    raise ImportError("ArviZ is not installed in this Python; make setup-test installs it into .venv") from None
import numpy as np
import pyarrow.parquet as pq

# Columns of a trace that are no parameters of the model. So are scores, which some sweeps leave out.
STATISTICS = ("log_", "hmc_", "states_used")


def read_trace(directory):
    """The trace of a chain directory as a pyarrow table, and its provenance (None for a file hmmlt did not write)."""
    table = pq.read_table(pathlib.Path(directory) / "trace.parquet")
    provenance = (table.schema.metadata or {}).get(b"hmmlt.provenance")
    return table, None if provenance is None else json.loads(provenance)


def configured_burn_in(provenance):
    """run.burn_in of the model that a chain was run with, 1000 if it says nothing (docs/formats.md); 0 if unknown."""
    if not provenance:
        return 0
    return tomllib.loads(provenance["config"]).get("run", {}).get("burn_in", 1000)


def load(directories, burn_in=None):
    """Chains of one model at the sweeps after burn-in that all of them have.

    Coordinates are the numbers of chains and of sweeps. A scalar that is missing at some sweeps is NaN there. The
    attributes `hmmlt_burn_in` and `hmmlt_provenance` (JSON, a list by chain) say where the draws come from.
    """
    traces, provenances = zip(*(read_trace(directory) for directory in directories))
    names = traces[0].column_names
    for directory, trace, provenance in zip(directories, traces, provenances):
        if set(trace.column_names) != set(names):
            differing = sorted(set(trace.column_names) ^ set(names))
            raise ValueError(f"{directory}: other columns than in {directories[0]}: {', '.join(differing)}")
        if provenance and provenances[0] and provenance["config"] != provenances[0]["config"]:
            raise ValueError(f"{directory}: another model than in {directories[0]}")
    if burn_in is None:
        burn_in = configured_burn_in(provenances[0])

    numbers = [trace["chain"][0].as_py() for trace in traces]
    if len(set(numbers)) < len(numbers):  # the same numbers under several seeds
        numbers = list(range(len(traces)))
    sweeps = [trace["sweep"].to_numpy() for trace in traces]
    shared = sweeps[0][sweeps[0] > burn_in]
    for of_chain in sweeps[1:]:
        shared = np.intersect1d(shared, of_chain)
    if shared.size == 0:
        raise ValueError(f"after a burn-in of {burn_in} sweeps, no sweep is left that all {len(traces)} chains have")

    posterior, statistics = {}, {}
    for name in (n for n in names if n not in ("chain", "sweep")):
        values = np.stack(
            [
                trace[name].to_numpy(zero_copy_only=False).astype(float)[np.searchsorted(of_chain, shared)]
                for trace, of_chain in zip(traces, sweeps)
            ]
        )
        is_statistic = name.startswith(STATISTICS) or any(trace[name].null_count > 0 for trace in traces)
        (statistics if is_statistic else posterior)[name] = values
    attributes = {
        "hmmlt_burn_in": int(burn_in),
        "hmmlt_provenance": json.dumps(provenances, sort_keys=True),
        "inference_library": "hmmlt",
    }
    return arviz.from_dict(
        posterior=posterior or None,
        sample_stats=statistics or None,
        coords={"chain": numbers, "draw": shared},
        attrs=attributes,
        posterior_attrs=attributes,
        sample_stats_attrs=attributes,
    )
