"""Tables and verdicts."""

import dataclasses
import json
import shutil
import tempfile
import unittest
from pathlib import Path
from typing import Any, cast

from peers.measure.agreement import Agreement
from peers.measure.checks import EffectivenessCheck, RankingCheck
from peers.measure.indexes import GANNET, Built, same
from peers.measure.timing import Case, Series, Task, Timing
from peers.report.markdown import markdown
from peers.report.plot import plot, quoted, script_of
from peers.report.report import Report
from peers.text.postings import Statistics
from peers.work.processes import Cost

CASE = Case("animals", "log", 1)
STATISTICS = Statistics(3, 4, 5, 6, "digest")
GOOD = {"map": 0.3, "ndcg@10": 0.4, "p@10": 0.5}


def series(engine: str, algorithm: str, seconds: list[float], planning: list[float]) -> Series:
    """OR, k = 10, of 1,000 queries."""
    return Series(engine, CASE, Task("or", 10), algorithm, 1000, seconds, planning)


def make_report() -> Report:
    """A run in which everything went well."""
    timing = Timing(cast(Any, None), cast(Any, None), 1)
    for one in (
        series(GANNET, "pruned", [0.01, 0.02, 0.03], [0.02, 0.02]),
        series("pisa", "maxscore", [0.05, 0.06, 0.05], []),
        series("pisa", "block_max_wand", [0.1], []),
    ):
        timing.series[one.engine, one.case, one.task, one.algorithm] = one
    machine = {"cpu": "Abacus", "cores": 2, "memory_bytes": 2**34, "system": "Linux"}
    options = {"rounds": 3, "repeats": 1}
    report = Report(machine, {"Gannet": "0"}, options, timing, 0.1, [GANNET, "pisa"])
    report.cases.append((CASE, 1000))
    cost = Cost(1.0, 2.0, 2**20)
    report.indexes.append(Built("pisa", "animals", Path("x"), 100, cost, STATISTICS, True))
    agreement = Agreement(10, 10, 1.0, 0.0, None)
    report.rankings.append(RankingCheck("pisa", "animals", "log", "or", "maxscore", agreement))
    report.effectiveness.append(EffectivenessCheck("pisa", "animals", GOOD, GOOD))
    report.defaults["animals"] = GOOD
    return report


class SamePostings(unittest.TestCase):
    """Whether indexes hold the same."""

    def test_lucene_alone_may_lack_documents_without_a_word(self) -> None:
        fewer = dataclasses.replace(STATISTICS, documents=2)
        self.assertTrue(same("pyserini", fewer, STATISTICS))
        for engine in (GANNET, "pisa", "tantivy", "bm25s"):
            self.assertFalse(same(engine, fewer, STATISTICS), engine)
        self.assertFalse(same("pyserini", dataclasses.replace(fewer, postings=4), STATISTICS))
        self.assertFalse(same("pyserini", STATISTICS, fewer))


class Tables(unittest.TestCase):
    """What is printed."""

    def row(self, name: str, report: Report) -> list[str]:
        """The cells of the row that begins so."""
        lines = [line for line in markdown(report).splitlines() if line.startswith(f"| {name} |")]
        self.assertEqual(len(lines), 1, name)
        return [cell.strip() for cell in lines[0].strip("|").split("|")]

    def test_rates_are_medians_and_the_best_algorithm_counts(self) -> None:
        report = make_report()
        self.assertEqual(self.row("Gannet, planning included", report)[2], "25,000")
        self.assertEqual(self.row("Gannet, search only", report)[2], "50,000")
        self.assertEqual(self.row("PISA", report)[2], "20,000")
        self.assertEqual(self.row("Gannet, planning included / best peer", report)[2], "1.25")

    def test_cpu_seconds_are_compared_where_they_are_known(self) -> None:
        report = make_report()
        self.assertEqual(self.row("the same by CPU seconds", report)[2], "-")
        for one, cpu in zip(report.timing.series.values(), (0.02, 0.05, 0.04), strict=True):
            one.cpu.append(cpu)
        # The peer's algorithm is the one that took the least time.
        self.assertEqual(self.row("the same by CPU seconds", report)[2], "2.50")

    def test_what_was_not_measured_is_a_dash(self) -> None:
        self.assertEqual(self.row("PISA", make_report())[1:], ["-", "20,000", "-", "-"])

    def test_a_busy_machine_is_a_warning(self) -> None:
        report = make_report()
        self.assertNotIn("busy", markdown(report))
        report.timing.loads.append(5.0)
        self.assertIn("The machine was busy", markdown(report))

    def test_everything_is_json(self) -> None:
        facts = json.loads(json.dumps(make_report().facts()))
        self.assertTrue(facts["agree"])
        self.assertEqual(facts["timing"][0]["queries_per_second"], 25000)
        self.assertEqual(facts["rankings"][0]["passed"], True)


class Figures(unittest.TestCase):
    """What is drawn."""

    def test_bars_are_rates_and_gaps(self) -> None:
        script = script_of(make_report(), Path("out.svg"))
        self.assertIn('"OR 10, 1 thread" 25000.0 20000.0', script)
        self.assertIn('"AND 10, 1 thread" NaN NaN', script)
        self.assertIn('title "animals, log"', script)
        self.assertIn('using 3:xtic(1) title "PISA"', script)

    def test_names_cannot_end_a_text(self) -> None:
        self.assertEqual(quoted('a"b\\'), '"a\\"b\\\\"')

    @unittest.skipUnless(shutil.which("gnuplot"), "there is no gnuplot")
    def test_gnuplot_draws_it(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "out.svg"
            plot(make_report(), output)
            self.assertIn("PISA", output.read_text())


class Verdicts(unittest.TestCase):
    """When a run has not passed."""

    def failed(self, report: Report) -> None:
        """The report says so."""
        self.assertFalse(report.passed)
        self.assertIn("Engines do not agree", markdown(report))
        self.assertIn("**no**", markdown(report))

    def test_all_is_well(self) -> None:
        self.assertTrue(make_report().passed)
        self.assertNotIn("**no**", markdown(make_report()))

    def test_other_postings(self) -> None:
        report = make_report()
        report.indexes[0] = dataclasses.replace(report.indexes[0], same=False)
        self.failed(report)

    def test_a_query_that_does_not_agree(self) -> None:
        report = make_report()
        agreement = Agreement(10, 9, 0.99, 0.5, "17")
        report.rankings[0] = dataclasses.replace(report.rankings[0], agreement=agreement)
        self.failed(report)
        self.assertIn("query 17", markdown(report))

    def test_another_effectiveness(self) -> None:
        report = make_report()
        worse = EffectivenessCheck("pisa", "animals", GOOD | {"map": 0.2990}, GOOD)
        report.effectiveness[0] = worse
        self.failed(report)
