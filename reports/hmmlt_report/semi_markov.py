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


@dataclass(frozen=True)
class Messages:
    """Those of the segments that a duration reaches, the nearest first, and the steps on the way, likewise."""

    values: np.ndarray
    farther: np.ndarray  # the largest of this and all farther ones, each with the likelihood of the steps up to here
    log_density: np.ndarray

    def over_durations(self, durations: Durations, log_rest: np.ndarray) -> np.ndarray:
        """log of exp(log_rest) + the sum over d of P(d) exp(the message d steps away + the likelihood up to there).

        Short durations come first, and more of them until the others cannot matter, by (123): in this very sum, not
        in the law, so that no duration that the data ask for is left out. The likelihood of a segment is a sum of its
        own: as a difference of sums over all time it would have no digits after a step that fits badly.
        """
        out, done, up_to = log_rest, 0, np.zeros_like(log_rest)
        while done < len(self.values):
            some = slice(done, max(FIRST_LENGTHS, 2 * done))
            log_f = up_to + np.cumsum(self.log_density[some][: len(self.values) - done], axis=0)
            out = np.logaddexp(out, log_sum(self.values[some] + log_f + durations.log_law[some][: len(log_f)]))
            done, up_to = done + len(log_f), log_f[-1]
            if done < len(self.values):
                others = self.farther[done] + self.log_density[done] + up_to + durations.log_survival[done]
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
    log_density = log_density - log_density.max(axis=1, keepdims=True)

    begin, end = np.empty((n_steps, n_states)), np.full((n_steps, n_states), -np.inf)
    before = np.empty_like(begin)  # the largest of begin so far, with the likelihood since
    begin[0] = before[0] = log_start
    for t in range(1, n_steps):
        back = slice(t - 1, None, -1)
        end[t] = Messages(begin[back], before[back], log_density[back]).over_durations(durations, end[0])
        begin[t] = log_sum(end[t][:, None] + log_a)
        before[t] = np.maximum(begin[t], before[t - 1] + log_density[t - 1])

    to_the_end = np.cumsum(log_density[::-1], axis=0)[::-1]
    after_begin, after_end = np.empty_like(begin), np.empty_like(begin)
    after = np.empty_like(begin)  # as before, from the end
    for t in range(n_steps - 1, -1, -1):
        cut_off = durations.log_survival[n_steps - t - 1] + to_the_end[t]
        ahead = Messages(after_end[t + 1 :], after[t + 1 :], log_density[t:])
        after_begin[t] = ahead.over_durations(durations, cut_off)
        after_end[t] = log_sum(after_begin[t][:, None] + log_a.T)
        after[t] = np.maximum(after_end[t], after[t + 1] + log_density[t]) if t + 1 < n_steps else after_end[t]

    log_p = log_sum(log_start + after_begin[0])
    begins, ends = np.exp(begin + after_begin - log_p), np.exp(end + after_end - log_p)
    smoothed = np.maximum(np.cumsum(begins - ends, axis=0), 0.0)  # differences of sums: below 0 by rounding only
    change = np.minimum(begins.sum(axis=1), 1.0)
    change[0] = 0.0
    return smoothed / smoothed.sum(axis=1, keepdims=True), change
