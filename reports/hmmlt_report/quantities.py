"""Quantities of a chain: what they are called, what they mean, how many decimals they are worth, which come first."""

import re

# In the order in which a reader looks at them: scores first, what only tells whether a sampler mixes last.
QUANTITIES = {  # name: what it is called, decimals, what it means
    "f1": ("F1", 3, "of the bits called on in one draw, against the truth, over all steps and bits together"),
    "precision": ("precision", 3, "share of the bits called on that are on"),
    "recall": ("recall", 3, "share of the bits that are on that are called on"),
    "accuracy": ("accuracy", 3, "share of all bits that are right"),
    "matched_f1": (
        "F1 of matched features",
        3,
        "where weights are learnt and features have no names: the F1 of one draw once its features are matched with the"
        " true ones, and turned over where that helps",
    ),
    "matched_precision": ("precision of matched features", 3, ""),
    "matched_recall": ("recall of matched features", 3, ""),
    "matched_accuracy": ("accuracy of matched features", 3, ""),
    "features_used": ("features in use", 1, "features of the Indian buffet that are on at some step"),
    "test_log_likelihood": (
        "test log likelihood per step",
        3,
        "of held-out data under the parameters of one draw; states summed out",
    ),
    "test_log_likelihood_expected": (
        "test log likelihood per step, expected emission",
        3,
        "the same with the emission at its expectation given the states of the training data, where a draw of it may by"
        " chance give next to nothing to what a state has not emitted",
    ),
    "test_log_predictive": (
        "posterior predictive, test, per step, by chain",
        3,
        "log of the mean likelihood of each held-out sequence over draws of one chain, as many of every model: the right"
        " score of held-out data, where the others judge one draw at a time",
    ),
    "test_log_predictive_expected": (
        "posterior predictive, test, per step, by chain, expected emission",
        3,
        "the same with the emission of each draw at its expectation",
    ),
    "train_log_likelihood": (
        "train log likelihood per step",
        3,
        "of the training data under the parameters of one draw; states summed out",
    ),
    "pooled_log_predictive": (
        "posterior predictive, test, per step, all chains",
        3,
        "log of the mean likelihood of the held-out data over all stored draws of all chains: one number, by"
        " hmmlt-evaluate",
    ),
    "pooled_log_predictive_expected": (
        "posterior predictive, test, per step, all chains, expected emission",
        3,
        "the same with the emission at its expectation",
    ),
    "pooled_f1": (
        "F1, test, all draws together",
        3,
        "of the bits of the held-out data whose probability, averaged over the stored draws of all chains, is above one"
        " half",
    ),
    "pooled_matched_f1": (
        "F1 of matched features, test, mean over draws",
        3,
        "of the bits of the held-out data that are more probably on, each stored draw matched by itself",
    ),
    "lambda": ("λ", 2, "how much transitions prefer similar states; at 0 they do not"),
    "states_used": (
        "states used",
        1,
        "states that at least one step is in; of a factorial model, whose state is the combination of all its bits, the"
        " number of different combinations that occur",
    ),
    "rho": ("ρ", 2, "share of the concentration that goes to staying in a state"),
    "alpha": ("α", 2, "concentration of the transitions: the larger, the more alike the rows before similarity counts"),
    "kappa": ("κ", 2, "concentration that goes to staying in a state"),
    "gamma": ("γ", 2, "concentration of the weights that all rows share: the larger, the more states"),
    "a_ibp": ("a of the buffet", 2, "how many features the Indian buffet expects: the larger, the more"),
    "turns_on": ("turns on: bit", 3, ""),
    "stays_on": ("stays on: bit", 3, ""),
    "bit_changes": ("changes of bits", 3, "probability that a bit turns on or off from one step to the next, over all bits"),
    "h": ("h", 3, "noise precision"),
    "log_likelihood": ("train log likelihood", 1, ""),
    "log_joint": ("log joint", 1, "log density of everything drawn, up to a constant"),
}
PLACES = {name: place for place, name in enumerate(QUANTITIES)}
LAST = ("log_likelihood", "log_joint")


def base(name: str) -> str:
    """alpha of alpha_3, one of a family."""
    return re.sub(r"_\d+$", "", name)


def in_reader_order(names) -> list[str]:
    """Each once. What is not known here comes before the log densities; a family in the order of its numbers."""
    found = list(dict.fromkeys(names))

    def place(name: str):
        known = PLACES.get(base(name), PLACES[LAST[0]] - 0.5)
        return known, int(re.search(r"\d+$", name)[0]) if base(name) != name else -1

    return sorted(found, key=place)


def label(name: str) -> str:
    known = QUANTITIES.get(base(name))
    if known is None:
        return name.replace("_", " ")
    return known[0] + (f" {name.removeprefix(base(name) + '_')}" if base(name) != name else "")


def meaning(name: str) -> str:
    return QUANTITIES[name][2] if name in QUANTITIES else ""


def decimals(name: str) -> int:
    return QUANTITIES.get(base(name), ("", 3, ""))[1]


def greek(text: str) -> str:
    for word, letter in (("lambda", "λ"), ("alpha", "α"), ("gamma", "γ")):
        text = text.replace(word, letter)
    return text
