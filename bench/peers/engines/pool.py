"""Processes that answer a query log together, timed from the first start to the last end."""

import dataclasses
import importlib
import multiprocessing
import os
import time
import traceback
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from peers.engines.base import Engine, Setting, Times, read_pairs
from peers.errors import Exit, PeersError

#: Queries that a process takes at once: so few that all end at about the same time.
BLOCK = 8
#: Seconds, as `gannet bench query` takes them: the first passes find caches and processes cold.
WARM_UP = 0.1
CONTEXT = multiprocessing.get_context("spawn")


@dataclasses.dataclass(frozen=True)
class Plan:
    """What every process needs."""

    engine: str
    index: Path
    documents: Path
    log: Path
    threads: int  #: of each process
    pinned: bool = True  #: whether a process with one thread stays on one core


@dataclasses.dataclass(frozen=True)
class Sample:
    """One pass over a log."""

    seconds: float
    cpu: float  #: seconds of all processes


def load_engine(name: str) -> type[Engine]:
    """The class behind an engine's name: that of a module beside this one, or anywhere."""
    module = name if "." in name else f"peers.engines.{name}"
    engine: type[Engine] = importlib.import_module(module).Engine
    return engine


class Share:
    """The part of a log that one process answers: blocks, as they come."""

    def __init__(self, queries: Sequence[Any], taken: Any) -> None:
        self.queries = queries
        self.taken = taken

    def __len__(self) -> int:
        return len(self.queries)

    def __iter__(self) -> Iterator[Any]:
        while True:
            with self.taken.get_lock():
                begin = self.taken.value
                self.taken.value = begin + BLOCK
            if begin >= len(self.queries):
                return
            yield from self.queries[begin : begin + BLOCK]


def serve(plan: Plan, cpu: int | None, barrier: Any, taken: Any, pipe: Connection) -> None:
    """One process: opens the index, then answers settings until there are no more."""
    try:
        if cpu is not None:
            os.sched_setaffinity(0, {cpu})
        engine = load_engine(plan.engine)(plan.index, plan.documents)
        texts = [text for _, text in read_pairs(plan.log)]
        pipe.send(None)
        while (setting := pipe.recv()) is not None:
            done = engine.prepare(setting, texts, plan.threads)
            share = Share(done.queries, taken)
            barrier.wait()
            begin, cpu_begin = time.monotonic(), time.process_time()
            told = done.run(share)
            end, cpu_end = time.monotonic(), time.process_time()
            pipe.send(told or Times(begin, end, cpu_end - cpu_begin))
    except EOFError:
        pass  # whoever asked is gone
    except Exception:
        barrier.abort()
        pipe.send(traceback.format_exc())


class Pool:
    """So many threads at work on one log: as processes, or within one."""

    def __init__(self, plan: Plan, processes: int) -> None:
        self.threads = processes * plan.threads
        self.taken = CONTEXT.Value("q", 0)
        # Kept: the memory of a barrier that nobody here holds any more goes to the next one's pool.
        self.barrier = CONTEXT.Barrier(processes)
        self.pipes: list[Connection] = []
        self.processes = []
        # A process that has threads of its own may use all cores.
        cpus = sorted(os.sched_getaffinity(0))
        for number in range(processes):
            ours, theirs = CONTEXT.Pipe()
            cpu = cpus[number % len(cpus)] if plan.pinned and plan.threads == 1 else None
            process = CONTEXT.Process(
                target=serve, args=(plan, cpu, self.barrier, self.taken, theirs), daemon=True
            )
            process.start()
            theirs.close()
            self.pipes.append(ours)
            self.processes.append(process)
        for pipe in self.pipes:
            receive(pipe)

    def sample(self, setting: Setting) -> Sample:
        """One pass over the log."""
        self.taken.value = 0
        for pipe in self.pipes:
            pipe.send(setting)
        times: list[Times] = [receive(pipe) for pipe in self.pipes]
        seconds = max(one.end for one in times) - min(one.begin for one in times)
        return Sample(seconds, sum(one.cpu for one in times))

    def warm_up(self, setting: Setting, seconds: float = WARM_UP) -> None:
        """Passes that nobody looks at: one, and more for so many seconds.

        Of passes beside other work on the machine only their CPU time counts.
        """
        self.sample(setting)
        spent = 0.0
        while spent < seconds:
            sample = self.sample(setting)
            spent += min(sample.seconds, sample.cpu / self.threads)

    def close(self) -> None:
        """Lets the processes end."""
        for pipe in self.pipes:
            pipe.send(None)
        for process in self.processes:
            process.join()


def receive(pipe: Connection) -> Any:
    """What a process says; PeersError if that is what went wrong."""
    try:
        said = pipe.recv()
    except EOFError:
        said = "the process ended without a word"
    if isinstance(said, str):
        raise PeersError(Exit.OTHER, f"a process that answers queries failed:\n{said}")
    return said
