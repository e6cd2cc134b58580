"""Columns, what is asked of them, and when answers are the same."""

import array
import collections
import csv
import json
import tempfile
import unittest
from pathlib import Path
from typing import Any, cast

from peers.columns import own_ranges, rows
from peers.columns.answers import difference, of_gannet
from peers.columns.checks import Check
from peers.columns.fields import FIELDS, MADE, REAL
from peers.columns.questions import U_END, Filter, Question, asked_of, questions
from peers.columns.report import ColumnReport
from peers.columns.timing import ColumnSeries, ColumnTiming

DOCUMENTS = 1000


def question(kind: str, field: str = "u") -> Question:
    """A question about all documents."""
    return Question("a question", "all", "or", kind, field)


class Rows(unittest.TestCase):
    """The columns of the documents."""

    def setUp(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rows.csv"
            real = {field.name: array.array("i", [7, -1, 5]) for field in REAL}
            rows.write_rows(DOCUMENTS, real, path)
            with path.open(newline="") as file:
                self.rows = list(csv.DictReader(file))

    def test_every_document_has_every_field(self) -> None:
        self.assertEqual(len(self.rows), DOCUMENTS)
        for row in self.rows:
            self.assertEqual(list(row), [field.name for field in FIELDS])

    def test_values_are_those_of_their_kind(self) -> None:
        self.assertEqual([row["row"] for row in self.rows], [str(n) for n in range(DOCUMENTS)])
        self.assertLessEqual(len({row["k100"] for row in self.rows}), 100)
        self.assertGreater(len({row["k100000"] for row in self.rows}), DOCUMENTS * 0.95)
        self.assertTrue(all(0 <= int(row["u"]) < U_END for row in self.rows))
        days = [row["day"] for row in self.rows]
        self.assertLess(days[0], "2004-02")
        self.assertGreater(days[-1], "2023-11")
        self.assertNotEqual(days, sorted(days))

    def test_real_columns_begin_again(self) -> None:
        self.assertEqual([row["amount"] for row in self.rows[:5]], ["7", "-1", "5", "7", "-1"])

    def test_columns_do_not_depend_on_each_other(self) -> None:
        again = list(rows.rows(DOCUMENTS, {}))
        self.assertEqual([str(row[2]) for row in again], [row["u"] for row in self.rows])
        self.assertEqual(len(again[0]), len(MADE))


class Questions(unittest.TestCase):
    """What is asked."""

    def test_names_are_distinct(self) -> None:
        names = collections.Counter(one.name for one in questions(DOCUMENTS))
        self.assertEqual([name for name, count in names.items() if count > 1], [])

    def test_a_pattern_chooses(self) -> None:
        names = {one.name for one in questions(DOCUMENTS, "*and-*")}
        self.assertIn("and-no filter", names)
        self.assertIn("words-and-sort-u", names)
        self.assertEqual({one for one in names if "and-" not in one}, set())
        self.assertEqual(questions(DOCUMENTS, "nothing like it"), [])

    def test_filters_pass_what_they_say(self) -> None:
        found = {one.name: one.filter for one in questions(93_369) if one.filter}
        clustered = found["or-1 % clustered"]
        assert clustered is not None
        self.assertEqual(clustered.high - clustered.low, 934)
        self.assertEqual(found["or-50 % scattered"], Filter("50 % scattered", "u", 0, 2**31))

    def test_options_are_those_of_the_command(self) -> None:
        self.assertEqual(question("facet").options, {"k": 0, "facet": "u:10"})
        self.assertEqual(question("sort").options, {"k": 10, "sort": "u"})
        self.assertIn("no-distinct", question("stats").options)
        one = Filter("some", "k100", keywords=("a", "b"))
        asked = Question("x", "words", "and", "hits", filter=one)
        self.assertEqual(asked.options, {"k": 10, "filter": "k100:(a OR b)"})
        asked = Question("x", "words", "and", "count", filter=one)
        self.assertEqual(asked.options, {"want": "count", "filter": "k100:(a OR b)"})
        self.assertEqual(question("count").options, {"want": "count"})

    def test_filters_are_lucenes_too(self) -> None:
        self.assertEqual(Filter("some", "k100", keywords=("a", "b")).lucene, "any k100 a b")
        self.assertEqual(Filter("some", "u", 3, 9).lucene, "range u 3 9")

    def test_lucene_is_asked_for_hits_and_counts(self) -> None:
        asked = questions(DOCUMENTS)
        self.assertEqual(asked_of("tantivy", asked), asked)
        of_lucene = asked_of("lucene", asked)
        self.assertEqual({one.kind for one in of_lucene}, {"hits", "count"})
        self.assertIn("and-count-10 % scattered", {one.name for one in of_lucene})

    def test_own_ranges_are_read_again(self) -> None:
        texts = ["one two", "three"]
        made = list(own_ranges.with_ranges(texts))
        self.assertEqual([own_ranges.parts(text)[0] for text in made], texts)
        for text in made:
            own = own_ranges.parts(text)[1]
            assert own is not None
            self.assertTrue(text.endswith(own.text))
            self.assertEqual(own.high - own.low, U_END // 10)
        self.assertEqual(own_ranges.parts("one two"), ("one two", None))


    def test_own_ranges_are_more_than_are_kept(self) -> None:
        for documents, queries in ((93_369, 3000), (8_000, 7), (10**9, 100)):
            filters = own_ranges.copies(documents, queries) * queries
            self.assertGreater(filters * (documents // 8 + own_ranges.BESIDE), own_ranges.KEPT)


class Differences(unittest.TestCase):
    """When answers are the same."""

    def differs(self, kind: str, ours: Any, theirs: Any, **more: Any) -> bool:
        """Whether they are not, with 10 percent for scores."""
        a, b = ({kind: one, "count": 3, "others": 0} for one in (ours, theirs))
        return difference(question(kind), a, {**b, **more}, 0.1) is not None

    def test_facets(self) -> None:
        ours = [["a", 3], ["b", 2], ["c", 2]]
        self.assertFalse(self.differs("facet", ours, ours))
        self.assertFalse(self.differs("facet", ours, [["a", 3], ["c", 2], ["d", 2]]))
        self.assertTrue(self.differs("facet", ours, [["x", 3], ["b", 2], ["c", 2]]))
        self.assertTrue(self.differs("facet", ours, [["a", 3], ["b", 2], ["c", 1]]))
        self.assertTrue(self.differs("facet", ours, ours, others=1))

    def test_histograms(self) -> None:
        self.assertFalse(self.differs("histogram", [[0, 1], [30, 0], [60, 2]], [[0, 1], [60, 2]]))
        self.assertTrue(self.differs("histogram", [[0, 1], [60, 2]], [[0, 1], [30, 2]]))

    def test_stats(self) -> None:
        self.assertFalse(self.differs("stats", [2, 1, 3, 4], [2, 1.0, 3.0, 4.0]))
        self.assertFalse(self.differs("stats", [0, None, None, 0], [0, 0, 0, 0]))
        self.assertTrue(self.differs("stats", [2, 1, 3, 4], [2, 1, 3, 5]))
        self.assertTrue(self.differs("stats", [0, None, None, 0], [1, 0, 0, 0]))

    def test_hits(self) -> None:
        ours = [["a", 9.0], ["b", 5.0]]
        self.assertFalse(self.differs("hits", ours, [["a", 9.5], ["b", 5.0]]))
        self.assertTrue(self.differs("hits", ours, [["a", 9.0], ["c", 4.0]]))
        self.assertTrue(self.differs("hits", ours, ours, count=4))

    def test_counts(self) -> None:
        for count in (3, 4):
            differs = difference(question("count"), {"count": 3}, {"count": count}, 0.1)
            self.assertEqual(differs is not None, count == 4)

    def test_sorted_hits(self) -> None:
        ours = [["a", 1], ["b", 2], ["c", 2]]
        self.assertFalse(self.differs("sort", ours, [["a", 1], ["c", 2], ["d", 2]]))
        self.assertTrue(self.differs("sort", ours, [["x", 1], ["b", 2], ["c", 2]]))
        self.assertTrue(self.differs("sort", ours, [["a", 1], ["b", 2], ["c", 3]]))

    def test_answers_of_the_command(self) -> None:
        line = {"total": 4, "hits": [{"id": "a", "fields": {"day": "1970-02-01"}}]}
        expected = {"count": 4, "sort": [["a", 31]]}
        self.assertEqual(of_gannet(question("sort", "day"), line), expected)


class Reports(unittest.TestCase):
    """What is printed."""

    def make(self, passed: bool) -> ColumnReport:
        """Two questions asked 100 times: Gannet took 1 second, and half of one of a core."""
        timing = ColumnTiming(cast(Any, None), cast(Any, None), 1, 0, "*")
        for engine, seconds, cpu in (("gannet", 1.0, 0.5), ("tantivy", 4.0, 1.0), ("lucene", 2, 2)):
            for name in ("q", "r"):
                if (engine, name) == ("lucene", "r"):
                    continue
                series = ColumnSeries(engine, name, 1, 100, [seconds], [cpu])
                timing.series[engine, name, 1] = series
        machine = {"cpu": "Abacus", "cores": 1, "system": "Linux"}
        options = {"rounds": 1, "repeats": 1, "threads": 1, "settle": 15}
        report = ColumnReport(
            machine, {"Gannet": "0"}, options, timing, 0.1, ["tantivy", "lucene"], "animals", "log", 100
        )
        for peer, name in (("tantivy", "q"), ("tantivy", "r"), ("lucene", "q")):
            agreeing = 9 if (peer, name, passed) == ("lucene", "q", False) else 10
            report.checks.append(Check(peer, name, 10, agreeing, 5.0, "query 7: hits"))
        return report

    def test_rates_and_ratios(self) -> None:
        lines = self.make(True).markdown().splitlines()
        rows = [line for line in lines if line.startswith(("| q |", "| r |"))]
        both = "| q | 100 | 25 | 4.00 | 50 | 2.00 | 200 | 100 | 2.00 | 50 | 4.00 | 5 | yes |"
        one = "| r | 100 | 25 | 4.00 |  |  | 200 | 100 | 2.00 |  |  | 5 | yes |"
        self.assertEqual(rows, [both, one])

    def test_a_difference_fails_the_run(self) -> None:
        self.assertTrue(self.make(True).passed)
        self.assertFalse(self.make(False).passed)
        self.assertIn("**Answers differ.**", self.make(False).markdown())
        self.assertIn("Lucene, query 7: hits", self.make(False).markdown())

    def test_everything_is_json(self) -> None:
        facts = json.loads(json.dumps(self.make(False).facts()))
        self.assertFalse(facts["agree"])
        self.assertEqual(facts["timing"][0]["queries_per_cpu_second"], 200)
