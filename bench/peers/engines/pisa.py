"""PISA, as pyterrier-pisa wraps it.

Its C++ functions are called directly: PyTerrier would put every hit into a data frame, which takes
longer than finding it.

They make a string of Python for the id of every hit, which PISA by itself does not. So the index
that is timed has ids of one letter, for which Python has a string already; the index that is
checked has the documents' own.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy
import pyterrier_pisa
from pyterrier_pisa import _pisathon

from peers.engines.base import K1, B, Queries, Setting, read_ids, read_pairs
from peers.text import postings
from peers.text.postings import Statistics

ALGORITHMS = {
    "or": ("block_max_maxscore", "maxscore", "block_max_wand"),
    "and": ("ranked_and", "block_max_ranked_and"),
}
#: The ids of documents, in the order of the documents.
IDS = "fwd.doclex"
#: Links to the parts of the index, but for the ids.
TIMED = "timed"


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


def make_timed(folder: Path, documents: int) -> None:
    """Makes the index that is timed of the one that is checked."""
    timed = folder / TIMED
    parts = [path for path in folder.iterdir() if path.name != IDS]
    timed.mkdir()
    for part in parts:
        (timed / part.name).symlink_to(Path("..") / part.name)
    names = timed / "names"
    names.write_text("x\n" * documents)
    _pisathon.build_binlex(str(names), str(timed / IDS))
    names.unlink()


class PisaPass:
    """Numbered queries, and arrays for the hits of a log."""

    def __init__(self, context: object, setting: Setting, texts: Sequence[str]) -> None:
        self.context = context
        self.setting = setting
        # Cut into words beforehand, as the package takes them too, they are not answered sooner.
        self.queries = list(enumerate(texts))
        #: Whether a repeated word counts as often as it is there. Logs that are timed have none.
        self.weighted = any(len(words) > len(set(words)) for words in map(str.split, texts))
        size = len(texts) * setting.k
        self.numbers = numpy.zeros(size, dtype=numpy.int32)
        self.ids = numpy.full(size, None, dtype=object)
        self.ranks = numpy.zeros(size, dtype=numpy.int32)
        self.scores = numpy.zeros(size, dtype=numpy.float32)
        for array in (self.numbers, self.ranks, self.scores):
            array.fill(1)  # so that their pages are there

    def run(self, queries: Queries) -> None:
        """Answers the queries."""
        if not self.setting.single:
            self.retrieve(queries)
            return
        for query in queries:
            self.retrieve([query])

    def retrieve(self, queries: Queries | list[Any]) -> int:
        """Answers the queries in one call; the number of hits."""
        count: int = _pisathon.retrieve(
            self.context,
            self.setting.algorithm,
            queries,
            k=self.setting.k,
            threads=1,
            pretokenised=0,
            query_weighted=int(self.weighted),
            result_qidxs=self.numbers,
            result_docnos=self.ids,
            result_ranks=self.ranks,
            result_scores=self.scores,
        )
        return count


class Engine:
    """See base.py."""

    by_processes = True
    compiles = False

    def __init__(self, folder: Path, documents: Path) -> None:
        self.folder = folder
        self.timed: object | None = None

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
        make_timed(folder, len(read_ids(documents)))
        # Forward index and uncompressed lists have done their part.
        return [*folder.glob("bm25.*"), folder / "fwd.termlex", folder / IDS]

    @staticmethod
    def statistics(folder: Path, words: list[str]) -> Statistics:
        return postings.statistics_of(folder / "inv", postings.read_lines(folder / "fwd.terms"))

    @staticmethod
    def algorithms(mode: str) -> Sequence[str]:
        return ALGORITHMS[mode]

    def prepare(self, setting: Setting, texts: Sequence[str], threads: int) -> PisaPass:
        if self.timed is None:
            self.timed = open_context(self.folder / TIMED)
        return PisaPass(self.timed, setting, texts)

    def answers(
        self, setting: Setting, queries: Sequence[str]
    ) -> Iterable[list[tuple[str, float]]]:
        done = PisaPass(open_context(self.folder), setting, queries)
        count = done.retrieve(done.queries)
        hits: list[list[tuple[str, float]]] = [[] for _ in queries]
        found = done.numbers[:count], done.ids[:count], done.scores[:count]
        for query, name, score in zip(*found, strict=True):
            hits[query].append((name, float(score)))
        return hits
