"""Decoding against enumeration of all paths; a consensus that no numbering of states can change."""

import itertools
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "reports"))

import numpy as np

from hmmlt_report.consensus import by_share, matching, medoid, relabelled, segments, variation_of_information
from hmmlt_report.decoding import Draw, log_densities, smooth
from hmmlt_report.matched import matched


def some_draw(rng, n_states=3, **arrays):
    rows = rng.dirichlet(np.ones(n_states), size=n_states + 1)
    return Draw(0, 1, np.arange(n_states), rows[0], rows[1:], arrays, named_bits=True)


class Matched(unittest.TestCase):
    def setUp(self):
        self.truth = np.array([[0, 0, 1, 1, 0, 0], [1, 0, 0, 0, 0, 1], [0, 1, 1, 0, 1, 1]], float)

    def test_order_and_signs_are_found(self):
        found = np.array([self.truth[2], 1 - self.truth[0], self.truth[1]])
        np.testing.assert_array_equal(matched(self.truth, found), self.truth)
        sure = 0.9 * found + 0.05  # posterior means
        np.testing.assert_allclose(matched(self.truth, sure), 0.9 * self.truth + 0.05)

    def test_spare_and_missing_features(self):
        spare = np.array([[1, 1, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1]], float)
        np.testing.assert_array_equal(matched(self.truth, np.vstack([spare, self.truth])), self.truth)
        expected = self.truth.copy()
        expected[1] = 0
        np.testing.assert_array_equal(matched(self.truth, self.truth[[2, 0]]), expected)


class Decoding(unittest.TestCase):
    def test_smoothing_is_the_sum_over_all_paths(self):
        rng = np.random.default_rng(1)
        draw, log_density = some_draw(rng), rng.normal(size=(5, 3))
        marginal, change, total = np.zeros((5, 3)), np.zeros(5), 0.0
        for path in itertools.product(range(3), repeat=5):
            weight = draw.start[path[0]] * np.prod([draw.transition[a, b] for a, b in zip(path, path[1:])])
            weight *= np.exp(sum(log_density[t, k] for t, k in enumerate(path)))
            total += weight
            for t, k in enumerate(path):
                marginal[t, k] += weight
                change[t] += weight * (t > 0 and path[t - 1] != k)
        smoothed, changes = smooth(draw, log_density)
        np.testing.assert_allclose(smoothed, marginal / total, rtol=1e-10)
        np.testing.assert_allclose(changes, change / total, rtol=1e-10)

    def test_one_step(self):
        smoothed, change = smooth(some_draw(np.random.default_rng(2)), np.zeros((1, 3)))
        self.assertEqual((smoothed.shape, change.tolist()), ((1, 3), [0.0]))

    def test_densities_by_hand(self):
        draw = some_draw(np.random.default_rng(3), 2, mean=np.array([[0.0, 1.0]]), h=np.array([[4.0, 1.0]]))
        found = log_densities(draw, np.array([[0.5], [np.nan]]), None)
        np.testing.assert_allclose(
            found[0], [0.5 * np.log(4 / (2 * np.pi)) - 0.5, 0.5 * np.log(1 / (2 * np.pi)) - 0.125]
        )
        np.testing.assert_array_equal(found[1], [0.0, 0.0], "a missing value says nothing")
        draw = some_draw(np.random.default_rng(3), 2, log_theta=np.log([[0.25, 0.5], [0.75, 0.5]]))
        np.testing.assert_allclose(
            log_densities(draw, None, np.array([1, -1])), [[np.log(0.75), np.log(0.5)], [0.0, 0.0]]
        )


class Consensus(unittest.TestCase):
    def test_variation_of_information(self):
        one = np.array([0, 0, 1, 1])
        self.assertAlmostEqual(variation_of_information(one, 1 - one), 0.0)
        self.assertAlmostEqual(variation_of_information(one, np.array([0, 1, 0, 1])), 2 * np.log(2))
        self.assertAlmostEqual(variation_of_information(one, np.zeros(4, int)), np.log(2))

    def test_medoid_and_matching_survive_any_numbering(self):
        rng = np.random.default_rng(4)
        truth = np.repeat([0, 1, 2, 1], 25)
        paths = []
        for k in range(9):
            path = np.where(rng.random(100) < (0.02 if k else 0.0), rng.integers(0, 3, 100), truth)
            paths.append(rng.permutation(7)[:3][path])
        self.assertEqual(medoid(paths), 0)
        consensus = by_share(paths[0])
        self.assertEqual(consensus[:26].tolist(), [consensus[0]] * 25 + [0], "the most frequent state is called 0")
        for path in paths:
            agree = relabelled(path, matching(consensus, path)) == consensus
            self.assertGreater(agree.mean(), 0.9)

    def test_a_state_without_partner(self):
        consensus, path = np.array([0, 0, 0, 0]), np.array([2, 2, 2, 5])
        self.assertEqual(relabelled(path, matching(consensus, path)).tolist(), [0, 0, 0, -1])

    def test_segments_end_with_their_sequence(self):
        self.assertEqual(segments(np.array([0, 0, 0, 1, 1]), np.array([3, 3, 4, 4, 4])), [(0, 2), (2, 3), (3, 5)])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], warnings="ignore")
