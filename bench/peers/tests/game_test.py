"""The Search Benchmark Game: its file, its classes, what is timed, and the report."""

import dataclasses
import json
import tempfile
import unittest
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast
from unittest import mock

from peers.engines import game_work
from peers.engines.base import Queries, Setting, Times
from peers.errors import Exit, PeersError
from peers.game.classes import (
    COMMANDS,
    COUNT,
    TOP_10,
    TOP_10_COUNT,
    TOP_100,
    Command,
    GameLogs,
    QueryClass,
    class_of,
)
from peers.game.file import MIXED, NEGATED, OTHER, PHRASE, kind_of, read_game
from peers.game.plot import game_panels
from peers.game.report import GameReport
from peers.game.timing import TWO_SEARCHES, GameTiming
from peers.measure.checks import CountCheck
from peers.measure.indexes import GANNET, Built
from peers.text.postings import Statistics
from peers.work.processes import Cost

OR_2, OR_5, AND_2 = QueryClass("or", 2), QueryClass("or", 5), QueryClass("and", 2)


class Files(unittest.TestCase):
    """The query file."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "queries.txt"

    def test_the_syntax_says_what_a_query_is(self) -> None:
        kinds = {
            "green tea": "or",
            "tea": "or",
            "o'neil's x-ray c++ 東京": "or",
            "  green   tea ": "or",
            "+green +tea": "and",
            "+x-ray": "and",
            '"green tea"': PHRASE,
            '+"green tea" +cup': PHRASE,
            'cup "green tea"~2': PHRASE,
            "+green tea": MIXED,
            "green +tea": MIXED,
            "+tea -black": NEGATED,
            "-black": NEGATED,
            "": OTHER,
            "(green tea)": OTHER,
            "tea +": OTHER,
            "* tea": OTHER,
            '"green': OTHER,
        }
        for query, kind in kinds.items():
            self.assertEqual(kind_of(query), kind, query)

    def test_queries_are_taken_by_mode_and_others_counted(self) -> None:
        queries = ["green tea", "+green +tea", '"green tea"', "+black  +tea", '"a b"', "+a -b"]
        lines = [json.dumps({"query": query, "tags": ["union"]}) for query in queries]
        self.path.write_text("\n".join([*lines[:3], "", *lines[3:]]) + "\n")
        found = read_game(self.path)
        self.assertEqual(found.queries, {"or": ["green tea"], "and": ["green tea", "black tea"]})
        self.assertEqual(found.skipped, {PHRASE: 2, NEGATED: 1})

    def test_a_line_of_another_kind_is_named(self) -> None:
        good = b'{"query": "green tea"}\n'
        for line in (b"green tea", b"[]", b'{"query": 3}', b'{"text": "a"}', b'{"query": "\xff"}'):
            self.path.write_bytes(good + line)
            with self.assertRaisesRegex(PeersError, "queries.txt: line 2 is not") as caught:
                read_game(self.path)
            self.assertEqual(caught.exception.code, Exit.MALFORMED)

    def test_a_file_without_queries_of_use_is_refused(self) -> None:
        for text in ("", '{"query": "\\"green tea\\""}\n'):
            self.path.write_text(text)
            with self.assertRaisesRegex(PeersError, "no query like"):
                read_game(self.path)


class Classes(unittest.TestCase):
    """Classes and commands."""

    def test_classes_go_by_the_number_of_terms(self) -> None:
        found = [class_of("or", ["word"] * number) for number in (0, 1, 2, 4, 5, 9)]
        names = [one.head if one else None for one in found]
        self.assertEqual(
            names, [None, None, "OR 2 terms", "OR 4 terms", "OR 5+ terms", "OR 5+ terms"]
        )

    def test_logs_tell_their_classes_in_the_order_of_tables(self) -> None:
        logs = GameLogs(Path("x"), {AND_2: 1, OR_5: 2, OR_2: 3}, {})
        self.assertEqual(logs.classes, [OR_2, OR_5, AND_2])
        self.assertEqual(logs.path(OR_5), Path("x/or-5.tsv"))

    def test_commands_are_the_games(self) -> None:
        names = [command.name for command in COMMANDS]
        self.assertEqual(names, ["TOP_10", "TOP_100", "TOP_10_COUNT", "COUNT"])


class SlowPass:
    """Takes a second of the test's clock for each letter of a query."""

    def __init__(self, clock: "Clock", queries: Sequence[str]) -> None:
        self.clock = clock
        self.queries = queries

    def run(self, queries: Queries) -> Times | None:
        """Answers the queries."""
        for query in queries:
            self.clock.now += len(query)
        return None


class Clock:
    """A clock that goes on when a query is answered; an engine, too."""

    by_processes = False
    compiles = False

    def __init__(self) -> None:
        self.now = 0.0
        self.prepared: list[Setting] = []

    def perf_counter(self) -> float:
        """The time."""
        return self.now

    def prepare(self, setting: Setting, texts: Sequence[str], threads: int) -> SlowPass:
        """A pass."""
        self.prepared.append(setting)
        return SlowPass(self, texts)


class Latencies(unittest.TestCase):
    """What queries take, one at a time."""

    def setUp(self) -> None:
        self.clock = Clock()
        clock = mock.patch.object(game_work, "time", self.clock)
        clock.start()
        self.addCleanup(clock.stop)
        self.logs = {"or-2": ["a", "bbb", "cc", "dddddddd"], "or-3": ["x"]}
        self.watch = game_work.PythonWatch(cast(Any, self.clock), self.logs)
        self.setting = Setting("or", 10, "", single=True)

    def test_each_query_is_told(self) -> None:
        self.assertEqual(self.watch.latencies("or-2", self.setting), [1, 3, 2, 8])
        self.assertEqual(self.watch.latencies("or-2", self.setting), [1, 3, 2, 8])
        self.assertEqual(len(self.clock.prepared), 1)

    def test_a_log_has_a_mean_and_a_median(self) -> None:
        found = game_work.measure(self.watch, "or-2", self.setting, 3)
        self.assertEqual(found, {"mean": 3.5, "median": 2.5})

    def test_one_slow_pass_does_not_matter(self) -> None:
        passes = iter([[1.0, 1.0], [1.0, 3.0], [9.0, 3.0], [2.0, 90.0]])
        watch = mock.Mock(latencies=lambda log, setting: next(passes))
        found = game_work.measure(watch, "or-2", self.setting, 3)
        self.assertEqual(found, {"mean": 2.5, "median": 2.5})

    def test_a_warm_up_lasts_and_takes_all_logs(self) -> None:
        game_work.warm_up(self.watch, list(self.logs), self.setting, 0)
        self.assertEqual(self.clock.now, 15)
        game_work.warm_up(self.watch, list(self.logs), self.setting, 31)
        self.assertEqual(self.clock.now, 15 + 45)


def make_timing() -> GameTiming:
    """One round, in which Gannet is behind tantivy and Lucene here and there."""
    timing = GameTiming(cast(Any, None), cast(Any, None), 3, 15)
    times = {
        (GANNET, OR_2, TOP_10, "pruned"): (10.0, 12.0),
        (GANNET, OR_2, TOP_100, "pruned"): (30.0, 40.0),
        (GANNET, OR_2, COUNT, "pruned"): (20.0, 25.0),
        ("pisa", OR_2, TOP_10, "maxscore"): (20.0, 24.0),
        ("pisa", OR_2, TOP_10, "block_max_wand"): (15.0, 30.0),
        ("pisa", OR_2, TOP_100, "maxscore"): (60.0, 60.0),
        ("lucene", OR_2, TOP_10, "chosen by Lucene"): (40.0, 48.0),
        ("lucene", OR_2, TOP_100, "chosen by Lucene"): (29.0, 80.0),
        ("lucene", OR_2, TOP_10_COUNT, "chosen by Lucene"): (70.0, 90.0),
        ("lucene", OR_2, COUNT, "chosen by Lucene"): (5.0, 5.0),
    }
    for (engine, queries, command, algorithm), (median, mean) in times.items():
        series = timing.of(engine, queries, command, algorithm)
        series.median.append(1e-6 * median)
        series.mean.append(1e-6 * mean)
        if engine == GANNET:
            series.planning.append(1e-6)
    return timing


def make_report() -> GameReport:
    """A run in which everything went well."""
    machine = {"cpu": "Abacus", "cores": 2, "memory_bytes": 2**34, "system": "Linux"}
    options = {"rounds": 1, "repeats": 3, "settle": 15}
    engines = [GANNET, "pisa", "lucene"]
    logs = GameLogs(Path("x"), {OR_2: 196}, {PHRASE: 301})
    report = GameReport(machine, {"Gannet": "0"}, options, make_timing(), 0.1, engines)
    report.collection, report.logs = "animals", logs
    report.counts.append(CountCheck("lucene", "animals", "the game", "or", 196, 196, None, 10))
    return report


class Rows(unittest.TestCase):
    """What the rows say."""

    def row(self, command: Command) -> Any:
        """The row of a command."""
        (found,) = (row for row in make_report().rows if row.command == command)
        return found

    def test_the_fastest_algorithm_counts(self) -> None:
        best = self.row(TOP_10).best["pisa"]
        self.assertEqual(best.algorithm, "maxscore")
        self.assertAlmostEqual(best.microseconds, 20)
        self.assertAlmostEqual(best.rate, 1e6 / 24)

    def test_hits_and_count_are_two_searches_where_that_takes_less(self) -> None:
        best = self.row(TOP_10_COUNT).best
        self.assertEqual(set(best), {GANNET, "lucene"})
        for engine in best:
            self.assertEqual(best[engine].algorithm, TWO_SEARCHES)
        # Lucene's takes 40 and 5 microseconds, and 70 in one search. Gannet plans once.
        self.assertAlmostEqual(best["lucene"].microseconds, 45)
        self.assertAlmostEqual(best[GANNET].microseconds, 10 + 20 - 1)
        self.assertAlmostEqual(best[GANNET].rate, 1e6 / (12 + 25 - 1))

    def test_one_search_counts_where_it_takes_less(self) -> None:
        report = make_report()
        for series in report.timing.series.values():
            if (series.engine, series.command) == ("lucene", TOP_10_COUNT):
                series.mean, series.median = [1e-6 * 50], [1e-6 * 50]
        (row,) = (row for row in report.rows if row.command == TOP_10_COUNT)
        self.assertEqual(row.best["lucene"].algorithm, "chosen by Lucene")

    def test_a_peer_that_is_faster_by_either_figure_is_named(self) -> None:
        ahead = {command.name: self.row(command).ahead for command in COMMANDS}
        expected: dict[str, list[str]] = {"TOP_10": [], "TOP_100": ["lucene"], "TOP_10_COUNT": []}
        self.assertEqual(ahead, expected | {"COUNT": ["lucene"]})

    def test_rounds_count_by_their_median(self) -> None:
        series = make_timing().of(GANNET, OR_2, TOP_10, "pruned")
        series.median += [1e-6 * 30, 1e-6 * 11]
        self.assertAlmostEqual(series.microseconds, 11)


class Tables(unittest.TestCase):
    """What is printed."""

    def lines(self) -> list[str]:
        """The lines of the table of times."""
        return [line for line in make_report().markdown().splitlines() if line.startswith("| OR 2")]

    def test_what_is_slower_is_said_first(self) -> None:
        names = [line.split("|")[1].strip() for line in self.lines()]
        expected = ["COUNT", "TOP_100", "TOP_10", "TOP_10_COUNT"]
        self.assertEqual(names, [f"OR 2 terms, {name}" for name in expected])
        text = make_report().markdown()
        said = "Gannet is slower than a peer in 2 of 4 rows, by the median query or by all: Lucene in 2"
        self.assertLess(text.index(said), text.index("| OR 2 terms"))

    def test_rows_have_figures_ratios_and_a_mark(self) -> None:
        count, _, top, _ = (
            [cell.strip() for cell in line.split("|")[2:-1]] for line in self.lines()
        )
        self.assertEqual(
            count, ["196", "20 / 40,000", "-", "5 / 200,000", "**0.25**, **0.20**", "**Lucene**"]
        )
        self.assertEqual(
            top, ["196", "10 / 83,300", "20 / 41,700", "40 / 20,800", "2.00, 2.00", ""]
        )

    def test_nothing_slower_is_said_too(self) -> None:
        report = make_report()
        report.engines.remove("lucene")
        self.assertIn("slower than no peer in any of 4 rows", report.markdown())

    def test_what_was_left_out_and_how_hits_are_counted_is_said(self) -> None:
        text = make_report().markdown()
        self.assertIn("left out: phrases (Gannet has no positions): 301.", text)
        self.assertIn("- PISA: ", text)
        self.assertIn("No TOP_10_COUNT, COUNT: pyterrier-pisa has none", text)
        self.assertIn("TOP_10_COUNT is not one call: `gannet search --total`", text)
        self.assertIn(
            "a search for the hits and one that counts where their sum is less: in all", text
        )

    def test_everything_is_json_without_paths(self) -> None:
        report = make_report()
        statistics = Statistics(3, 4, 5, 6, "digest")
        index = Path("/home/me/index")
        report.indexes.append(
            Built("pisa", "animals", index, 100, Cost(1.0, 2.0, 2**20), statistics, True)
        )
        text = json.dumps(report.facts())
        self.assertNotIn("/home/me", text)
        facts = json.loads(text)
        self.assertEqual([row["command"] for row in facts["rows"]][0], "COUNT")
        self.assertEqual(facts["rows"][0]["slower_than"], ["lucene"])
        lucene = facts["rows"][0]["engines"]["lucene"]
        self.assertAlmostEqual(lucene["queries_per_second"], 200000)
        self.assertEqual(facts["skipped"], {PHRASE: 301})
        self.assertTrue(facts["agree"])

    def test_a_count_that_differs_fails_the_run(self) -> None:
        report = make_report()
        report.counts[0] = dataclasses.replace(report.counts[0], agreeing=9, first="23")
        self.assertFalse(report.passed)
        self.assertIn("Engines do not agree", report.markdown())
        self.assertIn("**no** query 23", report.markdown())

    def test_a_panel_for_each_command(self) -> None:
        panels = game_panels(make_report())
        self.assertEqual(len(panels), len(COMMANDS))
        head, rates = panels[3].lines[0]
        self.assertEqual((head, rates[1]), ("OR 2", None))
        self.assertAlmostEqual(cast(float, rates[0]), 40000)
