"""What worker.py does for the query classes of the Search Benchmark Game."""

import importlib
import os
import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from peers.engines.base import Engine, Pass, Setting, Watch, read_pairs
from peers.engines.pool import WARM_UP, load_engine

Job = dict[str, Any]


class Timed:
    """Queries that are handed out one by one, with the time until the next one is taken."""

    def __init__(self, queries: Sequence[Any]) -> None:
        self.queries = queries
        self.seconds: list[float] = []

    def __len__(self) -> int:
        return len(self.queries)

    def __iter__(self) -> Iterator[Any]:
        clock, told = time.perf_counter, self.seconds.append
        for query in self.queries:
            begin = clock()
            yield query
            told(clock() - begin)


class PythonWatch:
    """Watches an engine that is called from here."""

    def __init__(self, engine: Engine, logs: dict[str, list[str]]) -> None:
        self.engine = engine
        self.logs = logs
        self.passes: dict[tuple[str, Setting], Pass] = {}

    def latencies(self, log: str, setting: Setting) -> list[float]:
        """See base.py."""
        key = log, setting
        if key not in self.passes:
            self.passes[key] = self.engine.prepare(setting, self.logs[log], 1)
        timed = Timed(self.passes[key].queries)
        self.passes[key].run(timed)
        return timed.seconds

    def close(self) -> None:
        """Nothing was started."""


def open_watch(job: Job) -> Watch:
    """Opens the index; an engine's module may have a watch of its own."""
    logs = {
        name: [text for _, text in read_pairs(Path(log["path"]))]
        for name, log in job["logs"].items()
    }
    engine = load_engine(job["engine"])
    if not engine.compiles:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    make = getattr(importlib.import_module(engine.__module__), "Watch", PythonWatch)
    watch: Watch = make(engine(Path(job["index"]), Path(job["documents"])), logs)
    return watch


def warm_up(watch: Watch, logs: Sequence[str], setting: Setting, seconds: float) -> None:
    """Passes that nobody looks at: one over each log, and more for so many seconds."""
    spent = 0.0
    while True:
        spent += sum(sum(watch.latencies(log, setting)) for log in logs)
        if spent >= seconds:
            return


def do_measure(job: Job) -> list[dict[str, Any]]:
    """What the queries of each log take: their mean and their median, of each query's median."""
    engine = load_engine(job["engine"])
    watch = open_watch(job)
    rows = []
    for task in job["tasks"]:
        logs = [name for name, log in job["logs"].items() if log["mode"] == task["mode"]]
        for algorithm in engine.algorithms(task["mode"]):
            setting = Setting(task["mode"], task["k"], algorithm, True, task["counted"])
            # Java's compiler is given the queries of all classes.
            warm_up(watch, logs, setting, job["settle"] if engine.compiles else 0)
            for log in logs:
                found = measure(watch, log, setting, job["repeats"])
                rows.append({**task, "log": log, "algorithm": algorithm, **found})
    watch.close()
    return rows


def measure(watch: Watch, log: str, setting: Setting, repeats: int) -> dict[str, float]:
    """Seconds of a query: mean and median of the log's, each the median of its passes."""
    warm_up(watch, [log], setting, WARM_UP)
    passes = [watch.latencies(log, setting) for _ in range(repeats)]
    queries = [statistics.median(of_query) for of_query in zip(*passes, strict=True)]
    return {"mean": statistics.mean(queries), "median": statistics.median(queries)}
