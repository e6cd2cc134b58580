"""What the comparison asks of an engine."""

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from peers.text.postings import Statistics

#: Default BM25 parameters of Gannet and PISA, and of bm25s here.
K1, B = 0.9, 0.4


@dataclasses.dataclass(frozen=True)
class Setting:
    """How queries are answered."""

    mode: str  #: "or" or "and"
    k: int  #: hits; 0: how many documents match, and no hits
    algorithm: str  #: one of the engine's algorithms for the mode
    single: bool = False  #: a call for each query, instead of one for as many as it takes
    counted: bool = False  #: how many documents match, beside the hits


@dataclasses.dataclass(frozen=True)
class Times:
    """When a process answered its part of a log, in seconds of the monotonic clock."""

    begin: float
    end: float
    cpu: float  #: seconds of its threads


class Queries(Protocol):
    """Some queries of a pass, once through; len() is at least their number."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...


class Pass(Protocol):
    """One pass over a log, with the room for its results."""

    #: The log as run() takes it: what can be made of texts before the clock starts is made.
    queries: Sequence[Any]

    def run(self, queries: Queries) -> Times | None:
        """Answers the queries; this is what is timed. An engine with its own clock tells times."""
        ...


class Engine(Protocol):
    """An open index."""

    #: Whether all cores are used by a process a thread; otherwise the engine has threads.
    by_processes: bool
    #: Whether it is compiled while it runs: it needs a long warm-up, and cores for its compiler.
    compiles: bool

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

    def prepare(self, setting: Setting, texts: Sequence[str], threads: int) -> Pass:
        """Makes a pass over a log."""
        ...

    def answers(
        self, setting: Setting, queries: Sequence[str]
    ) -> Iterable[list[tuple[str, float]]]:
        """Hits of every query, best first, as (id, score); not timed."""
        ...

    def counts(self, mode: str, queries: Sequence[str], k: int = 0) -> Iterable[int]:
        """How many documents match each query, told beside k hits; not timed.

        Engines that do not count lack it.
        """
        ...


class Watch(Protocol):
    """Tells what each query of a log takes, on one thread."""

    def __init__(self, engine: Any, logs: dict[str, list[str]]) -> None: ...

    def latencies(self, log: str, setting: Setting) -> list[float]:
        """Seconds of each query in one pass."""
        ...

    def close(self) -> None:
        """Ends what it has started."""
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
