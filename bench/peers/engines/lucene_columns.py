"""Lucene with columns: the ten best, and how many match, within filters.

Filters are FILTER clauses, and the cache of queries is Lucene's default: it keeps what a filter lets
through once that was asked a few times of late, and drops what was not asked for long. Of a log of
more than some hundred queries it does not keep the queries themselves.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from peers.columns import own_ranges
from peers.columns.fields import FIELDS
from peers.columns.questions import TOP, Question
from peers.engines.lucene import BUILD_HEAP, LucenePass, OpenIndex, Server, ask, call


def line_of(text: str) -> str:
    """A query of a log as the program takes it."""
    words, own = own_ranges.parts(text)
    return f"{words}\t{own.lucene}" if own else words


def hits_of(question: Question) -> int:
    """How many hits are asked for; 0: how many documents match."""
    return TOP if question.kind == "hits" else 0


class Engine(OpenIndex):
    """An open index, for pool.py."""

    @staticmethod
    def build(documents: Path, rows: Path, folder: Path) -> None:
        """Indexes id<TAB>words lines with the rows of a CSV file."""
        fields = [field.option for field in FIELDS]
        call("build-columns", str(documents), str(rows), str(folder), *fields, heap=BUILD_HEAP)

    def prepare(self, question: Question, texts: Sequence[str], threads: int) -> LucenePass:
        """Makes a pass over a log."""
        log = "".join(f"{line_of(text)}\n" for text in texts)
        arguments = ("passes-cached", str(self.folder), str(threads))
        self.server = self.server or Server(*arguments, log=log)
        asked = f"{question.mode} {hits_of(question)}"
        if question.filter:
            asked += f"\t{question.filter.lucene}"
        return LucenePass(self.server, asked, texts)

    def answers(self, question: Question, queries: Sequence[str]) -> Iterator[dict[str, Any]]:
        """What is found for every query, in the words of answers.py; not timed."""
        lines = [line_of(text) for text in queries]
        if question.filter:
            lines = [f"{line}\t{question.filter.lucene}" for line in lines]
        counts = ask("totals", self.folder, question.mode, hits_of(question), lines)
        if question.kind == "count":
            yield from ({"count": int(count)} for count in counts)
            return
        found = self.found(ask("answers", self.folder, question.mode, TOP, lines))
        for count, hits in zip(counts, found, strict=True):
            yield {"count": int(count), "hits": [list(hit) for hit in hits]}
