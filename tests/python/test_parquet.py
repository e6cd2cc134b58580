"""Parquet files, and ids and columns under other names."""

from __future__ import annotations

import datetime
import tracemalloc
from pathlib import Path
from typing import Any

import gannet
import pytest
from gannet import _documents
from indexes import same_bytes, write_jsonl

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

SCHEMA = {"n": "i32", "day": "date", "tag": "keyword:multi:path=meta.tags"}


def rows(count: int) -> list[dict[str, Any]]:
    return [
        {
            "docid": f"d{i}",
            "contents": f"word{i % 7} common",
            "n": None if i % 5 == 0 else i,
            "day": datetime.date(2001, 1, 1 + i % 28),
            "meta": {"tags": [f"t{i % 3}", "all"], "other": i},
            "unused": "x" * 100,
        }
        for i in range(count)
    ]


def written(path: Path, count: int) -> Path:
    table = pyarrow.Table.from_pylist(rows(count))
    parquet.write_table(table, path, row_group_size=1500)
    return path


def test_parquet_is_what_its_rows_are(tmp_path: Path) -> None:
    file = written(tmp_path / "docs.parquet", 5000)
    options: dict[str, Any] = {"schema": SCHEMA, "id_field": "docid", "store": True}
    gannet.Index.build(rows(5000), tmp_path / "rows", **options)
    index = gannet.Index.build(file, tmp_path / "file", **options)
    assert same_bytes(tmp_path / "rows", tmp_path / "file")
    assert index.search("word3", filter="tag:t1", k=1)[0].id == "d10"
    assert len(index) == 5000


def test_datasets_and_readers_are_streamed(tmp_path: Path) -> None:
    dataset = pytest.importorskip("pyarrow.dataset")
    file = written(tmp_path / "docs.parquet", 5000)
    options: dict[str, Any] = {"schema": SCHEMA, "id_field": "docid"}
    gannet.Index.build(file, tmp_path / "file", **options)
    gannet.Index.build(dataset.dataset(file), tmp_path / "dataset", **options)
    reader = pyarrow.Table.from_pylist(rows(5000)).to_reader(max_chunksize=4999)
    gannet.Index.build(reader, tmp_path / "reader", **options)
    assert same_bytes(tmp_path / "file", tmp_path / "dataset")
    assert same_bytes(tmp_path / "file", tmp_path / "reader")


def test_folders_of_parquet(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    (folder / "b").mkdir(parents=True)
    parquet.write_table(pyarrow.Table.from_pylist(rows(20)[10:]), folder / "b" / "2.parquet")
    parquet.write_table(pyarrow.Table.from_pylist(rows(10)), folder / "a.parquet")
    options: dict[str, Any] = {"id_field": "docid", "format": "parquet"}
    gannet.Index.build(folder, tmp_path / "folder", **options)
    gannet.Index.build(rows(20), tmp_path / "rows", id_field="docid")
    assert same_bytes(tmp_path / "rows", tmp_path / "folder")
    (tmp_path / "empty").mkdir()
    with pytest.raises(gannet.UsageError, match="no file"):
        gannet.Index.build(tmp_path / "empty", tmp_path / "x", **options)


def test_only_what_is_looked_at_is_read(tmp_path: Path) -> None:
    file = written(tmp_path / "docs.parquet", 10)
    options = {
        "schema_fields": ["tag:keyword:multi:path=meta.tags", "n:i32"],
        "schema_json": '[{"name": "day", "type": "date"}]',
        "fields": [],
        "id_field": "docid",
    }
    columns = _documents.columns_of(options)
    assert columns == {"docid", "contents", "meta", "n", "day"}
    first = next(iter(_documents.parquet_batches([str(file)], columns)))
    assert set(first.schema.names) == columns
    assert "id" in _documents.columns_of({**options, "id_field": ""})


def test_a_large_file_takes_little_memory(tmp_path: Path) -> None:
    file = tmp_path / "large.parquet"
    text = "some words of a longer text " * 40
    columns = pyarrow.schema([("id", pyarrow.string()), ("contents", pyarrow.string())])
    with parquet.ParquetWriter(file, columns) as writer:
        for first in range(0, 24_000, 8_000):
            ids = [str(i) for i in range(first, first + 8_000)]
            table = pyarrow.table({"id": ids, "contents": [f"{text}{i}" for i in ids]})
            writer.write_table(table)
    before = pyarrow.total_allocated_bytes()
    most = 0
    tracemalloc.start()
    count = 0
    for batch in _documents.parquet_batches([str(file)], {"id", "contents"}):
        count += batch.num_rows
        most = max(most, pyarrow.total_allocated_bytes() - before)
    _, python = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 24_000
    assert most + python < 20_000_000  # of 27 MB of text


def test_what_is_no_parquet(tmp_path: Path) -> None:
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"PAR1 and nothing else")
    with pytest.raises(gannet.InputError, match="broken.parquet"):
        gannet.Index.build(broken, tmp_path / "x")
    with pytest.raises(gannet.IoError, match="missing.parquet"):
        gannet.Index.build(tmp_path / "missing.parquet", tmp_path / "x")
    file = written(tmp_path / "docs.parquet", 3)
    with pytest.raises(gannet.InputError, match="contents|'text'"):
        gannet.Index.build(file, tmp_path / "x", fields="text", id_field="docid")
    with pytest.raises(gannet.InputError, match="document 0: it has no 'nr'"):
        gannet.Index.build(file, tmp_path / "x", id_field="nr")
    for schema in ("nonsense", '{"n": "i32"}', '[{"type": "i32"}]', '["n"]', "[3]"):
        (tmp_path / "schema.json").write_text(schema)
        with pytest.raises(gannet.InputError, match="schema: "):
            gannet.Index.build(
                file, tmp_path / "x", schema=tmp_path / "schema.json", id_field="docid"
            )
    assert not (tmp_path / "x").exists()


def test_ids_and_columns_of_files(tmp_path: Path) -> None:
    passages = write_jsonl(tmp_path / "p.jsonl", [{"pid": "p1", "passage": "sun"}])
    index = gannet.Index.build(
        passages, tmp_path / "passages", id_field="pid", fields=["passage"]
    )
    assert index.search("sun").ids == ["p1"]
    (tmp_path / "docs.tsv").write_text("D1\thttp://a/\tsun\twind\n")
    index = gannet.Index.build(
        tmp_path / "docs.tsv",
        tmp_path / "docs",
        columns="docid, url,title,body",
        fields="title,body",
        schema={"url": "stored"},
    )
    assert index.search("sun wind", fields=["url"])[0].id == "D1"
    gannet.Index.build(
        tmp_path / "docs.tsv",
        tmp_path / "listed",
        columns=["docid", "url", "title", "body"],
        fields=["title", "body"],
        schema={"url": "stored"},
    )
    assert same_bytes(tmp_path / "docs", tmp_path / "listed")
