"""Rankings compared."""

import tempfile
import unittest
from pathlib import Path

from peers.errors import PeersError
from peers.measure.agreement import Hit, compare, rankings_agree

TOLERANCE = 1e-4
OURS: list[Hit] = [("a", 9.0), ("b", 7.0), ("c", 7.0), ("d", 5.0)]


class Rankings(unittest.TestCase):
    """One query's hits."""

    def agree(self, theirs: list[Hit], tolerance: float = TOLERANCE) -> bool:
        """Whether they agree with OURS, asked both ways."""
        answer = rankings_agree(OURS, theirs, tolerance)
        self.assertEqual(answer, rankings_agree(theirs, OURS, tolerance))
        return answer

    def test_equal_ones_agree(self) -> None:
        self.assertTrue(self.agree(list(OURS)))
        self.assertTrue(rankings_agree([], [], TOLERANCE))

    def test_roundings_do_not_matter(self) -> None:
        self.assertTrue(self.agree([(name, score * 1.00005) for name, score in OURS]))

    def test_ties_may_be_in_another_order(self) -> None:
        self.assertTrue(self.agree([("a", 9.0), ("c", 7.0), ("b", 7.0), ("d", 5.0)]))

    def test_the_last_may_be_another_one_with_its_score(self) -> None:
        self.assertTrue(self.agree([*OURS[:3], ("x", 5.0)]))

    def test_another_score_is_seen(self) -> None:
        self.assertFalse(self.agree([("a", 9.01), *OURS[1:]]))

    def test_a_document_that_is_missing_is_seen(self) -> None:
        self.assertFalse(self.agree(OURS[:3]))
        self.assertFalse(self.agree([]))

    def test_another_document_is_seen(self) -> None:
        self.assertFalse(self.agree([("x", 9.0), *OURS[1:]]))

    def test_documents_with_each_other_s_scores_are_seen(self) -> None:
        self.assertFalse(self.agree([("b", 9.0), ("a", 7.0), *OURS[2:]]))

    def test_a_larger_tolerance_takes_more(self) -> None:
        lower = [(name, score * 0.9) for name, score in OURS]
        self.assertFalse(rankings_agree(OURS, lower, TOLERANCE))
        self.assertTrue(rankings_agree(OURS, lower, 0.15))


class RunFiles(unittest.TestCase):
    """Whole runs."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.ours = Path(folder.name) / "ours.run"
        self.theirs = Path(folder.name) / "theirs.run"

    def test_what_differs_is_counted_and_named(self) -> None:
        self.ours.write_text("1 Q0 a 1 4 x\n1 Q0 b 2 2 x\n2 Q0 a 1 3 x\n3 Q0 c 1 1 x\n")
        self.theirs.write_text("1 Q0 a 1 4 y\n1 Q0 b 2 2 y\n2 Q0 b 1 1.5 y\n")
        found = compare(self.ours, self.theirs, TOLERANCE)
        self.assertEqual((found.queries, found.agreeing, found.first), (3, 1, "2"))
        self.assertAlmostEqual(found.overlap, 1 / 3)
        self.assertAlmostEqual(found.farthest, 0.5)

    def test_a_malformed_line_is_named(self) -> None:
        self.ours.write_text("1 Q0 a 1 4 x\n1 Q0 b\n")
        with self.assertRaisesRegex(PeersError, r"ours\.run: line 2"):
            compare(self.ours, self.ours, TOLERANCE)
