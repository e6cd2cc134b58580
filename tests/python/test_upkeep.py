"""Checking, repairing, reordering, sharding, merging, exporting, adding and deleting by one call."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import gannet
import numpy as np
import pytest
from conftest import DOCUMENTS, SCHEMA
from indexes import same_bytes, write_jsonl


@pytest.fixture
def path(tmp_path: Path) -> Path:
    gannet.Index.build(DOCUMENTS, tmp_path / "idx", schema=SCHEMA, store=True, backend="cpu")
    return tmp_path / "idx"


def told(command: str, *words: Any) -> dict[str, Any]:
    """What the command says with --json."""
    run = subprocess.run(
        [command, *map(str, words), "--json"], capture_output=True, text=True, check=False
    )
    made: dict[str, Any] = json.loads(run.stdout)
    return made


def damage(path: Path) -> Path:
    """A byte of the largest file of a segment is another one."""
    files = (f for f in path.iterdir() if f.is_file() and f.suffix != ".json")
    file = max(files, key=lambda f: f.stat().st_size)
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    return file


def test_verify_as_the_command(path: Path, command: str) -> None:
    report = gannet.verify(path)
    assert report["sound"] and report["problems"] == [] and report["postings"] > 10
    wanted = told(command, "verify", path)
    assert report == {name: wanted[name] for name in report}
    damage(path)
    report = gannet.verify(path, threads=1)
    assert not report["sound"] and report["problems"] == told(command, "verify", path)["problems"]
    with pytest.raises(gannet.IoError):
        gannet.verify(path / "nothing")


def test_verify_looks_at_shards_and_columns(path: Path, tmp_path: Path) -> None:
    gannet.shard(path, tmp_path / "set", 2)
    assert gannet.verify(tmp_path / "set")["sound"]
    damage(tmp_path / "set" / "shard-0001")
    assert any("shard-0001" in problem for problem in gannet.verify(tmp_path / "set")["problems"])
    gannet.to_file(np.arange(10_000, dtype=np.int32), tmp_path / "a.column")
    assert gannet.verify(tmp_path / "a.column") == {
        **dict.fromkeys(("bytes", "lists", "postings"), 0),
        "sound": True,
        "problems": [],
        "files": 1,
        "values": 10_000,
        "positions": None,
    }


def test_repair(path: Path, tmp_path: Path) -> None:
    whole = gannet.repair(path, tmp_path / "same")
    assert whole["nothing_missing"] and whole["documents"] == 4
    damage(path)
    report = gannet.repair(path, tmp_path / "new", memory="64M", threads=1)
    assert report["nothing_missing"] and report["blocks_restored"] == 1 and report["problems"]
    assert gannet.verify(tmp_path / "new")["sound"]
    next(path.glob("segment-*.documents")).unlink()
    lost = gannet.repair(path, tmp_path / "empty")
    assert not lost["nothing_missing"] and lost["documents_lost"] == 4
    with pytest.raises(gannet.UsageError, match="overwrite"):
        gannet.repair(path, tmp_path / "new")
    gannet.repair(path, tmp_path / "new", overwrite=True)


@pytest.mark.parametrize("order", ["id", "field:year:desc", "bisection", "random:3"])
def test_reorder_as_the_command(path: Path, tmp_path: Path, command: str, order: str) -> None:
    report = gannet.reorder(path, order, tmp_path / "python")
    wanted = told(command, "reorder", path, "--order", order, "--output", tmp_path / "command")
    assert report["moved"] == wanted["moved"] and report["documents"] == 4
    assert same_bytes(tmp_path / "python", tmp_path / "command")


def test_reorder_by_a_list(path: Path) -> None:
    before = gannet.open(path)
    ids = ["sea", "sun", "coal", "wind"]
    assert gannet.reorder(path, iter(ids))["written"]
    now = before.refresh()
    assert now.ids_of(range(4)) == ids
    assert now.search("solar").scores.tolist() == before.search("solar").scores.tolist()
    with pytest.raises(gannet.InputError, match="sea"):
        gannet.reorder(path, ids[1:])
    with pytest.raises(gannet.UsageError, match="as a list"):
        gannet.reorder(path, "file:ids.txt")
    with pytest.raises(gannet.UsageError, match="bisection"):
        gannet.reorder(path, "nothing")


def test_shard_and_join(path: Path, tmp_path: Path) -> None:
    names = gannet.shard(path, tmp_path / "set", 3)
    assert [Path(name).name for name in names] == ["shard-0000", "shard-0001", "shard-0002"]
    whole, cut = gannet.open(path), gannet.open(tmp_path / "set")
    assert cut.search("solar power").ids == whole.search("solar power").ids
    assert gannet.join_shards(tmp_path / "set", tmp_path / "again")["documents"] == 4
    assert same_bytes(path, tmp_path / "again")
    with pytest.raises(gannet.UsageError, match="shards"):
        gannet.shard(path, tmp_path / "none", 0)


def test_set_codec(path: Path) -> None:
    report = gannet.set_codec(path, "year", "gpu-for")
    assert (report["before"], report["codec"], report["codec_fallbacks"]) == ("auto", "gpu-for", [])
    now = gannet.open(path)
    assert now.schema[0].codec == "gpu-for" and now.search("*:*", filter="year:2004").ids
    with pytest.raises(gannet.UsageError, match="yaer"):
        gannet.set_codec(path, "yaer", "auto")


def test_export(path: Path, tmp_path: Path, command: str) -> None:
    gannet.export(path, tmp_path / "python.ciff", "ciff")
    subprocess.run(
        [command, "export", path, "--format", "ciff", "--output", tmp_path / "command.ciff"],
        check=True,
        capture_output=True,
    )
    assert (tmp_path / "python.ciff").read_bytes() == (tmp_path / "command.ciff").read_bytes()
    gannet.export(gannet.open(path), tmp_path / "lists", "ds2i")
    assert (tmp_path / "lists.docs").is_file()
    for name, format in (("python.ciff", "ciff"), ("lists", "ds2i")):
        with pytest.raises(gannet.UsageError, match="overwrite"):
            gannet.export(path, tmp_path / name, format)
        gannet.export(path, tmp_path / name, format, overwrite=True)
    with pytest.raises(gannet.UsageError, match="format"):
        gannet.export(path, tmp_path / "x", "cif")


def test_add_and_update(path: Path, tmp_path: Path) -> None:
    more = [{"id": "moon", "contents": "Lunar power", "year": 2020}]
    assert gannet.add(path, more)["added"] == 1
    file = write_jsonl(tmp_path / "more.jsonl", [{"id": "star", "contents": "Stellar power"}])
    report = gannet.add(path, file)
    assert report["added"] == 1 and report["merge_problem"] is None
    index = gannet.open(path)
    assert index.search("power", k=9).total == 5 and index.stats["segments"] == 3
    with pytest.raises(gannet.InputError, match="star"):
        gannet.add(path, file)
    for documents in ([{"id": "star", "contents": "dwarf"}], file):
        gannet.add(path, documents, update=True)
    assert len(index.refresh()) == 6
    changed = gannet.add(path, file, update=True, merge=False)
    stats = index.refresh().stats
    assert changed["documents"] == 6 and changed["replaced"] == 1
    assert changed["deleted_documents"] == stats["deleted_documents"] > 0
    assert changed["documents"] == stats["documents"] - stats["deleted_documents"]
    with pytest.raises(gannet.IoError):
        gannet.add(tmp_path / "nothing", more)
    assert not (tmp_path / "nothing").exists()


def test_additions_read_the_texts_of_the_build(tmp_path: Path, command: str) -> None:
    rows = [{"id": "1", "title": "solar", "body": "panel"}]
    path = tmp_path / "texts"
    gannet.Index.build(rows, path, fields=["title", "body"])
    gannet.add(path, [{"id": "2", "title": "wind", "body": "mill"}])
    file = write_jsonl(tmp_path / "more.jsonl", [{"id": "3", "title": "tide", "body": "mill"}])
    subprocess.run([command, "add", path, file], check=True, capture_output=True)
    with gannet.Writer(path) as writer:
        writer.add({"id": "4", "title": "hydro", "body": "mill"})
    assert gannet.open(path).search("mill").ids == ["2", "3", "4"]
    with gannet.Writer(tmp_path / "new", fields=["title", "body"]) as writer:
        writer.add({"id": "5", "title": "hydro", "body": "mill"})
    assert gannet.open(tmp_path / "new").search("hydro").ids == ["5"]


def test_additions_are_merged_by_tiers(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "one.jsonl"
    for number in range(10):
        write_jsonl(file, [{"id": f"n{number}", "contents": "more"}])
        report = gannet.add(path, file, merge=number % 2 == 1)
    assert report["merged"] is not None and gannet.open(path).stats["segments"] < 11
    assert gannet.merge(path, tiers=True)["segments"] == gannet.open(path).stats["segments"]


def test_delete(path: Path) -> None:
    assert gannet.delete(path, query="solar", dry_run=True)["deleted"] == 2
    assert len(gannet.open(path)) == 4
    report = gannet.delete(path, ["sun", "nobody"])
    assert report == {"deleted": 1, "documents": 3, "not_found": ["nobody"]}
    assert gannet.delete(path, "coal")["documents"] == 2
    assert gannet.delete(path, query="power", filter="year:2004")["deleted"] == 1
    assert gannet.open(path).search("*:*").ids == ["sea"]
    for wrong in ({}, {"ids": ["sea"], "query": "x"}):
        with pytest.raises(gannet.UsageError):
            gannet.delete(path, **wrong)


def test_documents_without_ids_are_deleted_by_a_query(tmp_path: Path) -> None:
    path = tmp_path / "idx"
    gannet.Index.build(["solar power", "wind power"], path)
    assert gannet.delete(path, query="wind")["deleted"] == 1
    with gannet.Writer(path) as writer, pytest.raises(gannet.UsageError, match="no ids"):
        writer.delete_matching("solar")


def test_a_writer_deletes_what_matches(path: Path) -> None:
    with gannet.Writer(path) as writer:
        writer.delete("sun")
        assert writer.delete_matching("solar") == 1  # sun is gone already
        assert writer.delete_matching(filter="tag:c") == 1
        writer.add({"id": "new", "contents": "solar"})
        with pytest.raises(gannet.UsageError, match="commit first"):
            writer.delete_matching("solar")
        with pytest.raises(gannet.UsageError, match="say what"):
            writer.commit()
            writer.delete_matching()
        writer.delete_matching("new OR solar")
        writer.rollback()
    assert gannet.open(path).search("*:*").ids == ["coal", "new"]


def test_progress_is_told(path: Path, tmp_path: Path) -> None:
    stages: list[str] = []
    for number in range(3):
        gannet.reorder(
            path, f"random:{number}", progress=lambda stage, done, total: stages.append(stage)
        )
    assert all(isinstance(stage, str) for stage in stages)
    with pytest.raises(ZeroDivisionError):
        gannet.Index.build(
            ({"contents": "x"} for _ in range(100_000)),
            tmp_path / "idx2",
            progress=lambda stage, done, total: 1 // 0,  # type: ignore[arg-type, return-value]
        )
