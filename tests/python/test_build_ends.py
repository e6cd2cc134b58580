"""Builds that end early, and what runs beside a build."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import gannet
import pytest
from indexes import files_of, write_jsonl


def test_an_exception_of_the_iterator_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "idx"
    gannet.Index.build([("a", "sun")], path)
    before = files_of(path)

    class Mine(Exception):
        pass

    def broken() -> Iterator[tuple[str, str]]:
        for i in range(20_000):
            yield str(i), "sun " * 50
        raise Mine("in the middle")

    with pytest.raises(Mine, match="in the middle"):
        gannet.Index.build(broken(), path, overwrite=True)
    assert files_of(path) == before
    with pytest.raises(gannet.UsageError):
        gannet.Index.build([("b", "wind")], path)  # not overwrite
    assert gannet.open(path).search("sun").ids == ["a"]


def test_the_iterator_runs_in_the_calling_thread(tmp_path: Path) -> None:
    seen = set()

    def documents() -> Iterator[str]:
        for i in range(10_000):
            seen.add(threading.get_ident())
            yield f"w{i}"

    gannet.Index.build(documents(), tmp_path / "idx")
    assert seen == {threading.get_ident()}


def test_other_threads_run_meanwhile(tmp_path: Path) -> None:
    """The interpreter lock is free while the library works."""
    texts = [
        " ".join(f"w{random.Random(i).randrange(5000)}" for _ in range(300)) for i in range(200)
    ] * 20
    ticks = []
    done = threading.Event()

    def tick() -> None:
        while not done.wait(0.001):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        source = write_jsonl(
            tmp_path / "d.jsonl", ({"id": i, "contents": t} for i, t in enumerate(texts))
        )
        ticks.clear()
        start = time.monotonic()
        gannet.Index.build(source, tmp_path / "idx")
        took = time.monotonic() - start
    finally:
        done.set()
        thread.join()
    longest = max(b - a for a, b in zip([start, *ticks], [*ticks, start + took]))
    assert longest < took / 2


INTERRUPTED = """
import signal, sys, gannet
def documents():
    for i in range(10**9):
        if i == 50_000:
            print("going", flush=True)
        yield f"d{i}", "some words of a document that never ends"
try:
    gannet.Index.build(documents(), sys.argv[1], overwrite=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("what", ["documents", "files"])
def test_ctrl_c(tmp_path: Path, what: str) -> None:
    path = tmp_path / "idx"
    gannet.Index.build([("a", "sun")], path)
    before = files_of(path)
    program = INTERRUPTED
    arguments = [str(path)]
    if what == "files":
        # A pipe that nobody writes to: the builder waits for it.
        os.mkfifo(tmp_path / "docs.jsonl")
        keep = os.open(tmp_path / "docs.jsonl", os.O_RDWR)
        program = (
            "import sys, gannet\nprint('going', flush=True)\ntry:\n"
            "    gannet.Index.build(sys.argv[2], sys.argv[1], overwrite=True)\n"
            "except KeyboardInterrupt:\n    print('interrupted', flush=True)\n"
        )
        arguments.append(str(tmp_path / "docs.jsonl"))
    process = subprocess.Popen(
        [sys.executable, "-c", program, *arguments], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "going\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert out == "interrupted\n"
    assert files_of(path) == before
    if what == "files":
        os.close(keep)


MEASURING = """
import gannet
print("going", flush=True)
try:
    gannet.bench.decode(min_log=18, max_log=24, repeats=1000)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_ctrl_c_while_the_library_works() -> None:
    pytest.importorskip("pandas")
    process = subprocess.Popen([sys.executable, "-c", MEASURING], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "going\n"
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert out == "interrupted\n"


def test_progress(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    gannet.Index.build(
        (f"w{i}" for i in range(50_000)), tmp_path / "idx", progress=lambda *what: told.append(what)
    )
    assert told and told[0][0] == "inverting"
    assert [done for _, done, _ in told if done] != []

    def stop(stage: str, done: int, total: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        gannet.Index.build((f"w{i}" for i in range(50_000)), tmp_path / "other", progress=stop)


def test_progress_bar(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    gannet.Index.build((f"w{i}" for i in range(50_000)), tmp_path / "idx", progress=True)
    assert "inverting" in capsys.readouterr().err


def test_messages_speak_of_arguments_not_of_options(tmp_path: Path) -> None:
    path = tmp_path / "idx"
    gannet.Index.build([("a", "sun")], path, backend="cpu")
    with pytest.raises(gannet.UsageError, match="overwrite=True") as raised:
        gannet.Index.build([("b", "wind")], path)
    assert "--" not in str(raised.value)
    (tmp_path / "bad.jsonl").write_text('{"contents": 7}\n{"id": \n', encoding="utf-8")
    with pytest.raises(gannet.InputError, match="on_error='skip'"):
        gannet.Index.build(tmp_path / "bad.jsonl", tmp_path / "other", format="jsonl")
