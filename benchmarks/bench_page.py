"""The benchmark page and the short table beside it, made from the tables of a results directory alone.

Example: .venv/bin/python benchmarks/bench_page.py benchmarks/results
"""

import html
import json
import pathlib
import sys

import pandas as pd

import bench_plots
import bench_table

STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; margin: .5rem 0; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: .88rem; }
th, td { text-align: left; padding: .25rem .7rem .25rem 0; border-bottom: 1px solid #ddd; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.figure { overflow-x: auto; } .figure svg { min-width: 22rem; max-width: 100%; height: auto; }
td:first-child { min-width: 8.5rem; } span { white-space: nowrap; } .met { color: #2c6b2c; } .not { color: #b5402a; font-weight: 600; } .busy { background: #fff3d6; padding: .5rem .8rem; }
summary { cursor: pointer; } p { max-width: 46rem; }
"""


def number(x) -> str:
    return "" if pd.isna(x) else f"{x:.3g}" if abs(x) < 1e5 else f"{x:,.0f}"


def html_table(table: pd.DataFrame) -> str:
    """Numbers to the right; cells that begin with '<' are ours and go in as they are."""
    right = [pd.api.types.is_numeric_dtype(table[c]) for c in table]
    head = "".join(f'<th{" class=n" if r else ""}>{html.escape(str(c))}</th>' for c, r in zip(table, right))
    body = []
    for row in table.itertuples(index=False):
        cells = []
        for value, is_number in zip(row, right):
            text = number(value) if is_number else "" if pd.isna(value) else str(value)
            cells.append(f'<td{" class=n" if is_number else ""}>{text if text.startswith("<") else html.escape(text)}</td>')
        body.append(f"<tr>{''.join(cells)}</tr>")
    return f'<div class="scroll"><table><tr>{head}</tr>{"".join(body)}</table></div>'


def goals_of(table: pd.DataFrame) -> pd.DataFrame:
    goals = bench_table.read_goals()[["name", "shape", "limit", "what"]]
    found = goals.merge(table, on=["name", "shape", "limit"], how="inner")
    found["label"] = found["what"]
    return found


def rates_of(timings: pd.DataFrame) -> pd.DataFrame:
    limits = timings[timings["name"].str.startswith("limit/")]
    rate = [
        f"{row.fma / row.seconds / 1e9:.1f} GFMA/s" if row.fma > 0 else f"{row.bytes / row.seconds / 1e9:.1f} GB/s"
        for row in limits.itertuples()
    ]
    names = limits["name"].str.removeprefix("limit/").str.replace("_", " ")
    return pd.DataFrame({"limit": names, "shape": limits["shape"], "seconds": limits["seconds"], "rate": rate})


def is_busy(machine: dict) -> bool:
    return float(machine["load average before"].split(",")[0]) > 0.5


def optional(path: pathlib.Path) -> pd.DataFrame | None:
    return pd.read_csv(path) if path.exists() else None


def sections(folder: pathlib.Path):
    """(title, text of the section) in the order of the page."""
    machine = json.loads((folder / "machine.json").read_text())
    table = pd.read_parquet(folder / "bench.parquet")
    timings = pd.read_csv(folder / "timings.csv")
    goals = goals_of(table)
    lost = timings[timings["name"].str.startswith("forward/") & (timings["untrusted"] > 0)]
    note = f"<p>Not in these forward passes: sequences that a sweep does again exactly ({html.escape(', '.join(lost['shape']))}).</p>"
    if not goals.empty:
        verdict = ["<span class=met>met</span>" if r <= g else "<span class=not>not met</span>" for r, g in zip(goals["ratio"], goals["goal"])]
        shown = goals[["what", "ratio", "goal", "seconds", "limit", "limit_seconds"]].rename(columns={"limit_seconds": "its seconds"})
        shown.insert(3, "", verdict)
        yield "Goals", (
            "<p>Every figure is a ratio to a limit of this machine, measured in the same run; a goal is the ratio to stay under.</p>"
            + bench_plots.draw_goals(goals) + html_table(shown) + ("" if lost.empty else note)
        )
    rates = rates_of(timings)
    is_main = ~rates["shape"].str.startswith("T=") | rates["shape"].isin(["T=2000 J=600", "T=2000 J=200", "T=2000 D=16"])
    yield "The machine's own limits", (
        "<p>The bare loop is the forward recursion and nothing else, as plain C++ (the faster of two ways to write it); memory is "
        "x = y + s z over arrays that no cache holds.</p>" + html_table(rates[is_main])
        + f"<details><summary>All shapes</summary>{html_table(rates)}</details>"
    )
    blocks = bench_plots.draw_blocks(timings, table)
    if blocks:
        yield "Where a sweep spends its time", blocks
    scaling = pd.read_csv(folder / "scaling.csv")
    if not scaling.empty:
        wide = scaling.assign(of=scaling["variable"] + " (" + scaling["at"] + ")").pivot(index="name", columns="of", values="exponent")
        wide = wide.reindex(dict.fromkeys(scaling["name"])).reset_index()
        yield "Scaling", (
            "<p>Exponents a of seconds ~ J<sup>a</sup> (or T<sup>a</sup>), fitted to live states with J of 100 and more.</p>"
            + bench_plots.draw_scaling(timings) + f"<details><summary>All exponents</summary>{html_table(wide)}</details>"
        )
    memory = pd.read_csv(folder / "memory.csv")
    memory.columns = ["shape", "peak of the process, MiB", "T x J floats, MiB"]
    yield "Memory", html_table(memory)
    peers = optional(folder / "peers.csv")
    if peers is not None and not peers.empty:
        columns = {"program": "program", "shape": "shape", "seconds": "seconds", "bare_loops": "bare loops", "does": "does", "leaves_out": "leaves out"}
        yield "Other programs, same shapes, same run", bench_plots.draw_peers(peers) + html_table(peers[list(columns)].rename(columns=columns))
    mixing = optional(folder / "mixing.csv")
    if mixing is not None:
        # what the section is about first: a narrow window cuts off the rest
        columns = {"start": "start", "states": "J", "dynamics": "dynamics", "quantity": "quantity", "effective_per_second": "effective/s",
                   "r_hat": "R-hat", "ms_per_sweep": "ms", "mean": "mean", "lowest_chain": "lowest", "highest_chain": "highest chain"}
        yield "Effective draws per second: beam or full pass", (
            "<p>One model, its states drawn by the full forward pass or in a beam: the same law, other steps towards it. Read the means "
            "and R-hat first: chains that have not met, or that stay where the other dynamics do not, have no effective draws to "
            f"speak of, whatever the formula gives. 0: a chain never moved. Each row: {mixing['draws'].iloc[0]} draws of all chains.</p>"
            + bench_plots.draw_mixing(mixing) + html_table(mixing[list(columns)].rename(columns=columns).replace("_", " ", regex=True))
        )
    counts = optional(folder / "instructions.csv")
    if counts is not None:
        yield "Instructions of one sweep", (
            "<p>Counted by callgrind on the portable build: free of noise, so a change of one percent is a change.</p>" + html_table(counts)
        )
    yield "All figures", f"<details><summary>{len(table)} rows of bench.parquet</summary>{html_table(table)}</details>"
    yield "Machine", html_table(pd.DataFrame({"": list(machine), " ": [str(v) for v in machine.values()]}))


def write_page(folder: pathlib.Path) -> None:
    machine = json.loads((folder / "machine.json").read_text())
    intro = html.escape(f"{machine['cpu']}, {machine['cores']} cores; {machine['compiler']}; {machine['BLAS']}; {machine['date']}; suite {machine['suite']}")
    busy = "<p class=busy>The machine was busy with other work when this run began: times are too long and ratios uncertain.</p>" if is_busy(machine) else ""
    body = "".join(f"<h2>{title}</h2>{text}" for title, text in sections(folder))
    page = (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>hmmlt: speed</title><style>{STYLE}</style></head><body><h1>hmmlt: speed</h1><p>{intro}</p>{busy}{body}</body></html>\n"
    )
    for name, text in (("bench.html", page), ("README.md", summary(folder, machine))):
        partial = folder / (name + ".partial")
        partial.write_text(text)
        partial.replace(folder / name)


def summary(folder: pathlib.Path, machine: dict) -> str:
    """The goals as Markdown, to be read where the files are browsed."""
    goals = goals_of(pd.read_parquet(folder / "bench.parquet"))
    lines = [
        "# Last benchmark run",
        "",
        "Written by `make bench`; [docs/performance.md](../../docs/performance.md) says how to read it. Everything: `bench.html`.",
        "",
        f"{machine['cpu']}, {machine['compiler']}, {machine['BLAS']}, revision {machine['revision']}, suite {machine['suite']}, {machine['date'][:10]}."
        + (" The machine was busy with other work: ratios are uncertain." if is_busy(machine) else ""),
        "",
        "| what | seconds | limit | ratio | goal | |",
        "|---|---|---|---|---|---|",
    ]
    for row in goals.itertuples():
        verdict = "met" if row.ratio <= row.goal else "not met"
        lines.append(f"| {row.what} | {number(row.seconds)} | {row.limit} | {row.ratio:.2f} | {row.goal:.2f} | {verdict} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    write_page(pathlib.Path(sys.argv[1]))
