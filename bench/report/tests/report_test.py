"""Blocks, charts, and that the documents are what the JSON files give."""

import contextlib
import fnmatch
import io
import re
import unittest
import xml.etree.ElementTree
from pathlib import Path
from unittest import mock

from report import __main__, blocks, charts, content, game, slower, sources
from report.table import ratio, rounded

BENCH = Path(__file__).resolve().parents[2]


def check() -> tuple[int, str]:
    """Exit code of bench/report.sh --check, and what it says."""
    said = io.StringIO()
    with mock.patch("sys.argv", ["report.sh", "--check"]), contextlib.redirect_stderr(said):
        return __main__.main(), said.getvalue()


class Documents(unittest.TestCase):
    """What is written."""

    def test_they_are_what_the_json_files_give(self) -> None:
        self.assertEqual(check(), (0, ""))

    def test_a_figure_that_was_changed_by_hand_is_found(self) -> None:
        page = BENCH / "RESULTS.md"
        text = page.read_text(encoding="utf-8")
        changed = text.replace("| OR, k = 10 | ", "| OR, k = 10 | 1", 1)
        self.assertNotEqual(changed, text)
        read = Path.read_text
        with mock.patch.object(
            Path, "read_text", lambda path, **how: changed if path == page else read(path, **how)
        ):
            code, said = check()
        self.assertEqual(code, 1)
        self.assertIn("bench/RESULTS.md is not what the JSON files give", said)

    def test_the_page_is_one_page(self) -> None:
        text = (BENCH / "RESULTS.md").read_text(encoding="utf-8")
        self.assertLess(len(text.splitlines()), 150)

    def test_runs_are_complete_and_cited_by_one_name_each(self) -> None:
        names = [source.name for source in sources.SOURCES]
        self.assertEqual(len(set(names)), len(names))
        for source in sources.SOURCES:
            self.assertIn(source.machine, sources.MACHINES)
            for file in source.files:
                self.assertTrue((sources.RESULTS / file).is_file(), file)
        page = (BENCH / "RESULTS.md").read_text(encoding="utf-8")
        self.assertEqual(set(re.findall(r"\[([dpq][0-9]+)\]", page)) - set(names), set())

    def test_every_file_of_results_is_named(self) -> None:
        """By a link, or by a pattern in a document that names the folder."""
        files = [
            path.relative_to(sources.RESULTS).as_posix()
            for path in sources.RESULTS.rglob("*")
            if path.is_file() and path.name != "README.md"
        ]
        patterns: set[str] = set()
        for path in [BENCH.parent / "README.md", *BENCH.glob("*.md"), *BENCH.glob("*/*.md")]:
            text = path.read_text(encoding="utf-8")
            named = re.findall(r"(?:results/|\()(2[0-9-]+[\w-]*/[^\s`)]+|plots/[^\s`)]+)", text)
            patterns.update(re.sub(r"\{[^}]*\}", "*", name) for name in named)
            folders = {name.split("/")[0] for name in re.findall(r"results/(2[^\s`)]*/)", text)}
            for word in re.findall(r"`([a-z0-9][\w.-]*\*[\w.*-]*)`", text):
                patterns.update(f"{folder}/{word}" for folder in folders)
                patterns.update(f"{folder}/{word}.json" for folder in folders)
        for file in files:
            self.assertTrue(any(fnmatch.fnmatchcase(file, one) for one in patterns), file)


class Blocks(unittest.TestCase):
    """Marked parts of a document."""

    def test_a_block_ends_at_an_empty_line(self) -> None:
        text = "a\n\n<!-- report: one -->\nold\nold\n\nb\n<!-- report: two -->\n"
        made = blocks.filled(text, {"one": "1", "two": "2\n3"}, "d")
        self.assertEqual(made, "a\n\n<!-- report: one -->\n1\n\nb\n<!-- report: two -->\n2\n3\n")

    def test_a_block_that_there_is_not(self) -> None:
        for text in ("<!-- report: three -->\n", "no block\n"):
            with self.assertRaisesRegex(blocks.BlockError, "block"):
                blocks.filled(text, {"one": "1"}, "d")

    def test_no_block_has_an_empty_line(self) -> None:
        for name, text in content.blocks("results").items():
            self.assertNotIn("\n\n", text, name)


class Figures(unittest.TestCase):
    """Figures and plots."""

    def test_a_ratio_below_one_is_bold_and_stays_below_one(self) -> None:
        self.assertEqual([ratio(0.999), ratio(0.828), ratio(1.0)], ["**0.99**", "**0.83**", "1.00"])

    def test_rates_have_three_digits(self) -> None:
        self.assertEqual(
            [rounded(one) for one in (1234567.0, 39912.0, 512.4)], ["1,230,000", "39,900", "512"]
        )

    def test_what_is_behind_is_found_and_the_worst_comes_first(self) -> None:
        def found(what: str, value: float) -> slower.Comparison:
            return slower.Comparison(what, "peer", "a", "b", value, sources.PEERS)

        compared = [found("x", 0.9), found("x", 2.0), found("y", 0.5), found("z", 1.1)]
        with mock.patch.object(slower, "comparisons", lambda: compared):
            lines = slower.slower().splitlines()[2:]
        self.assertEqual(
            lines,
            [
                "| y [p1] | peer | 1 of 1 | 0.50 | a | b |",
                "| x [p1] | peer | 1 of 2 | 0.90 | a | b |",
            ],
        )

    def test_a_class_counts_by_the_figure_in_which_gannet_does_worse(self) -> None:
        def row(name: str, *engines: tuple[str, float, float]) -> game.Row:
            found = {
                engine: {"median_microseconds": median, "queries_per_second": rate}
                for engine, median, rate in engines
            }
            return {"mode": "or", "terms": 2, "command": name, "queries": 9, "engines": found}

        made = [
            row("TOP_10", ("gannet", 10, 100000), ("pisa", 20, 80000), ("lucene", 8, 50000)),
            row("COUNT", ("gannet", 10, 90000), ("lucene", 20, 100000), ("cobra", 1, 1)),
        ]
        with mock.patch.object(game, "rows", lambda: made):
            self.assertEqual(
                [list(game.pairs(row)) for row in made],
                [
                    [("pisa", "100,000/s", "80,000/s", 1.25), ("lucene", "10 us", "8 us", 0.8)],
                    [("lucene", "90,000/s", "100,000/s", 0.9)],
                ],
            )
            self.assertEqual(
                game.told(), "Gannet is slower than another engine in 2 of 2: Lucene in 2"
            )
            self.assertIn("(9 queries", game.section())
        with mock.patch.object(game, "rows", lambda: [row("TOP_10", ("gannet", 10, 1))]):
            self.assertIn("slower than no other engine in any of 1", game.told())

    def test_charts_are_svg(self) -> None:
        chart = charts.bars("a & b", "queries/s", [charts.Bar("x", 1500.0, "1,500", ours=True)])
        curve = charts.curves("t", "x", "y", [charts.Curve("c", [(1, 10.0), (100, 2000.0)])])
        for text in (chart, curve):
            self.assertTrue(xml.etree.ElementTree.fromstring(text).tag.endswith("svg"))
        self.assertIn("a &amp; b", chart)


if __name__ == "__main__":
    unittest.main()
