"""Building a set of shards by tasks of Ray, on a local cluster of several processes."""

from __future__ import annotations

import _thread
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gannet
import pytest
from conftest import ROOT
from indexes import same_bytes, write_jsonl
from ray_collections import (
    SCHEMA,
    Meanwhile,
    assert_same,
    documents,
    is_running,
    queries,
    start,
    wait_for_end,
    wait_for_process,
    wait_until_idle,
    write_files,
)

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install ray")
# Not beside another cluster of Ray.
pytestmark = pytest.mark.xdist_group("ray")

import gannet.ray  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def local_cluster() -> Iterator[None]:
    start(ray)
    yield
    ray.shutdown()


def test_the_set_is_the_index_of_one_build(tmp_path: Path, command: str) -> None:
    files = write_files(tmp_path / "files", [300, 20, 500, 1, 100])
    whole = gannet.Index.build(files, tmp_path / "whole", schema=SCHEMA, store=True)
    told: list[tuple[str, int, int]] = []
    built = gannet.ray.build(
        tmp_path / "files",
        tmp_path / "set",
        format="jsonl",
        shards=3,
        schema=SCHEMA,
        store=True,
        progress=lambda *step: told.append(step),
    )
    assert told == [("shards", 1, 3), ("shards", 2, 3), ("shards", 3, 3)]
    assert built.build_report is not None and whole.build_report is not None
    for name in ("documents", "tokens", "text_bytes", "skipped", "empty_documents"):
        assert built.build_report[name] == whole.build_report[name], name
    assert_same(built.search_batch(queries(100)), whole.search_batch(queries(100)))
    names = sorted(path.name for path in (tmp_path / "set").iterdir() if path.is_dir())
    assert names == ["shard-0000", "shard-0001", "shard-0002"]
    subprocess.run(
        [command, "shard", "--join", built.path, "--output", str(tmp_path / "joined")], check=True
    )
    assert same_bytes(tmp_path / "joined", tmp_path / "whole")


def test_as_many_shards_as_have_room(tmp_path: Path) -> None:
    files = write_files(tmp_path / "files", [20, 20, 20])
    gannet.ray.build(files, tmp_path / "two")
    assert len(list((tmp_path / "two").glob("shard-*"))) == 2  # of 3 files, by 2 cores
    gannet.ray.build([str(files[0])], tmp_path / "one")  # texts are paths here
    assert len(list((tmp_path / "one").glob("shard-*"))) == 1


def test_tables_and_ids_under_other_names(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    for i in range(3):
        (tmp_path / "tables" / f"{i}.tsv").write_text(f"D{i}\thttp://a/{i}\tsun\twind w{i}\n")
    options: dict[str, Any] = {
        "format": "tsv",
        "columns": "docid, url, title, body",
        "id_field": "docid",
        "fields": ["title", "body"],
        "schema": {"url": "stored"},
    }
    whole = gannet.Index.build(tmp_path / "tables", tmp_path / "whole", **options)
    built = gannet.ray.build(tmp_path / "tables", tmp_path / "set", shards=3, **options)
    for query in ("sun wind", "w1", "w2 wind"):
        mine, theirs = (index.search(query, fields="url") for index in (built, whole))
        assert list(mine) == list(theirs) and len(mine) > 0
    assert built.search("w2")[0].id == "D2"


def test_vectors_are_scaled_by_the_weights_of_all(tmp_path: Path) -> None:
    made = random.Random(3)
    files = []
    for i in range(3):  # the largest weight is in the last file
        rows = [
            {"id": f"{i}-{d}", "vector": {f"t{made.randrange(50)}": made.random() * 3**i + 0.01}}
            for d in range(100)
        ]
        files.append(write_jsonl(tmp_path / f"v{i}.jsonl", rows))
    whole = gannet.Index.build(files, tmp_path / "whole", format="json-vectors")
    built = gannet.ray.build(files, tmp_path / "set", format="json-vectors", shards=3)
    texts = [f"t{i} t{i + 1}" for i in range(49)]
    with gannet.ray.Cluster(built.path, num_cpus=0.5) as cluster:
        assert_same(cluster.search_batch(texts), whole.search_batch(texts))
    assert len(set(whole.search_batch(texts).scores.tolist())) > 20


def left_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_an_error_of_a_task_is_the_error_of_one_build(tmp_path: Path) -> None:
    files = write_files(tmp_path / "files", [50, 50, 50])
    with files[2].open("a") as file:
        file.write('{"id": "broken"\n')
    with pytest.raises(gannet.InputError) as theirs:
        gannet.Index.build(files, tmp_path / "whole")
    with pytest.raises(gannet.InputError) as mine:
        gannet.ray.build(files, tmp_path / "set", shards=3)
    assert str(mine.value) == f"shard 2: {theirs.value}"
    assert "part-2.jsonl" in str(mine.value) and left_in(tmp_path / "set") == []
    built = gannet.ray.build(files, tmp_path / "set", shards=3, on_error="skip")
    assert built.build_report is not None and built.build_report["skipped"] == 1
    assert len(built) == 150


def test_an_id_of_two_shards_is_the_error_of_one_build(tmp_path: Path) -> None:
    files = write_files(tmp_path / "files", [50, 50, 50])
    again = json.dumps(documents(50, 0)[7])
    for file in files[1:]:
        with file.open("a") as more:
            more.write(again + "\n")
    with pytest.raises(gannet.InputError) as theirs:
        gannet.Index.build(files, tmp_path / "whole")
    with pytest.raises(gannet.InputError, match="7 and 100 .*both have the id 'f0-7'") as mine:
        gannet.ray.build(files, tmp_path / "set", shards=3)
    assert "both have the id 'f0-7'" in str(theirs.value)
    assert "ids must be unique" in str(mine.value) and left_in(tmp_path / "set") == []


def test_ids_with_the_same_hash_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes only say which ids to look at."""
    import numpy as np
    from gannet.ray import _ids

    names = {0: "a", 1: "b", 2: "c", 3: "a"}
    monkeypatch.setattr(_ids._Ids, "of", lambda self, document: names[document])
    pieces = [np.array([[9, 9], [0, 1]], np.uint64), np.array([[9, 9], [2, 3]], np.uint64)]
    assert _ids._repeated((["x", "y"], [0, 2]), *pieces) == (0, 3, "a")
    names[3] = "d"
    assert _ids._repeated((["x", "y"], [0, 2]), *pieces) is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"shards": 4}, "shards: 4 of 3 files"),
        ({"shards": 0}, "shards: 0 of 3 files"),
        ({"overwrite": True}, "overwrite: a set of shards is written to a new folder"),
        ({"backend": "cpu"}, "backend: not an option here; there are fields, schema"),
        ({"format": "ciff"}, "format 'ciff': posting lists come in one piece"),
        ({"format": "parquet"}, "format 'parquet': rows are read by the program that builds"),
        ({"num_cpus": 64}, "no node .* what a task asks for; .* 2 CPU; .* shards="),
        ({"format": "nonsense"}, "nonsense"),
        ({"codec": "nonsense"}, "nonsense"),
        ({"memory": "1K"}, "memory"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_what_makes_no_sense(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    files = write_files(tmp_path / "files", [5, 5, 5])
    with pytest.raises(gannet.UsageError, match=message):
        gannet.ray.build(files, tmp_path / "set", **options)
    assert left_in(tmp_path / "set") == []


def test_inputs_and_outputs_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r"inputs\[0\] takes .*tasks read files by themselves"):
        gannet.ray.build([{"id": "a", "contents": "b"}], tmp_path / "set")  # type: ignore[list-item]
    with pytest.raises(gannet.UsageError, match="there are none"):
        gannet.ray.build([], tmp_path / "set", format="jsonl")
    with pytest.raises(gannet.IoError, match="gone.jsonl"):
        gannet.ray.build(tmp_path / "gone.jsonl", tmp_path / "set")
    files = write_files(tmp_path / "files", [5, 5])
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    with pytest.raises(gannet.UsageError, match="holds other files"):
        gannet.ray.build(files, tmp_path / "full")
    assert left_in(tmp_path / "full") == ["mine.txt"]
    gannet.ray.build(files, tmp_path / "set")
    with pytest.raises(gannet.UsageError, match="there are shards already"):
        gannet.ray.build(files, tmp_path / "set")
    assert len(gannet.open(tmp_path / "set")) == 10


def test_a_node_that_sees_other_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gannet.ray import _build

    files = write_files(tmp_path / "files", [5, 5])
    monkeypatch.setattr(_build, "digest_of", lambda files: "of other files")
    with pytest.raises(gannet.InputError, match="shard .: the input has other files"):
        gannet.ray.build(files, tmp_path / "set", shards=2)
    assert left_in(tmp_path / "set") == []


def pipe_beside(files: list[Path], folder: Path) -> Path:
    """An input that waits until somebody writes to it."""
    pipe = folder / "late.jsonl"
    os.mkfifo(pipe)
    files.append(pipe)
    return pipe


def test_a_task_whose_process_is_lost_is_started_again(tmp_path: Path) -> None:
    files = write_files(tmp_path / "files", [20])
    pipe = pipe_beside(files, tmp_path)

    wait_for_end("ray::_build")  # of the test before

    def kill_the_first_and_feed_the_second() -> None:
        lost = wait_for_process("ray::_build")
        os.kill(lost, signal.SIGKILL)
        wait_for_process("ray::_build", but=lost)
        pipe.write_text('{"id": "late", "contents": "w1 late"}\n')

    thread = Meanwhile(kill_the_first_and_feed_the_second)
    # One shard, so that the one process that is looked for is the one that waits.
    built = gannet.ray.build(files, tmp_path / "set", shards=1)
    thread.join()
    assert len(built) == 21 and built.search("late").ids == ["late"]


def test_ctrl_c_ends_the_tasks_and_leaves_nothing(tmp_path: Path) -> None:
    files = write_files(tmp_path / "files", [20])
    pipe_beside(files, tmp_path)
    building: list[int] = []
    wait_for_end("ray::_build")  # of the test before

    def interrupt() -> None:
        building.append(wait_for_process("ray::_build"))
        _thread.interrupt_main()

    thread = Meanwhile(interrupt)
    with pytest.raises(KeyboardInterrupt):
        gannet.ray.build(files, tmp_path / "set", shards=1)
    thread.join()
    assert left_in(tmp_path / "set") == []
    assert not is_running(building[0]) or wait_for_idle(building[0])


def test_ctrl_c_ends_the_tasks_that_compare_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    from gannet.ray import _ids

    def slow(shard: str, base: int, parts: int) -> None:
        time.sleep(300)

    monkeypatch.setattr(_ids, "_hashed", slow)

    def interrupt() -> None:
        wait_for_process("ray::slow")
        _thread.interrupt_main()

    thread = Meanwhile(interrupt)
    with pytest.raises(KeyboardInterrupt):
        _ids.check_ids(["a", "b"], [1, 1], {"num_cpus": 1})
    thread.join()
    wait_until_idle(ray)


def wait_for_idle(pid: int) -> bool:
    """Ray keeps processes for later tasks, under another name."""
    name = Path(f"/proc/{pid}/cmdline").read_bytes()
    return name.startswith(b"ray::IDLE")


def test_the_readme_of_the_package(tmp_path: Path) -> None:
    """Its block runs as it stands, in a process of its own."""
    blocks = re.findall(
        r"```python\n(.*?)```", (ROOT / "tools/python/README.md").read_text(), flags=re.DOTALL
    )
    blocks = [block for block in blocks if "gannet.ray" in block]
    assert len(blocks) == 1
    (tmp_path / "news").mkdir()
    texts = ["Solar power from panels.", "Tidal power by the sea.", "Waves at sea.", "Coal."]
    for i, text in enumerate(texts):
        write_jsonl(tmp_path / "news" / f"{i}.jsonl", [{"id": f"d{i}", "contents": text}])
    run = subprocess.run(
        [sys.executable, "-c", blocks[0].replace("ray.init()", "ray.init(num_cpus=2)")],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[0] == "4"
    lines = (tmp_path / "bm25.run").read_text().splitlines()
    assert lines[0].startswith("q1 Q0 d0 1 ") and lines[2].startswith("q2 Q0 d1 1 ")
