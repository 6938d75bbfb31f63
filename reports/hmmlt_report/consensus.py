"""One segmentation out of many draws whose states are numbered each in its own way."""

import numpy as np
from scipy.optimize import linear_sum_assignment


def contingency(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """How often label a of one meets label b of the other; labels count from 0."""
    width = int(other.max()) + 1
    return np.bincount(one * width + other, minlength=(int(one.max()) + 1) * width).reshape(-1, width)


def variation_of_information(one: np.ndarray, other: np.ndarray) -> float:
    """H(one | other) + H(other | one) in nats: 0 if they are the same segmentation, whatever its labels."""
    joint = contingency(one, other) / len(one)
    rows, columns = np.broadcast_to(joint.sum(1, keepdims=True), joint.shape), np.broadcast_to(
        joint.sum(0), joint.shape
    )
    seen = joint > 0
    return float(-(joint[seen] * (2 * np.log(joint[seen]) - np.log(rows[seen]) - np.log(columns[seen]))).sum())


def medoid(paths: list[np.ndarray]) -> int:
    """The path nearest to all the others; the first of equals."""
    n = len(paths)
    distance = np.zeros((n, n))
    for i in range(n):
        for j in range(i):
            distance[i, j] = distance[j, i] = variation_of_information(paths[i], paths[j])
    return int(distance.mean(axis=1).argmin())


def matching(consensus: np.ndarray, path: np.ndarray) -> dict[int, int]:
    """Label of the path -> label of the consensus, one to one, so that as many steps as possible agree."""
    meets = contingency(consensus, path)
    rows, columns = linear_sum_assignment(meets, maximize=True)
    return {int(b): int(a) for a, b in zip(rows, columns) if meets[a, b] > 0}


def relabelled(path: np.ndarray, labels: dict[int, int]) -> np.ndarray:
    """-1 where a label has no partner."""
    table = np.full(int(path.max()) + 1, -1)
    for label, new in labels.items():
        table[label] = new
    return table[path]


def by_share(path: np.ndarray) -> np.ndarray:
    """The same segmentation with labels 0, 1, ... from the most frequent one on."""
    labels, inverse, counts = np.unique(path, return_inverse=True, return_counts=True)
    rank = np.empty(len(labels), int)
    rank[np.argsort(-counts, kind="stable")] = np.arange(len(labels))
    return rank[inverse]


def segments(sequence: np.ndarray, path: np.ndarray) -> list[tuple[int, int]]:
    """[begin, end) of the stretches of one state within one sequence."""
    edges = np.flatnonzero((np.diff(path) != 0) | (np.diff(sequence) != 0)) + 1
    return list(zip(np.r_[0, edges].tolist(), np.r_[edges, len(path)].tolist()))
