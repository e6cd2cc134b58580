"""Tables and verdicts."""

import dataclasses
import json
import shutil
import tempfile
import unittest
from pathlib import Path
from typing import Any, cast

from peers.measure.agreement import Agreement
from peers.measure.checks import CountCheck, EffectivenessCheck, RankingCheck, differing
from peers.measure.indexes import GANNET, Built, same
from peers.measure.timing import Case, Series, Task, Timing
from peers.report.markdown import markdown
from peers.report.plot import Panel, panels, plot, quoted, script_of
from peers.report.report import Report
from peers.text.postings import Statistics
from peers.text.preparation import NOTHING
from peers.work.processes import Cost

CASE = Case("animals", "log", 1)
STATISTICS = Statistics(3, 4, 5, 6, "digest")
GOOD = {"map": 0.3, "ndcg@10": 0.4, "p@10": 0.5}


def series(engine: str, algorithm: str, seconds: list[float], planning: list[float]) -> Series:
    """OR, k = 10, of 1,000 queries."""
    return Series(engine, CASE, Task("or", 10), algorithm, 1000, seconds, planning)


def make_report() -> Report:
    """A run in which everything went well."""
    timing = Timing(cast(Any, None), cast(Any, None), 1, 0)
    for one in (
        series(GANNET, "pruned", [0.01, 0.02, 0.03], [0.02, 0.02]),
        series("pisa", "maxscore", [0.05, 0.06, 0.05], []),
        series("pisa", "block_max_wand", [0.1], []),
    ):
        timing.series[one.engine, one.case, one.task, one.algorithm] = one
    machine = {"cpu": "Abacus", "cores": 2, "memory_bytes": 2**34, "system": "Linux"}
    options = {"rounds": 3, "repeats": 1, "settle": 0}
    report = Report(machine, {"Gannet": "0"}, options, timing, 0.1, [GANNET, "pisa"])
    report.cases.append((CASE, 1000))
    cost = Cost(1.0, 2.0, 2**20)
    report.indexes.append(Built("pisa", "animals", Path("x"), 100, cost, STATISTICS, True))
    agreement = Agreement(10, 10, 1.0, 0.0, None)
    report.rankings.append(RankingCheck("pisa", "animals", "log", "or", "maxscore", agreement))
    report.counts.append(CountCheck("tantivy", "animals", "log", "or", 10, 10, None))
    report.effectiveness.append(EffectivenessCheck("pisa", "animals", GOOD, GOOD))
    report.defaults["animals"] = GOOD
    return report


def script(report: Report) -> str:
    """What gnuplot is told of a report."""
    return script_of(panels(report), report.engines, Path("out.svg"))


class SamePostings(unittest.TestCase):
    """Whether indexes hold the same."""

    def test_tokens_alone_may_not_be_told(self) -> None:
        self.assertTrue(same(dataclasses.replace(STATISTICS, tokens=None), STATISTICS))
        for other in ({"documents": 2}, {"postings": 4}, {"tokens": 7}, {"frequencies": "x"}):
            self.assertFalse(same(dataclasses.replace(STATISTICS, **other), STATISTICS), other)

    def test_counts_that_differ_are_named(self) -> None:
        self.assertEqual(differing(["a", "b", "c"], [1, 2, 3], [1, 2, 3]), [])
        self.assertEqual(differing(["a", "b", "c"], [1, 2, 3], [1, 0, 4]), ["b", "c"])


class Tables(unittest.TestCase):
    """What is printed."""

    def row(self, name: str, report: Report) -> list[str]:
        """The cells of the row that begins so."""
        lines = [line for line in markdown(report).splitlines() if line.startswith(f"| {name} |")]
        self.assertEqual(len(lines), 1, name)
        return [cell.strip() for cell in lines[0].strip("|").split("|")]

    def test_rates_are_medians_and_the_best_algorithm_counts(self) -> None:
        report = make_report()
        cells = self.row("OR 10, 1 thread", report)
        self.assertEqual(cells[1:5], ["25,000", "50,000", "20,000", "1.25"])

    def test_cpu_seconds_are_compared_where_they_are_known(self) -> None:
        report = make_report()
        self.assertEqual(self.row("OR 10, 1 thread", report)[5], "-")
        for one, cpu in zip(report.timing.series.values(), (0.02, 0.05, 0.04), strict=True):
            one.cpu.append(cpu)
        # The peer's algorithm is the one that took the least time.
        self.assertEqual(self.row("OR 10, 1 thread", report)[5], "2.50")

    def test_what_was_not_measured_is_a_dash(self) -> None:
        for name in ("OR 10, one at a time", "OR 100, 1 thread", "AND count, 1 thread"):
            self.assertEqual(self.row(name, make_report())[1:], ["-"] * 5)

    def test_queries_that_find_nothing_are_told_in_microseconds(self) -> None:
        report = make_report()
        case = dataclasses.replace(CASE, log=NOTHING)
        report.cases.append((case, 1000))
        one = dataclasses.replace(series("pisa", "maxscore", [0.002], []), case=case)
        report.timing.series[one.engine, one.case, one.task, one.algorithm] = one
        table = markdown(report).partition("microseconds a query")[2].partition("\n\n")[0]
        self.assertIn("| OR 10, 1 thread | - | 2.0 |", table)
        self.assertNotIn("AND", table)
        self.assertNotIn(NOTHING, script(report))

    def test_too_short_a_warm_up_of_lucene_is_a_warning(self) -> None:
        report = make_report()
        self.assertNotIn("--settle", markdown(report))
        report.engines.append("lucene")
        self.assertIn("Lucene's passes began after 0 s", markdown(report))
        report.options["settle"] = 12
        self.assertNotIn("--settle", markdown(report))

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
        made = script(make_report())
        self.assertIn('"OR 10, 1 thread" 25000.0 20000.0', made)
        self.assertIn('"AND 10, 1 thread" NaN NaN', made)
        self.assertIn('"OR count, 1 thread" NaN NaN', made)
        self.assertIn('title "animals, log"', made)
        self.assertIn('using 3:xtic(1) lt 2 title "PISA"', made)

    def test_an_engine_without_any_bar_is_left_out(self) -> None:
        panel = Panel("t", [("OR 2", [1.0, None]), ("OR 3", [2.0, None])])
        made = script_of([panel], [GANNET, "pisa"], Path("out.svg"))
        self.assertIn('title "Gannet"', made)
        self.assertNotIn('title "PISA"', made)

    def test_names_cannot_end_a_text(self) -> None:
        self.assertEqual(quoted('a"b\\'), '"a\\"b\\\\"')

    @unittest.skipUnless(shutil.which("gnuplot"), "there is no gnuplot")
    def test_gnuplot_draws_it(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "out.svg"
            plot(panels(make_report()), make_report().engines, output)
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

    def test_a_count_that_differs(self) -> None:
        report = make_report()
        report.counts[0] = dataclasses.replace(report.counts[0], agreeing=9, first="23")
        self.failed(report)
        self.assertIn("query 23", markdown(report))

    def test_another_effectiveness(self) -> None:
        report = make_report()
        worse = EffectivenessCheck("pisa", "animals", GOOD | {"map": 0.2990}, GOOD)
        report.effectiveness[0] = worse
        self.failed(report)
