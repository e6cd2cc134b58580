"""Rounds through all engines, and what was measured in them."""

import dataclasses
import statistics
from pathlib import Path
from typing import Any

from peers import machine
from peers.gannet import Gannet
from peers.measure.indexes import GANNET, Built
from peers.systems import SYSTEMS
from peers.text.preparation import NOTHING
from peers.work.environment import Environment


@dataclasses.dataclass(frozen=True)
class Task:
    """What is timed."""

    mode: str
    k: int  #: hits; 0: how many documents match
    single: bool = False  #: query by query, on one thread; else in a batch

    @property
    def head(self) -> str:
        """Its name in a table."""
        what = f"{self.mode.upper()} {self.k or 'count'}"
        return f"{what}, one at a time" if self.single else what


TASKS = (
    Task("or", 10, single=True),
    Task("or", 10),
    Task("or", 100),
    Task("or", 1000),
    Task("and", 10),
    Task("or", 0),
    Task("and", 0),
)
#: With queries that find nothing: what a query costs before a posting is read.
EMPTY_TASKS = TASKS[:2]


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
    task: Task
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
    def cpu_rate(self) -> float:
        """Queries for each second that a core is at work, planning included; 0 if not known."""
        return self.queries / statistics.median(self.cpu) if self.cpu else 0.0

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
            "queries_per_cpu_second": self.cpu_rate,
            "spread": self.spread,
        }
        return {**dataclasses.asdict(self), **rates}


class Timing:
    """Gathers the series of all rounds."""

    def __init__(self, environment: Environment, gannet: Gannet, repeats: int, settle: int) -> None:
        self.environment = environment
        self.gannet = gannet
        self.repeats = repeats
        self.settle = settle  #: seconds of warm-up for what is compiled while it runs
        self.series: dict[tuple[Any, ...], Series] = {}
        self.loads: list[float] = []  #: of the machine, before each turn

    def measure(self, built: Built, documents: Path, case: Case, log: Path, queries: int) -> None:
        """One engine's turn."""
        self.loads.append(machine.load())
        if built.engine == GANNET:
            self._measure_gannet(built, case, log, queries)
        else:
            self._measure_peer(built, documents, case, log, queries)

    def _of(self, engine: str, case: Case, task: Task, algorithm: str, queries: int) -> Series:
        key = (engine, case, task, algorithm)
        return self.series.setdefault(key, Series(engine, case, task, algorithm, queries))

    def _measure_gannet(self, built: Built, case: Case, log: Path, queries: int) -> None:
        for task in tasks_of(case):
            row = self.gannet.bench(
                built.path, log, task.mode, task.k, case.threads, self.repeats, task.single
            )
            series = self._of(GANNET, case, task, "pruned", queries)
            series.seconds.append(row["seconds"])
            series.planning.append(row["plan_seconds"])
            series.cpu.append(row["cpu_seconds"] + row["plan_cpu_seconds"])

    def _measure_peer(
        self, built: Built, documents: Path, case: Case, log: Path, queries: int
    ) -> None:
        system = SYSTEMS[built.engine]
        tasks = [
            task
            for task in tasks_of(case)
            if task.mode in system.modes and (task.k > 0 or not system.uncounted)
        ]
        job = {
            "do": "measure",
            "engine": built.engine,
            "index": str(built.path),
            "documents": str(documents),
            "log": str(log),
            "threads": case.threads,
            "repeats": self.repeats,
            "settle": self.settle,
            "tasks": [dataclasses.asdict(task) for task in tasks],
        }
        rows, _ = self.environment.work(f"{built.engine}-measure", job)
        for row in rows:
            task = Task(row["mode"], row["k"], row["single"])
            series = self._of(built.engine, case, task, row["algorithm"], queries)
            series.seconds += [sample["seconds"] for sample in row["samples"]]
            series.cpu += [sample["cpu"] for sample in row["samples"]]

    def best(self, engine: str, case: Case, task: Task) -> Series | None:
        """The fastest algorithm's series, or None if the engine was not measured so."""
        found = [
            series
            for series in self.series.values()
            if (series.engine, series.case, series.task) == (engine, case, task)
        ]
        return max(found, key=lambda series: series.rate, default=None)


def tasks_of(case: Case) -> list[Task]:
    """What is timed with so many threads: single queries have one."""
    tasks = EMPTY_TASKS if case.log == NOTHING else TASKS
    return [task for task in tasks if case.threads == 1 or not task.single]
