"""Rounds through all engines, and what each class of queries took in them."""

import dataclasses
import statistics
from typing import Any

from peers import machine
from peers.game.classes import COMMANDS, COUNT, TOP_10, TOP_10_COUNT, Command, GameLogs, QueryClass
from peers.gannet import Gannet
from peers.measure.indexes import GANNET, Built
from peers.systems import SYSTEMS
from peers.text.preparation import Text
from peers.work.environment import Environment

#: Hits and their count by a search each: where an engine has none for both, or it takes longer.
TWO_SEARCHES = "two searches"


@dataclasses.dataclass
class GameSeries:
    """An engine's times for a class, by one algorithm. One query at a time, on one thread."""

    engine: str
    queries: QueryClass
    command: Command
    algorithm: str
    mean: list[float] = dataclasses.field(default_factory=list)  #: seconds of a query, by round
    median: list[float] = dataclasses.field(default_factory=list)  #: the same
    planning: list[float] = dataclasses.field(default_factory=list)  #: Gannet's, in both

    @property
    def microseconds(self) -> float:
        """Of the median query; medians of the rounds."""
        return 1e6 * statistics.median(self.median)

    @property
    def rate(self) -> float:
        """Queries a second."""
        return 1 / statistics.median(self.mean)

    def facts(self) -> dict[str, Any]:
        """For the report."""
        return {
            "engine": self.engine,
            "mode": self.queries.mode,
            "terms": self.queries.terms,
            "command": self.command.name,
            "algorithm": self.algorithm,
            "mean_seconds": self.mean,
            "median_seconds": self.median,
            "median_microseconds": self.microseconds,
            "queries_per_second": self.rate,
        }


class GameTiming:
    """Gathers the series of all rounds."""

    def __init__(self, environment: Environment, gannet: Gannet, repeats: int, settle: int) -> None:
        self.environment = environment
        self.gannet = gannet
        self.repeats = repeats
        self.settle = settle  #: seconds of warm-up for what is compiled while it runs
        self.series: dict[tuple[Any, ...], GameSeries] = {}
        self.loads: list[float] = []  #: of the machine, before each turn

    def measure(self, built: Built, text: Text, logs: GameLogs) -> None:
        """One engine's turn."""
        self.loads.append(machine.load())
        if built.engine == GANNET:
            self._measure_gannet(built, logs)
        else:
            self._measure_peer(built, text, logs)

    def of(self, engine: str, queries: QueryClass, command: Command, algorithm: str) -> GameSeries:
        """The series to which rounds are added."""
        key = engine, queries, command, algorithm
        return self.series.setdefault(key, GameSeries(engine, queries, command, algorithm))

    def _measure_gannet(self, built: Built, logs: GameLogs) -> None:
        for queries in logs.classes:
            for command in COMMANDS:
                if command == TOP_10_COUNT:
                    continue
                row = self.gannet.bench(
                    built.path, logs.path(queries), queries.mode, command.k, 1, self.repeats, True
                )
                # Queries of a class take about the same to plan: their terms are as many.
                planning = row["plan_seconds"] / row["queries"]
                latency = row["batch_latency_ms"]
                series = self.of(GANNET, queries, command, "pruned")
                series.mean.append(1e-3 * latency["mean"] + planning)
                series.median.append(1e-3 * latency["p50"] + planning)
                series.planning.append(planning)

    def _measure_peer(self, built: Built, text: Text, logs: GameLogs) -> None:
        system = SYSTEMS[built.engine]
        classes = {one.key: one for one in logs.classes if one.mode in system.modes}
        commands = [one for one in COMMANDS if not (one.counted and system.uncounted)]
        tasks = [
            {**dataclasses.asdict(command), "mode": mode}
            for mode in dict.fromkeys(one.mode for one in classes.values())
            for command in commands
        ]
        job = {
            "do": "measure-game",
            "engine": built.engine,
            "index": str(built.path),
            "documents": str(text.documents),
            "logs": {
                key: {"path": str(logs.path(one)), "mode": one.mode} for key, one in classes.items()
            },
            "repeats": self.repeats,
            "settle": self.settle,
            "tasks": tasks,
        }
        rows, _ = self.environment.work(f"{built.engine}-game", job)
        for row in rows:
            command = Command(row["name"], row["k"], row["counted"])
            series = self.of(built.engine, classes[row["log"]], command, row["algorithm"])
            series.mean.append(row["mean"])
            series.median.append(row["median"])

    def best(self, engine: str, queries: QueryClass, command: Command) -> GameSeries | None:
        """The fastest algorithm's series, or None if the engine was not measured so."""
        found = [
            series
            for series in self.series.values()
            if (series.engine, series.queries, series.command) == (engine, queries, command)
        ]
        if command == TOP_10_COUNT:
            found += self._two_searches(engine, queries)
        return max(found, key=lambda series: series.rate, default=None)

    def _two_searches(self, engine: str, queries: QueryClass) -> list[GameSeries]:
        """Hits and count, one after the other: the sum of both."""
        hits, count = (self.best(engine, queries, one) for one in (TOP_10, COUNT))
        if hits is None or count is None:
            return []
        # Gannet plans the query once for both.
        planning = count.planning or [0.0] * len(count.mean)
        return [
            GameSeries(
                engine,
                queries,
                TOP_10_COUNT,
                TWO_SEARCHES,
                [a + b - c for a, b, c in zip(hits.mean, count.mean, planning, strict=True)],
                [a + b - c for a, b, c in zip(hits.median, count.median, planning, strict=True)],
            )
        ]
