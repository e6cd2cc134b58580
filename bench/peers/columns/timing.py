"""Rounds through all engines."""

import dataclasses
import statistics
from typing import Any

from peers import machine
from peers.columns.engines import GANNET, ColumnIndex, Logs
from peers.columns.questions import Question, asked_of
from peers.gannet import Gannet
from peers.work.environment import Environment


@dataclasses.dataclass
class ColumnSeries:
    """All passes of an engine over a log, with one question."""

    engine: str
    question: str
    threads: int
    queries: int
    seconds: list[float] = dataclasses.field(default_factory=list)  #: of a pass, all included
    cpu: list[float] = dataclasses.field(default_factory=list)  #: seconds of all cores

    @property
    def rate(self) -> float:
        """Queries a second, by the median."""
        return self.queries / statistics.median(self.seconds)

    @property
    def cpu_rate(self) -> float:
        """Queries for each second that a core is at work: other work on the machine hardly matters."""
        return self.queries / statistics.median(self.cpu)

    def facts(self) -> dict[str, Any]:
        """For the report."""
        rates = {"queries_per_second": self.rate, "queries_per_cpu_second": self.cpu_rate}
        return {**dataclasses.asdict(self), **rates}


class ColumnTiming:
    """Gathers the series of all rounds."""

    def __init__(
        self, environment: Environment, gannet: Gannet, repeats: int, settle: int, only: str
    ) -> None:
        self.settle = settle
        self.environment = environment
        self.gannet = gannet
        self.repeats = repeats
        self.only = only
        self.series: dict[tuple[str, str, int], ColumnSeries] = {}
        self.loads: list[float] = []  #: of the machine, before each turn

    def measure(
        self,
        engine: str,
        indexes: dict[str, ColumnIndex],
        logs: Logs,
        asked: list[Question],
        threads: int,
    ) -> None:
        """One engine's turn."""
        self.loads.append(machine.load())
        asked = asked_of(engine, asked)
        if engine == GANNET:
            passes = self._of_gannet(indexes[engine], logs, asked, threads)
        else:
            passes = self._of_peer(engine, indexes[engine], logs, threads)
        for question, (seconds, cpu) in zip(asked, passes, strict=True):
            queries = logs.queries[question.log]
            series = self.series.setdefault(
                (engine, question.name, threads),
                ColumnSeries(engine, question.name, threads, queries),
            )
            series.seconds += seconds
            series.cpu += cpu

    def _of_gannet(
        self, index: ColumnIndex, logs: Logs, asked: list[Question], threads: int
    ) -> list[tuple[list[float], list[float]]]:
        passes = []
        for question in asked:
            row = self.gannet.bench_columns(
                index.path,
                logs.paths[question.log],
                question.mode,
                {**question.options},
                threads,
                self.repeats,
            )
            # Its median counts as often as there were passes. Planning is part of answering.
            seconds = row["seconds"] + row["plan_seconds"]
            cpu = row["cpu_seconds"] + row["plan_cpu_seconds"]
            passes.append(([seconds] * self.repeats, [cpu] * self.repeats))
        return passes

    def _of_peer(
        self, engine: str, index: ColumnIndex, logs: Logs, threads: int
    ) -> list[tuple[list[float], list[float]]]:
        job = {
            "do": "measure-columns",
            "engine": engine,
            "index": str(index.path),
            "documents": str(index.documents),
            "count": index.count,
            "logs": {name: str(path) for name, path in logs.paths.items()},
            "threads": threads,
            "repeats": self.repeats,
            "settle": self.settle,
            "only": self.only,
        }
        samples, _ = self.environment.work(f"{engine}-columns-measure", job)
        return [
            ([sample["seconds"] for sample in one], [sample["cpu"] for sample in one])
            for one in samples
        ]
