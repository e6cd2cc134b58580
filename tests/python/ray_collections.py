"""A collection in several files, for the tests of gannet.ray, and what a cluster is compared by."""

from __future__ import annotations

import os
import random
import time
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
    """The processes that Ray has given this name."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            line = (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
        except OSError:
            continue
        if line.startswith(name.encode()):
            found.append(int(entry.name))
    return found


def wait_for_process(name: str, but: int = 0) -> int:
    for _ in range(600):
        for pid in processes_named(name):
            if pid != but:
                return pid
        time.sleep(0.1)
    raise AssertionError(f"there is no process {name}")


def is_running(pid: int) -> bool:
    return os.path.exists(f"/proc/{pid}")
