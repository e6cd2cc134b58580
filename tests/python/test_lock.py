"""Other threads of Python run while the library works."""

from __future__ import annotations

import itertools
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gannet
import numpy as np
import pytest
from conftest import DOCUMENTS, SCHEMA
from gannet import _gannet, _options


@pytest.fixture(autouse=True)
def nobody_is_switched_to() -> Iterator[None]:
    """A thread gives the interpreter lock up only where it says so."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    yield
    sys.setswitchinterval(before)


def others_ran(work: Callable[[], Any], seconds: float = 20) -> bool:
    """Whether another thread that was ready to run did so while works were done one after the other
    for so long at most; on a busy machine it comes too late for many."""
    ran: list[int] = []
    ready, go = threading.Lock(), threading.Lock()
    ready.acquire()
    go.acquire()

    def other() -> None:
        ready.release()
        go.acquire()
        ran.append(1)

    thread = threading.Thread(target=other)
    thread.start()
    ready.acquire()
    go.release()
    end = time.monotonic() + seconds
    while not ran and time.monotonic() < end:
        work()
    made = bool(ran)
    thread.join()
    return made


BUILD = _options.build_options(
    {**gannet._upkeep._STANDARD, "schema": SCHEMA, "store": True, "overwrite": True}
)
SEARCH = _options.search_options({"k": 10, "mode": "or", "operators": True})
NUMBERS = np.arange(1 << 20, dtype=np.int32)


def works(path: Path, index: gannet.Index, tmp_path: Path) -> dict[str, Callable[[], Any]]:
    handle = index._handle
    raw = NUMBERS.view(np.uint8)
    encoded = gannet.encode(NUMBERS, "gpu-for")
    folder, output = str(path), str(tmp_path / "out")
    writer = gannet.Writer(tmp_path / "written")
    writer.add_all(("a%d" % i, "some words") for i in range(100))
    search = _gannet.search
    numbers = itertools.count(10)
    return {
        "build": lambda: _gannet.build_from_objects(iter(DOCUMENTS), output, BUILD, None),
        "open": lambda: _gannet.IndexHandle(folder, {"backend": "cpu"}),
        "search": lambda: search(handle, "power", SEARCH),
        "facets": lambda: search(handle, "power", {**SEARCH, "facets": ["tag"]}),
        "batch": lambda: _gannet.search_batch(handle, ["solar", "power"] * 100, SEARCH),
        "ids": lambda: _gannet.id_column(handle, np.zeros(10_000, dtype=np.uint32)),
        "fields": lambda: _gannet.field_columns(handle, ["tag"], np.zeros(10_000, dtype=np.uint32)),
        "terms": lambda: handle.terms("", 100),
        "postings": lambda: handle.postings("power", False),
        "verify": lambda: _gannet.verify(folder, 1, None),
        "repair": lambda: _gannet.repair(folder, output + "2", True, "64M", 1, None),
        "reorder": lambda: _gannet.reorder(
            folder, "random", None, output + "3", True, "64M", 1, None
        ),
        "shard": lambda: _gannet.split_index(folder, f"{output}{next(numbers)}", 2, "64M", 1, None),
        "merge": lambda: _gannet.merge(folder, 1, False, "64M", 1, None),
        "delete": lambda: _gannet.remove(folder, [], "power", "", True),
        "commit": lambda: writer.commit(),
        "encode": lambda: _gannet.encode(raw, "i32", "gpu-for", ""),
        "decode": lambda: _gannet.ColumnHandle(encoded).decode(0, len(NUMBERS)),
    }


NAMES = [
    "build", "open", "search", "facets", "batch", "ids", "fields", "terms", "postings", "verify",
    "repair", "reorder", "shard", "merge", "delete", "commit", "encode", "decode",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_the_lock_is_given_up(name: str, tmp_path: Path) -> None:
    index = gannet.Index.build(DOCUMENTS, tmp_path / "idx", schema=SCHEMA, backend="cpu")
    made = works(tmp_path / "idx", index, tmp_path)
    assert list(made) == NAMES
    assert others_ran(made[name])


def test_what_keeps_the_lock_is_found() -> None:
    assert not others_ran(lambda: sorted(range(100_000)), seconds=0.1)


def test_arrow_is_read_without_the_lock(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"contents": ["solar power"] * 10_000})
    options = {**BUILD, "schema_fields": [], "store": False}
    path = str(tmp_path / "idx")
    assert others_ran(lambda: _gannet.build_from_arrow(iter([table]), path, options, None))
