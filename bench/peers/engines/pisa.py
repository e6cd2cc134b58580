"""PISA, as pyterrier-pisa wraps it.

Its C++ functions are called directly: PyTerrier would put every hit into a data frame, which takes
longer than finding it.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy
import pyterrier_pisa
from pyterrier_pisa import _pisathon

from peers.engines.base import K1, B, Queries, Setting, read_pairs
from peers.text import postings
from peers.text.postings import Statistics

ALGORITHMS = {
    "or": ("block_max_maxscore", "maxscore", "block_max_wand"),
    "and": ("ranked_and", "block_max_ranked_and"),
}


def open_context(folder: Path) -> object:
    """An index for BM25 in float, coded by block_simdbp; makes both files when they are missing."""
    context = _pisathon.RetrievalContext()
    _pisathon.prepare_index(
        context,
        str(folder),
        "block_simdbp",
        "bm25",
        "",
        quantize=0,
        bm25_k1=K1,
        bm25_b=B,
        stop_fname="",
    )
    return context


class PisaPass:
    """Arrays for the hits of a log."""

    def __init__(self, context: object, setting: Setting, capacity: int, weighted: bool) -> None:
        self.context = context
        self.setting = setting
        self.weighted = weighted
        size = capacity * setting.k
        self.queries = numpy.zeros(size, dtype=numpy.int32)
        self.ids = numpy.full(size, None, dtype=object)
        self.ranks = numpy.zeros(size, dtype=numpy.int32)
        self.scores = numpy.zeros(size, dtype=numpy.float32)
        for array in (self.queries, self.ranks, self.scores):
            array.fill(1)  # so that their pages are there

    def run(self, queries: Queries) -> int:
        """Answers the queries; the number of hits."""
        if not self.setting.single:
            return self.retrieve(queries)
        return sum(self.retrieve([(0, text)]) for _, text in queries)

    def retrieve(self, queries: Queries | list[tuple[int, str]]) -> int:
        """Answers the queries in one call."""
        count: int = _pisathon.retrieve(
            self.context,
            self.setting.algorithm,
            queries,
            k=self.setting.k,
            threads=1,
            pretokenised=0,
            query_weighted=int(self.weighted),
            result_qidxs=self.queries,
            result_docnos=self.ids,
            result_ranks=self.ranks,
            result_scores=self.scores,
        )
        return count


class Engine:
    """See base.py."""

    by_processes = True

    def __init__(self, folder: Path, documents: Path) -> None:
        self.context = open_context(folder)

    @staticmethod
    def build(documents: Path, folder: Path, threads: int) -> list[Path]:
        index = pyterrier_pisa.PisaIndex(
            str(folder),
            text_field="text",
            stemmer="none",
            stops="none",
            threads=threads,
            overwrite=True,
        )
        index.index({"docno": name, "text": text} for name, text in read_pairs(documents))
        open_context(folder)
        # Forward index and uncompressed lists have done their part.
        return [*folder.glob("bm25.*"), folder / "fwd.termlex", folder / "fwd.doclex"]

    @staticmethod
    def statistics(folder: Path, words: list[str]) -> Statistics:
        return postings.statistics_of(folder / "inv", postings.read_lines(folder / "fwd.terms"))

    @staticmethod
    def algorithms(mode: str) -> Sequence[str]:
        return ALGORITHMS[mode]

    def prepare(self, setting: Setting, capacity: int, threads: int) -> PisaPass:
        return PisaPass(self.context, setting, capacity, weighted=False)

    def answers(
        self, setting: Setting, queries: Sequence[str]
    ) -> Iterable[list[tuple[str, float]]]:
        # Weighted, a repeated word counts as often as it is there. Logs that are timed have none.
        weighted = any(len(words) > len(set(words)) for words in map(str.split, queries))
        done = PisaPass(self.context, setting, len(queries), weighted)
        count = done.run(list(enumerate(queries)))
        hits: list[list[tuple[str, float]]] = [[] for _ in queries]
        found = done.queries[:count], done.ids[:count], done.scores[:count]
        for query, name, score in zip(*found, strict=True):
            hits[query].append((name, float(score)))
        return hits
