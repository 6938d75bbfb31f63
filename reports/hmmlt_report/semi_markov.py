"""Steps under one draw of a semi-Markov model: messages over segments and how long they last, all as logarithms."""

from dataclasses import dataclass

import numpy as np
from scipy import special

DURATIONS = ("omega", "duration_r", "duration_log_p", "duration_log_1mp")  # of each state, by one law or the other
NEGLIGIBLE = 40.0  # what is this far below a sum (in nats) is lost in its rounding
FIRST_LENGTHS = 32


@dataclass(frozen=True)
class Durations:
    log_law: np.ndarray  # durations 1, 2, ... x states: log P(dur = d)
    log_survival: np.ndarray  # log P(dur >= d)


def has_durations(arrays: dict[str, np.ndarray]) -> bool:
    return any(name in arrays for name in DURATIONS)


def mean_durations(arrays: dict[str, np.ndarray]) -> np.ndarray:
    """Of each state, by its law: docs/model.md (80), (82)."""
    if "omega" in arrays:
        return 1.0 + arrays["omega"][0]
    r, log_p, log_1mp = (arrays[name][0] for name in DURATIONS[1:])
    return 1.0 + r * np.exp(log_1mp - log_p)


@np.errstate(divide="ignore")  # log 0
def duration_table(arrays: dict[str, np.ndarray], longest: int) -> Durations:
    """(80), (82). Tails are sums from their small end, as logarithms: data may ask for what the law all but excludes.

    Twice as long as needed, because what lies beyond may be below the smallest double and then counts as nothing: next
    to P(dur >= longest) it is nothing, being about its square.
    """
    n_rows = 2 * longest
    d = np.arange(1.0, n_rows + 1)[:, None]
    if "omega" in arrays:
        omega = arrays["omega"]
        log_law = special.xlogy(d - 1, omega) - omega - special.gammaln(d)
        beyond = special.gammainc(n_rows, omega)
    else:
        r, log_p, log_1mp = (arrays[name] for name in DURATIONS[1:])
        log_law = r * log_p + (d - 1) * log_1mp - special.betaln(d, r) - np.log(d - 1 + r)
        beyond = special.betainc(n_rows, r, np.exp(log_1mp))
    from_the_end = np.concatenate([np.log(beyond), log_law[::-1]])
    log_survival = np.logaddexp.accumulate(from_the_end)[::-1]
    return Durations(log_law[:longest], log_survival[:longest])


def log_sum(terms: np.ndarray) -> np.ndarray:
    """log of the sum of exp(terms) over rows; -infinity where all of them are."""
    shift = np.maximum(terms.max(axis=0), np.finfo(float).min)
    return np.log(np.exp(terms - shift).sum(axis=0)) + shift


class Leads:
    """Messages of the ends of segments so far, the likelihood up to them taken off: what a duration is added to."""

    def __init__(self, shape: tuple[int, int]):
        self.values = np.empty(shape)
        self.largest = np.empty(shape)  # of each state, up to here
        self.n = 0

    def add(self, lead: np.ndarray) -> None:
        self.values[self.n] = lead
        self.largest[self.n] = np.maximum(lead, self.largest[self.n - 1]) if self.n else lead
        self.n += 1

    def over_durations(self, durations: Durations, log_rest: np.ndarray) -> np.ndarray:
        """log of exp(log_rest) + the sum over d of P(d) exp(the lead d steps ago).

        Short durations come first, and more of them until the others cannot matter, by (123): in this very sum, not
        in the law, so that no duration that the data ask for is left out.
        """
        out, done = log_rest, 0
        while done < self.n:
            some = slice(done, min(self.n, max(FIRST_LENGTHS, 2 * done)))
            leads = self.values[self.n - some.stop : self.n - some.start]
            out = np.logaddexp(out, log_sum(leads[::-1] + durations.log_law[some]))
            done = some.stop
            if done < self.n:
                others = self.largest[self.n - done - 1] + durations.log_survival[done]
                if (others <= out - NEGLIGIBLE).all():
                    break
        return out


@np.errstate(divide="ignore")  # log 0: states do not follow themselves
def smooth_segments(
    start: np.ndarray, transition: np.ndarray, durations: Durations, log_density: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """P(state at t | the whole sequence), and P(a segment other than the first begins at t): (78), (121), (122)."""
    n_steps, n_states = log_density.shape
    log_start, log_a = np.log(start), np.log(transition)
    # the largest density of a step is a factor of all paths; without it sums stay small and keep their digits
    log_f = np.zeros((n_steps + 1, n_states))
    np.cumsum(log_density - log_density.max(axis=1, keepdims=True), axis=0, out=log_f[1:])

    begin, end = np.empty((n_steps, n_states)), np.full((n_steps, n_states), -np.inf)
    begin[0] = log_start
    leads = Leads(begin.shape)
    for t in range(1, n_steps):
        leads.add(begin[t - 1] - log_f[t - 1])
        end[t] = log_f[t] + leads.over_durations(durations, end[0])
        begin[t] = log_sum(end[t][:, None] + log_a)

    after_begin, after_end = np.empty_like(begin), np.empty_like(begin)
    leads = Leads(begin.shape)
    for t in range(n_steps - 1, -1, -1):
        cut_off = durations.log_survival[n_steps - t - 1] + log_f[n_steps]
        after_begin[t] = leads.over_durations(durations, cut_off) - log_f[t]
        after_end[t] = log_sum(after_begin[t][:, None] + log_a.T)
        leads.add(after_end[t] + log_f[t])

    log_p = log_sum(log_start + after_begin[0])
    begins, ends = np.exp(begin + after_begin - log_p), np.exp(end + after_end - log_p)
    smoothed = np.maximum(np.cumsum(begins - ends, axis=0), 0.0)  # differences of sums: below 0 by rounding only
    change = np.minimum(begins.sum(axis=1), 1.0)
    change[0] = 0.0
    return smoothed / smoothed.sum(axis=1, keepdims=True), change
