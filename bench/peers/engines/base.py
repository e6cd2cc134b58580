"""What the comparison asks of an engine."""

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from peers.text.postings import Statistics

#: Default BM25 parameters of Gannet and PISA, and of bm25s here.
K1, B = 0.9, 0.4


@dataclasses.dataclass(frozen=True)
class Setting:
    """How queries are answered."""

    mode: str  #: "or" or "and"
    k: int
    algorithm: str  #: one of the engine's algorithms for the mode
    single: bool = False  #: a call for each query, instead of one for as many as it takes


class Queries(Protocol):
    """(number, text) of some queries, once through; len() is at least their number."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[tuple[int, str]]: ...


class Pass(Protocol):
    """One pass over a log, with the room for its results."""

    def run(self, queries: Queries) -> None:
        """Answers the queries; this is what is timed."""
        ...


class Engine(Protocol):
    """An open index."""

    #: Whether all cores are used by a process a thread; otherwise the engine has threads.
    by_processes: bool

    def __init__(self, folder: Path, documents: Path) -> None: ...

    @staticmethod
    def build(documents: Path, folder: Path, threads: int) -> list[Path]:
        """Indexes id<TAB>words lines; the files and folders that serving needs."""
        ...

    @staticmethod
    def statistics(folder: Path, words: list[str]) -> Statistics:
        """Statistics of an index, counted in its lists as far as it lets one."""
        ...

    @staticmethod
    def algorithms(mode: str) -> Sequence[str]:
        """The algorithms to be measured, for exact results; the first one is used for run files."""
        ...

    def prepare(self, setting: Setting, capacity: int, threads: int) -> Pass:
        """Makes a pass over at most so many queries."""
        ...

    def answers(
        self, setting: Setting, queries: Sequence[str]
    ) -> Iterable[list[tuple[str, float]]]:
        """Hits of every query, best first, as (id, score); not timed."""
        ...


def read_pairs(path: Path) -> Iterator[tuple[str, str]]:
    """id and text of every line."""
    with path.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            name, _, text = line.removesuffix("\n").partition("\t")
            yield name, text


def read_ids(path: Path) -> list[str]:
    """The ids of documents."""
    return [name for name, _ in read_pairs(path)]
