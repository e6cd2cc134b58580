"""bm25s with numba: scores are computed when the index is built, queries add them up."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import bm25s
import numpy

from peers.engines.base import K1, B, Queries, Setting, read_ids, read_pairs
from peers.text.postings import Statistics, digest


class Bm25sPass:
    """Answers a whole log at once, or query by query."""

    def __init__(
        self, retriever: bm25s.BM25, k: int, threads: int, single: bool, texts: Sequence[str]
    ) -> None:
        self.retriever = retriever
        self.k = k
        self.single = single
        self.threads = threads
        self.queries = [text.split() for text in texts]

    def run(self, queries: Queries) -> None:
        """Answers the queries."""
        for batch in ([one] for one in queries) if self.single else [list(queries)]:
            self.retriever.retrieve(batch, k=self.k, n_threads=self.threads, show_progress=False)


class Engine:
    """See base.py."""

    by_processes = False
    compiles = False

    def __init__(self, folder: Path, documents: Path) -> None:
        self.retriever = bm25s.BM25.load(folder, backend="numba", show_progress=False)
        self.documents = documents

    @staticmethod
    def build(documents: Path, folder: Path, threads: int) -> list[Path]:
        retriever = bm25s.BM25(k1=K1, b=B, method="lucene", backend="numba")
        retriever.index([text.split() for _, text in read_pairs(documents)], show_progress=False)
        retriever.save(folder, show_progress=False)
        return [folder]

    @staticmethod
    def statistics(folder: Path, words: list[str]) -> Statistics:
        retriever = bm25s.BM25.load(folder, show_progress=False)
        counts = numpy.diff(retriever.scores["indptr"]).tolist()
        # Its vocabulary has an empty word too, without a list.
        numbers = {
            word: number for word, number in retriever.vocab_dict.items() if number < len(counts)
        }
        present = {word: counts[number] for word, number in numbers.items() if counts[number] > 0}
        documents = int(retriever.scores["num_docs"])
        return Statistics(
            documents, len(present), sum(present.values()), None, digest(present.items())
        )

    @staticmethod
    def algorithms(mode: str) -> Sequence[str]:
        return ("term at a time",)

    def prepare(self, setting: Setting, texts: Sequence[str], threads: int) -> Bm25sPass:
        k = min(setting.k, self.retriever.scores["num_docs"])
        return Bm25sPass(self.retriever, k, threads, setting.single, texts)

    def answers(
        self, setting: Setting, queries: Sequence[str]
    ) -> Iterable[list[tuple[str, float]]]:
        ids = read_ids(self.documents)
        known = self.retriever.vocab_dict
        words = [[word for word in text.split() if word in known] for text in queries]
        # It takes no query without words.
        asked = [number for number, one in enumerate(words) if one]
        hits: list[list[tuple[str, float]]] = [[] for _ in queries]
        if not asked:
            return hits
        found = self.retriever.retrieve(
            [words[number] for number in asked],
            k=min(setting.k, len(ids)),
            n_threads=1,
            show_progress=False,
        )
        for number, documents, scores in zip(asked, found.documents, found.scores, strict=True):
            # It fills up with documents that do not match.
            pairs = zip(documents.tolist(), scores.tolist(), strict=True)
            hits[number] = [(ids[document], score) for document, score in pairs if score > 0]
        return hits
