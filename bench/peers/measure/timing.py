"""Rounds through all engines, and what was measured in them."""

import dataclasses
import statistics
from pathlib import Path
from typing import Any

from peers import machine
from peers.gannet import Gannet
from peers.measure.indexes import GANNET, Built
from peers.systems import SYSTEMS
from peers.work.environment import Environment

#: What is timed: mode and k.
TASKS = (("or", 10), ("or", 1000), ("and", 10))


@dataclasses.dataclass(frozen=True)
class Case:
    """A collection with a log, answered by some threads."""

    collection: str
    log: str
    threads: int


@dataclasses.dataclass
class Series:
    """All passes of an engine over one case, for one mode, k and algorithm."""

    engine: str
    case: Case
    mode: str
    k: int
    algorithm: str
    queries: int
    seconds: list[float] = dataclasses.field(default_factory=list)  #: of searching, a pass each
    planning: list[float] = dataclasses.field(default_factory=list)  #: Gannet's, apart
    cpu: list[float] = dataclasses.field(default_factory=list)

    @property
    def rate(self) -> float:
        """Queries a second, all that belongs to answering them included; medians."""
        planning = statistics.median(self.planning) if self.planning else 0.0
        return self.queries / (statistics.median(self.seconds) + planning)

    @property
    def search_rate(self) -> float:
        """Queries a second without planning."""
        return self.queries / statistics.median(self.seconds)

    @property
    def spread(self) -> float:
        """Slowest pass less the fastest, of the median."""
        return (max(self.seconds) - min(self.seconds)) / statistics.median(self.seconds)

    def facts(self) -> dict[str, Any]:
        """For the report."""
        rates = {
            "queries_per_second": self.rate,
            "search_queries_per_second": self.search_rate,
            "spread": self.spread,
        }
        return {**dataclasses.asdict(self), **rates}


class Timing:
    """Gathers the series of all rounds."""

    def __init__(self, environment: Environment, gannet: Gannet, repeats: int) -> None:
        self.environment = environment
        self.gannet = gannet
        self.repeats = repeats
        self.series: dict[tuple[Any, ...], Series] = {}
        self.loads: list[float] = []  #: of the machine, before each turn

    def measure(self, built: Built, documents: Path, case: Case, log: Path, queries: int) -> None:
        """One engine's turn."""
        self.loads.append(machine.load())
        if built.engine == GANNET:
            self._measure_gannet(built, case, log, queries)
        else:
            self._measure_peer(built, documents, case, log, queries)

    def _of(
        self, engine: str, case: Case, row: dict[str, Any], algorithm: str, queries: int
    ) -> Series:
        key = (engine, case, row["mode"], row["k"], algorithm)
        return self.series.setdefault(
            key, Series(engine, case, row["mode"], row["k"], algorithm, queries)
        )

    def _measure_gannet(self, built: Built, case: Case, log: Path, queries: int) -> None:
        for mode in dict.fromkeys(mode for mode, _ in TASKS):
            ks = [k for other, k in TASKS if other == mode]
            for row in self.gannet.bench(built.path, log, mode, ks, case.threads, self.repeats):
                series = self._of(GANNET, case, row, "pruned", queries)
                series.seconds.append(row["seconds"])
                series.planning.append(row["plan_seconds"])

    def _measure_peer(
        self, built: Built, documents: Path, case: Case, log: Path, queries: int
    ) -> None:
        modes = SYSTEMS[built.engine].modes
        job = {
            "do": "measure",
            "engine": built.engine,
            "index": str(built.path),
            "documents": str(documents),
            "log": str(log),
            "threads": case.threads,
            "repeats": self.repeats,
            "tasks": [{"mode": mode, "k": k} for mode, k in TASKS if mode in modes],
        }
        rows, _ = self.environment.work(f"{built.engine}-measure", job)
        for row in rows:
            series = self._of(built.engine, case, row, row["algorithm"], queries)
            series.seconds += [sample["seconds"] for sample in row["samples"]]
            series.cpu += [sample["cpu"] for sample in row["samples"]]

    def best(self, engine: str, case: Case, mode: str, k: int) -> Series | None:
        """The fastest algorithm's series, or None if the engine was not measured so."""
        found = [
            series
            for series in self.series.values()
            if (series.engine, series.case, series.mode, series.k) == (engine, case, mode, k)
        ]
        return max(found, key=lambda series: series.rate, default=None)
