"""A collection in several files, for the tests of gannet.ray, and what a cluster is compared by."""

from __future__ import annotations

import _thread
import os
import random
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gannet
import numpy as np
from indexes import write_jsonl

SCHEMA = {"year": "i32", "tag": "keyword:multi", "title": "text:weight=2"}


def start(ray: Any) -> None:
    """Starts Ray on this machine, with two cores, whatever the machine has."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # Ray's processes give way to all others, which on a busy machine they wait for.
    os.environ.setdefault("RAY_worker_niceness", "0")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)


def documents(number: int, seed: int) -> list[dict[str, Any]]:
    """Documents whose words and lengths differ from file to file, so that shards' statistics do."""
    made = random.Random(seed)
    words = [f"w{int(made.paretovariate(0.8)) % 900}" for _ in range(5000)]
    return [
        {
            "id": f"f{seed}-{i}",
            "contents": " ".join(made.choices(words, k=made.randrange(3, 20 + 40 * seed))),
            "title": " ".join(made.choices(words, k=3)),
            "year": made.randrange(1990, 2020),
            "tag": made.sample(["a", "b", "c", "d"], made.randrange(3)),
        }
        for i in range(number)
    ]


def write_files(folder: Path, numbers: list[int]) -> list[Path]:
    folder.mkdir()
    return [
        write_jsonl(folder / f"part-{i}.jsonl", documents(number, i))
        for i, number in enumerate(numbers)
    ]


def queries(number: int) -> list[str]:
    made = random.Random(7)
    words = [f"w{int(made.paretovariate(0.8)) % 900}" for _ in range(2000)] + ["neverthere"]
    return [" ".join(made.choices(words, k=made.randrange(1, 6))) for _ in range(number)]


def assert_same(a: gannet.BatchHits, b: gannet.BatchHits) -> None:
    """The same hits, to the bit of every score."""
    assert np.array_equal(a.offsets, b.offsets)
    assert np.array_equal(a.docids, b.docids)
    assert np.array_equal(a.scores.view(np.uint32), b.scores.view(np.uint32))


def processes_named(name: str) -> list[int]:
    """The processes that this one's Ray has given this name."""
    return [
        int(entry.name)
        for entry in Path("/proc").iterdir()
        if entry.name.isdigit()
        and read_of(int(entry.name), "cmdline").startswith(name)
        and is_ours(int(entry.name))
    ]


def read_of(pid: int, file: str) -> str:
    """Of a process that may have ended: then nothing."""
    try:
        return Path(f"/proc/{pid}/{file}").read_text(errors="replace")
    except OSError:
        return ""


def is_ours(pid: int) -> bool:
    """Whether this process has started it, by others or not."""
    while pid > 1 and pid != os.getpid():
        parent = re.search(r"^PPid:\s*(\d+)", read_of(pid, "status"), re.MULTILINE)
        pid = int(parent[1]) if parent else 0
    return pid == os.getpid()


def wait_for_process(name: str, but: int = 0) -> int:
    for _ in range(600):
        for pid in processes_named(name):
            if pid != but:
                return pid
        time.sleep(0.1)
    raise AssertionError(f"there is no process {name}")


def wait_for_end(name: str) -> None:
    """Until no process has this name; Ray keeps them, under another one."""
    for _ in range(600):
        if not processes_named(name):
            return
        time.sleep(0.1)
    raise AssertionError(f"processes {name} do not end")


def wait_until_idle(ray: Any) -> None:
    """Until nothing runs: a task that asks for all cores is done. What processes are named may tell
    of tasks that were interrupted while Ray gave the process its name."""
    ray.get(ray.remote(num_cpus=2)(lambda: 0).remote(), timeout=60)


class Meanwhile(threading.Thread):
    """Something that happens while the main thread waits. The interpreter does not wait for its
    end."""

    def __init__(self, act: Callable[[], object]) -> None:
        super().__init__(daemon=True)
        self._act = act
        self._error: BaseException | None = None
        self.start()

    def run(self) -> None:
        """If it fails, the main thread is interrupted, which may wait for it."""
        try:
            self._act()
        except BaseException as error:
            self._error = error
            _thread.interrupt_main()

    def join(self, timeout: float | None = None) -> None:
        """Raises what went wrong: the main thread may have taken it for an interrupt it expects."""
        super().join(timeout)
        if self._error is not None:
            raise self._error


def is_running(pid: int) -> bool:
    return os.path.exists(f"/proc/{pid}")
