"""What documents may be taken for: ids under other names, names of files, missing texts."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import gannet
import pytest


@pytest.mark.parametrize("key", ["docno", "docid", "doc_id", "_id", "DOCNO", "ID"])
def test_ids_under_another_name_are_not_passed_over(tmp_path: Path, key: str, command: str) -> None:
    documents = [{key: "a", "contents": "sun"}, {key: "b", "contents": "sea"}]
    hint = f"no 'id', but '{key}'; id_field='{key}' takes that for the id"
    file = tmp_path / "docs.jsonl"
    file.write_text("".join(json.dumps(document) + "\n" for document in documents))
    table = tmp_path / "docs.csv"
    table.write_text(f"contents,{key}\nsun,a\nsea,b\n")
    given: list[Any] = [documents, iter(documents), file]
    pandas = pytest.importorskip("pandas").DataFrame(documents)
    given.append(pandas)
    given.append(pytest.importorskip("polars").DataFrame(documents))
    pyarrow = pytest.importorskip("pyarrow")
    given.append(pyarrow.Table.from_pylist(documents))
    pytest.importorskip("pyarrow.parquet").write_table(given[-1], tmp_path / "docs.parquet")
    given.append(tmp_path / "docs.parquet")
    for one in given:
        with pytest.raises((gannet.UsageError, gannet.InputError), match=re.escape(hint)):
            gannet.Index.from_documents(one, on_error="skip" if one is not file else "stop")
        if not hasattr(one, "__next__"):
            assert gannet.Index.from_documents(one, id_field=key).search("sea").ids == ["b"]
    with pytest.raises(gannet.InputError, match=f"no column 'id', but '{key}'; id_field='{key}'"):
        gannet.Index.from_documents(table)
    assert gannet.Index.from_documents(table, id_field=key).search("sea").ids == ["b"]
    vectors = [{key: "a", "vector": {"sun": 1}}]
    with pytest.raises(gannet.InputError, match=re.escape(hint)):
        gannet.Index.from_documents(vectors)
    for path in (file, table):
        words = [command, "index", str(path), "--output", str(tmp_path / "idx")]
        told = subprocess.run(words, capture_output=True, text=True)
        assert told.returncode == 3 and f"but '{key}'; --id-field {key} takes that" in told.stderr


def test_documents_without_ids_are_still_numbered() -> None:
    documents = [{"contents": "sun", "year": 1}, {"contents": "sea", "_ID": None}]
    assert gannet.Index.from_documents(documents).search("sea").ids == ["1"]
    both = gannet.Index.from_documents([{"id": "x", "docno": "y", "contents": "a"}])
    assert both.ids_of([0]) == ["x"]


def test_names_of_files_are_not_texts(tmp_path: Path) -> None:
    names = []
    for name in ("a", "b"):
        (tmp_path / name).write_text(json.dumps({"id": name, "contents": "sun"}))
        names.append(str(tmp_path / name))
    with pytest.raises(
        gannet.UsageError, match="names of files .*format='jsonl'.*'contents': name"
    ):
        gannet.Index.from_documents(names)
    assert gannet.Index.from_documents(names, format="jsonl").search("sun").ids == ["a", "b"]
    assert len(gannet.Index.from_documents([{"contents": name} for name in names])) == 2
    assert len(gannet.Index.from_documents([*names, "a text"])) == 3
    gannet.Index.build(["sun"], tmp_path / "idx")
    with pytest.raises(gannet.UsageError, match="names of files"):
        gannet.add(tmp_path / "idx", names)
    with gannet.Writer(tmp_path / "idx") as writer, pytest.raises(TypeError, match="not str"):
        writer.add_all("sun")  # its letters would be documents


def test_a_text_that_is_missing_is_none(tmp_path: Path) -> None:
    """The same of dicts, tables of every kind, and files: null is as if it were not there."""
    documents = [{"id": "a", "contents": "sun"}, {"id": "b", "contents": None}]
    file = tmp_path / "docs.jsonl"
    file.write_text("".join(json.dumps(document) + "\n" for document in documents))
    given: list[Any] = [documents, file]
    given.append(pytest.importorskip("pandas").DataFrame(documents))
    given.append(pytest.importorskip("polars").DataFrame(documents))
    given.append(pytest.importorskip("pyarrow").Table.from_pylist(documents))
    for one in given:
        with pytest.raises(gannet.InputError, match="has no 'contents'; fields= names the texts"):
            gannet.Index.from_documents(one)
        assert gannet.Index.from_documents(one, on_error="skip").ids_of([0]) == ["a"]
        index = gannet.Index.from_documents(one, schema=["title:text"])
        assert index.ids_of([0, 1]) == ["a", "b"]


def test_an_index_of_named_texts_alone(tmp_path: Path, command: str) -> None:
    documents = [
        {"id": "a", "title": "sun", "body": "x"},
        {"id": "b", "title": None, "body": "sun"},
    ]
    file = tmp_path / "docs.jsonl"
    file.write_text("".join(json.dumps(document) + "\n" for document in documents))
    schema = ["title:text", "body:text"]
    words = [command, "index", str(file), "--output", str(tmp_path / "command"), "--quiet"]
    subprocess.run([*words, "--field", schema[0], "--field", schema[1]], check=True)
    wanted = gannet.open(tmp_path / "command").search("title:sun").ids
    assert wanted == ["a"]
    given: list[Any] = [documents, file, pytest.importorskip("pandas").DataFrame(documents)]
    given.append(pytest.importorskip("polars").DataFrame(documents))
    for one in given:
        index = gannet.Index.from_documents(one, schema=schema)
        assert index.search("title:sun").ids == wanted and len(index) == 2
        assert index.search("body:sun").ids == ["b"]
    path = tmp_path / "written"
    with gannet.Writer(path, schema=schema) as writer:
        writer.add_all(documents)
    assert gannet.open(path).search("title:sun").ids == wanted
