"""Writing to an index: commits, deletions, refreshed readers, one writer at a time."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import gannet
import pytest
from conftest import DOCUMENTS, SCHEMA


def test_a_history(tmp_path: Path) -> None:
    path = tmp_path / "idx"
    with gannet.Writer(path, schema=SCHEMA, store=True) as writer:
        writer.add_all(DOCUMENTS)
        assert len(gannet.open(path)) == 0  # nothing is committed
    index = gannet.open(path)
    assert len(index) == len(DOCUMENTS)
    assert index.search("solar", filter="year:>=2000").ids == ["wind"]

    with gannet.Writer(path) as writer:  # the options are the index's
        assert writer.delete("sun")
        assert not writer.delete("sun")
        assert not writer.delete("nobody")
        writer.update({"id": "wind", "contents": "Wind and solar power.", "year": 1990})
        with pytest.raises(gannet.UsageError, match="'coal' is there already"):
            writer.add({"id": "coal", "contents": "again"})
        report = writer.commit()
        assert report == {
            "added": 1,
            "removed": 2,
            "merged": report["merged"],
            "merge_problem": None,
            "codec_fallbacks": [],
        }
    assert index.search("solar", filter="year:>=2000").ids == ["wind"]  # it keeps what it has
    now = index.refresh()
    assert now.search("solar").ids == ["wind"]
    assert now.search("solar", filter="year:>=2000").ids == []
    assert now.find("sun") is None
    assert now.text(now.find("wind")) == "Wind and solar power."
    assert len(now) == 3
    assert now.refresh() is now


def test_an_exception_rolls_back(tmp_path: Path) -> None:
    path = tmp_path / "idx"
    gannet.Index.build([("a", "x")], path)
    with pytest.raises(RuntimeError), gannet.Writer(path) as writer:
        writer.add(("b", "y"))
        raise RuntimeError
    assert len(gannet.open(path)) == 1
    writer = gannet.Writer(path)
    writer.add(("b", "y"))
    writer.rollback()
    writer.add(("c", "z"))
    writer.commit()
    writer.close()
    assert gannet.open(path).search("*:*").ids == ["a", "c"]
    with pytest.raises(gannet.UsageError, match="closed"):
        writer.add(("d", "z"))
    writer.close()


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "idx"
    with gannet.Writer(path):
        with pytest.raises(gannet.UsageError, match="another process is writing"):
            gannet.Writer(path)
        with pytest.raises(gannet.UsageError, match="another process is writing"):
            gannet.merge(path)


def test_a_writer_waits_for_another(tmp_path: Path) -> None:
    path = tmp_path / "idx"
    first = gannet.Writer(path)
    with pytest.raises(gannet.UsageError, match="also after 0.1 s of waiting"):
        gannet.Writer(path, wait=0.1)
    with pytest.raises(gannet.UsageError, match="wait"):
        gannet.Writer(path, wait=-1)
    changes: list[Callable[[], Any]] = [
        lambda: gannet.add(path, [("b", "wind power")], wait=60),
        lambda: gannet.delete(path, "a", wait=60),
        lambda: gannet.merge(path, wait=60),
        lambda: gannet.reorder(path, "id", wait=60),
        lambda: gannet.Writer(path, wait=60).close(),
    ]
    first.add(("a", "solar power"))
    with ThreadPoolExecutor() as pool:
        waiting = [pool.submit(change) for change in changes]
        time.sleep(0.2)
        assert not any(one.done() for one in waiting)
        first.commit()
        first.close()
        for one in waiting:
            one.result(timeout=60)
    assert gannet.open(path).search("power").ids == ["b"]


def test_ctrl_c_ends_the_wait(tmp_path: Path) -> None:
    path = tmp_path / "idx"
    with gannet.Writer(path):
        threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
        with pytest.raises(KeyboardInterrupt):
            gannet.Writer(path, wait=60)


def test_what_is_no_document_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "idx"
    with gannet.Writer(path, schema={"n": "i8"}) as writer:
        writer.add({"id": "a", "contents": "x", "n": 1})
        for wrong in (7, {"id": "b", "n": 1000}, {"id": "b", "n": "x"}, "no id"):
            with pytest.raises(gannet.Error):
                writer.add(wrong)
        writer.add({"id": "b", "contents": "y", "n": 2})
    assert gannet.open(path).search("*:*", sort="n:desc").ids == ["b", "a"]


def test_merging(tmp_path: Path) -> None:
    path = tmp_path / "idx"
    for number in range(4):
        with gannet.Writer(path, merge_tier=0) as writer:
            writer.add_all((f"{number}-{i}", f"word{i} common") for i in range(20))
    with gannet.Writer(path, merge_tier=0) as writer:
        for i in range(20):
            assert writer.delete(f"2-{i}")
    index = gannet.open(path)
    assert index.stats["segments"] == 4
    assert index.stats["deleted_documents"] == 20
    before = index.search("common", k=100).ids
    report = gannet.merge(path)
    assert (report["segments"], report["dropped"], report["documents"]) == (1, 20, 60)
    merged = index.refresh()
    assert merged.stats["deleted_documents"] == 0
    assert sorted(merged.search("common", k=100).ids) == sorted(before)


def test_threads_share_a_writer(tmp_path: Path) -> None:
    path = tmp_path / "idx"
    writer = gannet.Writer(path, memory="64M")

    def write(thread: int) -> None:
        for i in range(500):
            writer.add((f"{thread}-{i}", f"words of {thread} and {i} " * 20))
            if i % 250 == 249:
                writer.commit()

    threads = [threading.Thread(target=write, args=(t,)) for t in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    writer.commit()
    writer.close()
    assert len(gannet.open(path)) == 2000
