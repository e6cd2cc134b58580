#!/usr/bin/env python3
"""The decisions (tools/docs/decisions): numbers, sections, statuses, the index, links, mentions."""

from __future__ import annotations

import re
import tempfile
import unittest
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path("tools/docs/decisions")
SECTIONS = ["Context", "Decision", "Consequences", "Measured"]  #: the last only if measured
LINES = range(15, 41)
#: What may mention a decision: files of these folders, and of the root.
PARTS = ("codecs", "index", "corpora", "query", "tools", "bench", "tests", ".ci")
TEXTS = {".md", ".hpp", ".cpp", ".cuh", ".cu", ".py", ".sh", ".cmake", ".txt", ".json", ".yml", ""}

_NAME = re.compile(r"(\d{4})-[a-z0-9]+(-[a-z0-9]+)*\.md")
_HEAD = re.compile(
    r"# (?P<number>\d{4}): (?P<title>.*[^.\s])\n\n- Status: (?P<status>.*)\n"
    r"- Date: (?P<date>\d{4}-\d\d-\d\d)(; changed \d{4}-\d\d-\d\d)?\n\n## "
)
_STATUS = re.compile(r"accepted|(partly )?superseded by (?P<by>\d{4})")
_ROW = re.compile(r"^\| \[(\d{4})\]\(([^)]+)\) \| (.*) \| (.*) \|$", re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_PATH = re.compile(r"(?<![\w./-])(?:codecs|index|corpora|query|tools|bench|tests)/[\w./-]*\w/?")
#: Also over the end of a line, in a comment too.
_MENTION = re.compile(
    r"\bdecisions?(?: |\n *(?:///? |# )?)(\d+(?:(?:,| and| or) \d+)*)\b", re.IGNORECASE
)


@dataclass
class Decision:
    """A file; title, status and date are empty where its head is not understood."""

    name: str
    text: str
    number: str
    title: str = ""
    status: str = ""
    date: str = ""


def read(path: Path) -> Decision:
    text = path.read_text(encoding="utf-8")
    decision = Decision(path.name, text, path.name[:4])
    if head := _HEAD.match(text):
        decision.title, decision.status, decision.date = head["title"], head["status"], head["date"]
    return decision


def problems_of_file(one: Decision, numbers: set[str]) -> Iterator[str]:
    """What is wrong with a file by itself."""
    if not _NAME.fullmatch(one.name):
        yield "the name is not NNNN-short-title.md"
    head = _HEAD.match(one.text)
    if head is None:
        yield "does not begin with '# NNNN: Title', '- Status: ...' and '- Date: YYYY-MM-DD'"
        return
    if head["number"] != one.number:
        yield f"the title has the number {head['number']}"
    status = _STATUS.fullmatch(one.status)
    if status is None:
        yield f"'{one.status}' is no status: accepted, or (partly) superseded by NNNN"
    elif status["by"] and (status["by"] not in numbers or status["by"] == one.number):
        yield f"superseded by {status['by']}, which is no other decision"
    sections = re.findall(r"^## (.*)$", one.text, re.MULTILINE)
    if sections not in (SECTIONS, SECTIONS[:-1]):
        yield f"has the sections {sections}, not {SECTIONS}"
    if re.search(r"^## .*\n+(## |\Z)", one.text, re.MULTILINE):
        yield "has an empty section"
    if one.text.count("\n") not in LINES:
        yield f"has {one.text.count(chr(10))} lines, not {LINES.start} to {LINES.stop - 1}"


def problems_of_order(decisions: list[Decision]) -> Iterator[str]:
    numbers = [one.number for one in decisions]
    if numbers != [f"{i:04}" for i in range(1, len(numbers) + 1)]:
        yield f"numbers are not 0001, 0002, ... without gaps: {numbers}"
    for before, after in zip(decisions, decisions[1:]):
        if after.date and after.date < before.date:
            yield f"{after.name} has an earlier date than {before.name}"


def problems_of_index(decisions: list[Decision], index: str) -> Iterator[str]:
    rows = sorted(_ROW.findall(index))
    expected = sorted((one.number, one.name, one.title, one.status) for one in decisions)
    for row in expected:
        if rows.count(row) != 1:
            yield f"README.md: wants one row '| [{row[0]}]({row[1]}) | {row[2]} | {row[3]} |'"
    for row in rows:
        if row not in expected:
            yield f"README.md: a row that is no decision's: {row}"


def problems_of_links(folder: Path, name: str, text: str) -> Iterator[str]:
    for link in _LINK.findall(text):
        target = link.partition("#")[0]
        if target and not re.match(r"[a-z]+:", target) and not (folder / target).exists():
            yield f"{name}: a link to {link}, which does not exist"


def problems_of_paths(root: Path, one: Decision) -> Iterator[str]:
    for path in _PATH.findall(one.text):
        if not (root / path).exists():
            yield f"{one.name}: names {path}, which does not exist"


def texts(root: Path) -> Iterator[tuple[Path, str]]:
    places = [*root.glob("*"), *(path for part in PARTS for path in (root / part).rglob("*"))]
    for path in places:
        relative = path.relative_to(root)
        if path.suffix in TEXTS and path.is_file() and relative.parts[:2] != ("bench", "results"):
            yield relative, path.read_text(encoding="utf-8", errors="replace")


def problems_of_mentions(root: Path, numbers: set[str]) -> Iterator[str]:
    own = Path(__file__).name  # whose examples are wrong on purpose
    for path, text in texts(root):
        if path.name == own:
            continue
        for mention in _MENTION.finditer(text):
            for number in re.findall(r"\d+", mention[1]):
                if number not in numbers:
                    line = text.count("\n", 0, mention.start()) + 1
                    yield f"{path}:{line}: there is no decision {number}"


def problems(root: Path) -> list[str]:
    """All that is wrong with the decisions of a tree."""
    folder = root / FOLDER
    decisions = [read(path) for path in sorted(folder.iterdir()) if path.name != "README.md"]
    numbers = {one.number for one in decisions}
    index = (folder / "README.md").read_text(encoding="utf-8")
    found = [f"{one.name}: {what}" for one in decisions for what in problems_of_file(one, numbers)]
    found += problems_of_order(decisions)
    found += problems_of_index(decisions, index)
    for name, text in [("README.md", index), *((one.name, one.text) for one in decisions)]:
        found += problems_of_links(folder, name, text)
    for one in decisions:
        found += problems_of_paths(root, one)
    found += problems_of_mentions(root, numbers)
    return found


class Decisions(unittest.TestCase):
    def test_those_of_the_tree_are_in_order(self) -> None:
        self.assertEqual(problems(ROOT), [])
        self.assertGreater(len(list((ROOT / FOLDER).glob("0*.md"))), 40)


class Faults(unittest.TestCase):
    """A tree of two decisions, in which one thing is wrong."""

    TEXT = (
        "# {0}: Lists are short\n\n- Status: {1}\n- Date: 2026-11-2{2}\n\n## Context\n\nMemory.\n\n"
        "## Decision\n\nShort lists.\n\n## Consequences\n\nLess memory.\n{3}"
    )
    ROW = "| [{0}]({0}-lists.md) | Lists are short | {1} |\n"

    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = Path(scratch.name)
        self.folder = self.root / FOLDER
        self.folder.mkdir(parents=True)
        self.first, self.second = self.folder / "0001-lists.md", self.folder / "0002-lists.md"
        self.index = self.folder / "README.md"
        link = "\n## Measured\n\n[Lists](0001-lists.md)\n"
        self.first.write_text(self.TEXT.format("0001", "superseded by 0002", 1, ""))
        self.second.write_text(self.TEXT.format("0002", "accepted", 2, link))
        rows = self.ROW.format("0001", "superseded by 0002") + self.ROW.format("0002", "accepted")
        self.index.write_text("# Decisions\n\n" + rows)
        self.note = self.root / "NOTE.md"

    def found(self, path: Path, old: str, new: str) -> list[str]:
        """What is found with `old` replaced in a file, which is restored."""
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))
        result = problems(self.root)
        path.write_text(text)
        return result

    def test_nothing_is_wrong(self) -> None:
        self.note.write_text("See decisions 0001 and 0002.\n")
        self.assertEqual(problems(self.root), [])

    def test_what_is_wrong_in_a_file_is_found(self) -> None:
        for path, old, new, message in [
            (self.first, "# 0001", "# 0002", "the title has the number 0002"),
            (self.first, "- Status", "Status", "does not begin with"),
            (self.first, "by 0002", "by 0003", "superseded by 0003, which is no other"),
            (self.first, "by 0002", "by 0001", "superseded by 0001, which is no other"),
            (self.second, "accepted", "agreed", "'agreed' is no status"),
            (self.second, "## Context", "## Contexts", "has the sections"),
            (self.second, "Memory.\n", "", "has an empty section"),
            (self.second, "Memory.\n", "Memory.\n" * 40, "has 59 lines"),
            (self.second, "2026-11-22", "2026-11-20", "has an earlier date"),
            (self.second, "(0001-lists.md)", "(0003-lists.md)", "a link to 0003-lists.md"),
            (self.second, "Memory.", "See index/lists.hpp.", "names index/lists.hpp"),
            (self.index, "| accepted", "| superseded by 0001", "wants one row '| [0002]"),
            (self.index, "short | accepted", "long | accepted", "a row that is no decision's"),
        ]:
            found = self.found(path, old, new)
            self.assertTrue(any(message in problem for problem in found), (message, found))

    def test_gaps_and_names_are_found(self) -> None:
        changes: list[tuple[Callable[[], object], str]] = [
            (lambda: self.second.rename(self.folder / "0003-lists.md"), "without gaps"),
            (lambda: self.first.rename(self.folder / "0001_lists.md"), "the name is not"),
        ]
        for change, message in changes:
            change()
            self.assertTrue(any(message in problem for problem in problems(self.root)), message)

    def test_mentions_are_found(self) -> None:
        for text, number in [("decision 7", "7"), ("Decisions 0001 and 0003.", "0003")]:
            self.note.write_text("a\n" + text)
            self.assertEqual(problems(self.root), [f"NOTE.md:2: there is no decision {number}"])


if __name__ == "__main__":
    unittest.main()
