"""The table of a user's states: how much there is of each, how long it lasts, how sure it is, and what it emits."""

import pandas as pd
from markupsafe import Markup

from .page import cell, html_table, number
from .user_data import UserData

SHOWN_STATES = 40


def spread(state: dict, mean: str, sd: str, digits: int) -> str:
    return f"{number(state[mean], digits)} ± {number(state[sd], digits)}"


def states_html(states: pd.DataFrame, data: UserData) -> Markup:
    """Shares and lengths, then what a state emits; states.csv has the spread over draws too, and all states."""
    n_states, states = len(states), states.head(SHOWN_STATES)
    columns = [  # pairs, not a dictionary: a channel may be called "state"
        ("state", lambda state: state["state"]),
        ("share", lambda state: f"{100 * state['share']:.1f} %"),
        ("segments", lambda state: state["segments"]),
        ("mean length", lambda state: number(state["mean_length"], 1)),
    ]
    how = "parameters are means over the draws that have the state"
    if "mean_duration" in states:
        law = ("mean_duration", "mean_duration, sd over draws", 1)
        columns.append(("learnt duration", lambda state: spread(state, *law)))
        how += "; learnt duration: steps that the state's own law expects, mean ± standard deviation over draws"
    columns.append(("in draws", lambda state: f"{100 * state['in_draws']:.0f} %"))
    columns.append(("support", lambda state: number(state["support"], 2)))
    if any(f"{name}: mean" in states for name in data.channels):
        how += "; of a channel: mean ± standard deviation of what the state emits"
        for name in data.channels:
            columns.append((name, lambda state, name=name: spread(state, f"{name}: mean", f"{name}: sd", 2)))
    else:
        others = [name for name in states.columns[list(states).index("support") + 1 :] if "mean_duration" not in name]
        columns += [(name, lambda state, name=name: cell(state[name])) for name in others]
    if n_states > SHOWN_STATES:
        how += f"; the first {SHOWN_STATES} of {n_states}, all in states.csv"
    rows = [[shown(state) for _, shown in columns] for state in states.to_dict("records")]
    caption = f"States of the consensus, most frequent first; {how}"
    return html_table([name for name, _ in columns], rows, caption, "numbers")
