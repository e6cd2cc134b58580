"""Building: every kind of documents, options, and ends that come early."""

from __future__ import annotations

import datetime
import decimal
import enum
import gzip
import json
import random
import subprocess
from pathlib import Path
from typing import Any

import gannet
import numpy as np
import pytest
from conftest import DOCUMENTS, SCHEMA, TINY
from indexes import same_bytes, write_jsonl


def test_the_same_bytes_as_from_a_file(tmp_path: Path) -> None:
    source = write_jsonl(tmp_path / "docs.jsonl", DOCUMENTS)
    options: dict[str, Any] = {
        "schema": SCHEMA,
        "store": True,
        "stemmer": "porter",
        "codec": "gpu-vbyte128",
    }
    gannet.Index.build(source, tmp_path / "file", **options)
    gannet.Index.build(iter(DOCUMENTS), tmp_path / "objects", **options)
    assert same_bytes(tmp_path / "file", tmp_path / "objects")


def test_the_same_bytes_as_the_command(tmp_path: Path, command: str) -> None:
    generator = random.Random(5)
    words = [f"w{i}" for i in range(300)]
    documents = [
        {"id": f"d{i}", "contents": " ".join(generator.choices(words, k=40)), "n": i % 17}
        for i in range(3000)
    ]
    source = write_jsonl(tmp_path / "docs.jsonl", documents)
    subprocess.run(
        [
            command,
            "index",
            "--quiet",
            "--input",
            source,
            "--format",
            "jsonl",
            "--output",
            tmp_path / "command",
            "--field",
            "n:u8",
            "--stop-words",
            "english",
            "--freq-codec",
            "gpu-bp256",
        ],
        check=True,
    )
    gannet.Index.build(
        documents,
        tmp_path / "python",
        schema={"n": "u8"},
        stop_words="english",
        freq_codec="gpu-bp256",
    )
    assert same_bytes(tmp_path / "command", tmp_path / "python")


def test_strings_and_pairs(tmp_path: Path) -> None:
    texts = gannet.Index.build(["one two", "two three"], tmp_path / "texts")
    assert texts.search("three").ids == ["1"]
    pairs = gannet.Index.build([("a", "one two"), ("b", "two three")], tmp_path / "pairs")
    assert pairs.search("three").ids == ["b"]


def test_text_fields(tmp_path: Path) -> None:
    documents = [
        {"id": 7, "title": "sun", "body": "wind", "other": "rain"},
        {"id": 8, "body": "sun"},
    ]
    index = gannet.Index.build(documents, tmp_path / "idx", fields=["title", "body"])
    assert sorted(index.search("sun").ids) == ["7", "8"]
    assert index.search("rain").ids == []
    only = gannet.Index.build(documents, tmp_path / "only", fields="body")
    assert only.search("sun").ids == ["8"]


def test_values_of_every_kind(tmp_path: Path) -> None:
    zone = datetime.timezone(datetime.timedelta(hours=2))
    document = {
        "id": "d",
        "contents": "x",
        "i": np.int64(-5),
        "u": 2**64 - 2,
        "f": np.float32(0.25),
        "b": np.bool_(True),
        "ip": "10.0.0.1",
        "dec": decimal.Decimal("3.25"),
        "day": datetime.datetime(2024, 2, 29, 13),
        "when": datetime.datetime(2024, 1, 1, 2, tzinfo=zone),
        "meta": {"tags": [{"t": "ä"}, {"t": "b"}, {}, None]},
        "many": np.array([3, 1]),
        "nothing": float("nan"),
        "also": None,
    }
    schema: dict[str, Any] = {
        "i": "i64",
        "u": "u64",
        "f": "f32",
        "b": "bool",
        "ip": "ipv4",
        "dec": "decimal(2)",
        "day": "date",
        "when": "time",
        "t": {"type": "keyword", "multi": True, "path": "meta.tags.t"},
        "nothing": "f64",
        "also": "i8",
    }
    schema = {
        name: value if isinstance(value, dict) else {"type": value}
        for name, value in schema.items()
    }
    schema["many"] = {"type": "u16", "multi": True}
    index = gannet.Index.build([document], tmp_path / "idx", schema=schema)
    (values,) = index.field_values(list(schema), [0])
    assert values == {
        "i": -5,
        "u": 2**64 - 2,
        "f": 0.25,
        "b": True,
        "ip": "10.0.0.1",
        "dec": "3.25",
        "day": "2024-02-29",
        "when": "2024-01-01T00:00:00Z",
        "t": ["b", "ä"],
        "nothing": None,
        "also": None,
        "many": [1, 3],
    }
    assert [field.type for field in index.schema][:2] == ["i64", "u64"]


def test_numbers_of_classes_that_print_otherwise(tmp_path: Path) -> None:
    class Color(enum.IntEnum):
        RED = 7

    documents = [{"id": Color.RED, "contents": "x", "n": Color.RED, "f": np.float64(0.1)}]
    index = gannet.Index.build(documents, tmp_path / "idx", schema={"n": "u8", "f": "f64"})
    assert index.field_values(["n", "f"], [0]) == [{"n": 7, "f": 0.1}] and index.ids_of([0]) == [
        "7"
    ]


def test_schema_as_list_texts_and_file(tmp_path: Path) -> None:
    forms: list[Any] = [
        [
            {"name": "year", "type": "i32"},
            {"name": "tag", "type": "keyword", "multi": True},
            {"name": "price", "type": "f64"},
        ],
        ["year:i32", "tag:keyword:multi", "price:f64"],
    ]
    (tmp_path / "schema.json").write_text(json.dumps(forms[0]))
    forms.append(tmp_path / "schema.json")
    gannet.Index.build(DOCUMENTS, tmp_path / "dict", schema=SCHEMA)
    for i, form in enumerate(forms):
        gannet.Index.build(DOCUMENTS, tmp_path / str(i), schema=form)
        assert same_bytes(tmp_path / "dict", tmp_path / str(i))


def test_tables(tmp_path: Path) -> None:
    rows = [
        {"id": str(i), "contents": f"word{i % 7} common", "n": None if i % 5 == 0 else i}
        for i in range(9000)
    ]
    gannet.Index.build(rows, tmp_path / "rows", schema={"n": "i32"})
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    frame = pandas.DataFrame(rows)
    frame["n"] = frame["n"].astype("Int32")
    tables = {
        "pandas": frame,
        "polars": polars.DataFrame(rows),
        "lazy": polars.DataFrame(rows).lazy(),
        "arrow": pyarrow.Table.from_pylist(rows),
        "batch": pyarrow.RecordBatch.from_pylist(rows),
    }
    for name, table in tables.items():
        gannet.Index.build(table, tmp_path / name, schema={"n": "i32"})
        assert same_bytes(tmp_path / "rows", tmp_path / name), name


def test_files_in_other_encodings(tmp_path: Path) -> None:
    file = tmp_path / "latin.tsv"
    file.write_bytes("a\tcaf\u00e9\n".encode("latin-1"))
    with pytest.raises(gannet.InputError, match="encoding='windows-1252'"):
        gannet.Index.build(file, tmp_path / "idx")
    with pytest.raises(gannet.UsageError, match="encoding: 'klingon'"):
        gannet.Index.build(file, tmp_path / "idx", encoding="klingon")
    index = gannet.Index.build(file, tmp_path / "idx", encoding="windows-1252")
    assert index.search("caf\u00e9").ids == ["a"]
    with pytest.raises(gannet.InputError, match="not UTF-8"):
        index.run(file)
    assert list(index.run(file, encoding="latin1").topics) == ["a"]
    with pytest.raises(gannet.UsageError, match="topics files"):
        index.run({"1": "caf\u00e9"}, encoding="latin1")


def test_ids_that_give_no_plain_number(tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy")
    document = {"id": numpy.longdouble(1), "contents": "x"}  # its item() is itself
    with pytest.raises(gannet.InputError, match="neither a string nor a whole number"):
        gannet.Index.build([document], tmp_path / "idx")


def test_files(tmp_path: Path) -> None:
    tiny = gannet.Index.build(TINY / "docs.jsonl", tmp_path / "tiny")
    packed = tmp_path / "docs.jsonl.gz"
    packed.write_bytes(gzip.compress((TINY / "docs.jsonl").read_bytes()))
    gannet.Index.build(str(packed), tmp_path / "packed")
    assert same_bytes(tmp_path / "tiny", tmp_path / "packed")
    assert len(tiny) == sum(1 for line in (TINY / "docs.jsonl").open() if line.strip())
    (tmp_path / "a.txt").write_text("a\tsun\nb\twind\n")
    with pytest.raises(gannet.UsageError, match="does not tell the format"):
        gannet.Index.build(tmp_path / "a.txt", tmp_path / "tsv")
    tsv = gannet.Index.build([str(tmp_path / "a.txt")], tmp_path / "tsv", format="tsv")
    assert tsv.search("wind").ids == ["b"]


def test_vectors(tmp_path: Path) -> None:
    vectors = [
        {"id": "a", "vector": {"sun": 2.5, "wind": 0.5}},
        {"id": "b", "vector": {"sun": 1.0}},
    ]
    index = gannet.Index.build(iter(vectors), tmp_path / "objects")
    assert index.search("sun").ids == ["a", "b"]
    assert index.stats["impacts"]
    gannet.Index.build(
        [write_jsonl(tmp_path / "v.jsonl", vectors)], tmp_path / "file", format="json-vectors"
    )
    assert same_bytes(tmp_path / "objects", tmp_path / "file")
    assert not list(tmp_path.glob(".gannet-*"))


def test_vectors_with_ids_under_another_name(tmp_path: Path) -> None:
    vectors = [{"pid": i, "id": "no", "vector": {"sun": i + 0.5}} for i in range(3)]
    index = gannet.Index.build(iter(vectors), tmp_path / "objects", id_field="pid")
    assert index.search("sun").ids == ["2", "1", "0"]
    files = [write_jsonl(tmp_path / "v.jsonl", vectors)]
    gannet.Index.build(files, tmp_path / "file", format="json-vectors", id_field="pid")
    assert same_bytes(tmp_path / "objects", tmp_path / "file")


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"vector": {"sun": 1}}, "it has no 'id'"),
        ({"id": None, "vector": {"sun": 1}}, "it has no 'id'"),
        ({"id": 1.5, "vector": {"sun": 1}}, "'id' is neither a string nor a whole number but 1.5"),
        ({"id": True, "vector": {"sun": 1}}, "'id' is neither a string nor a whole number"),
        ({"id": "b", "contents": "sun"}, "it has no 'vector'"),
        ("sun", "it has no 'vector'"),
        ({"id": "b", "vector": {"sun": "much"}}, "the weight of 'sun' is no number but 'much'"),
        ({"id": "b", "vector": {"sun": float("nan")}}, "the weight of 'sun' is nan"),
        ({"id": "b", "vector": {"sun": float("inf")}}, "the weight of 'sun' is inf"),
        ({"id": "b", "vector": {"sun": -1}}, "the weight of 'sun' is -1"),
        ({"id": "b", "vector": {"": 1}}, "a term is empty"),
        ({"id": "", "vector": {"sun": 1}}, "id"),
    ],
    ids=str,
)
def test_malformed_vectors(tmp_path: Path, bad: Any, message: str) -> None:
    vectors = [{"id": np.int64(7), "vector": {"sun": 2.5}}, bad, {"id": "c", "vector": {"sea": 1}}]
    with pytest.raises(gannet.InputError, match=f"^document 1: .*{message}") as error:
        gannet.Index.build(vectors, tmp_path / "idx")
    assert "vectors.jsonl" not in str(error.value)
    index = gannet.Index.build(vectors, tmp_path / "idx", on_error="skip")
    assert index.build_report is not None and index.build_report["skipped"] == 1
    assert index.search("sun").ids == ["7"] and index.search("sea").ids == ["c"]


def test_ids_that_are_asked_for_have_to_be_there(tmp_path: Path) -> None:
    """As of files: nobody's documents are named by their numbers, or by another member."""
    rows: list[Any] = [{"nr": 5, "id": "x", "contents": "sun"}, {"id": "y", "contents": "sea"}]
    for more in (rows, [*rows[:1], "a text"], [{"nr": None, "contents": "sun"}]):
        with pytest.raises(gannet.InputError, match="document [01]: it has no 'nr'"):
            gannet.Index.build(more, tmp_path / "idx", id_field="nr")
    index = gannet.Index.build(rows, tmp_path / "idx", id_field="nr", on_error="skip")
    assert index.build_report is not None and index.build_report["skipped"] == 1
    assert index.search("sun").ids == ["5"]
    with pytest.raises(gannet.InputError, match="'nr' is neither a string nor a whole number"):
        gannet.Index.build([{"nr": 1.5, "contents": "sun"}], tmp_path / "bad", id_field="nr")


def test_posting_lists_of_other_programs(tmp_path: Path, command: str) -> None:
    index = gannet.Index.build(DOCUMENTS, tmp_path / "idx")
    for format, output in [("ds2i", "lists"), ("ciff", "lists.ciff")]:
        path = tmp_path / output
        subprocess.run(
            [command, "export", "--index", index.path, "--format", format, "--output", path],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        other = gannet.Index.build(path, tmp_path / format, format=format)
        assert other.stats["postings"] == index.stats["postings"]
        assert other.analyzer["stemmer"] == "none"
        with pytest.raises(gannet.UsageError, match="takes one path"):
            gannet.Index.build([str(path), "b"], tmp_path / "two", format=format)


def test_positions(tmp_path: Path) -> None:
    whole = gannet.Index.build(DOCUMENTS, tmp_path / "whole")
    size = (tmp_path / "whole" / "segment-00000001.positions").stat().st_size
    number = whole.stats["tokens"]
    expected = {"number": number, "bytes": size, "bits_per_position": 8 * size / number}
    assert whole.stats["positions"] == expected
    assert gannet.verify(tmp_path / "whole")["positions"] == expected
    less = gannet.Index.build(DOCUMENTS, tmp_path / "less", positions=False)
    assert less.stats["positions"] is None
    assert not list((tmp_path / "less").glob("*.positions"))
    assert less.search("solar power").ids == whole.search("solar power").ids
    # What is added follows the index.
    with gannet.Writer(tmp_path / "less") as writer:
        writer.add({"id": "new", "contents": "solar sea"})
    assert gannet.open(tmp_path / "less").stats["positions"] is None
    with gannet.Writer(tmp_path / "made", positions=False) as writer:
        writer.add({"id": "new", "contents": "solar sea"})
    gannet.add(tmp_path / "made", [{"id": "newer", "contents": "sea"}])
    assert gannet.open(tmp_path / "made").stats["positions"] is None
    gannet.add(tmp_path / "whole", [{"id": "new", "contents": "solar sea"}])
    assert gannet.open(tmp_path / "whole").stats["positions"]["number"] == number + 2
    gannet.export(less, tmp_path / "lists.ciff", "ciff")
    with pytest.raises(gannet.UsageError, match="posting lists come without positions"):
        gannet.add(tmp_path / "whole", tmp_path / "lists.ciff", format="ciff")


def test_stored_fields(tmp_path: Path) -> None:
    documents = [{"id": "a", "contents": "x", "body": "Sun & sea"}, {"id": "b", "contents": "x"}]
    index = gannet.Index.build(documents, tmp_path / "idx", schema={"body": "stored"})
    hits = index.search("x", fields="body")
    assert [hit.fields["body"] for hit in hits] == ["Sun & sea", None]


def test_the_report(tmp_path: Path) -> None:
    documents = [
        {"id": "a", "contents": "x y"},
        {"id": "b"},
        {"id": "c", "contents": ""},
        5,
        {"id": "d", "contents": "x", "n": "no"},
    ]
    index = gannet.Index.build(documents, tmp_path / "idx", schema={"n": "i8"}, on_error="skip")
    assert index.build_report is not None
    assert index.build_report["skipped"] == 3
    assert index.build_report["documents"] == 2
    assert index.build_report["empty_documents"] == 1


@pytest.mark.parametrize(
    "first",
    [
        {"contents": 5},
        {"contents": "x", "n": "no"},
        {"contents": "x", "n": [[[1, {}]]]},
        5,
        {"id": "a", "n": 1},
    ],
)
def test_a_bad_first_document_decides_nothing(tmp_path: Path, first: Any) -> None:
    sound: list[Any] = [{"id": str(i), "contents": "x"} for i in range(5)]
    if isinstance(first, dict) and "id" in first:
        sound = [{"contents": "x"} for _ in range(5)]
    index = gannet.Index.build(
        [first, *sound], tmp_path / "idx", schema={"n": "i8"}, on_error="skip"
    )
    assert index.build_report is not None
    assert index.build_report["documents"] == 5
    assert index.build_report["skipped"] == 1


@pytest.mark.parametrize("kind", ["list", "dict", "own"])
def test_deep_values_are_refused(tmp_path: Path, kind: str) -> None:
    value: Any = 1
    for _ in range(100_000):
        value = {"n": value} if kind == "dict" else [value]
    if kind == "own":
        value = []
        value.append(value)
    documents = [{"id": "a", "contents": "x", "n": value}, {"id": "b", "contents": "x"}]
    schema = {"n": "i8", "deep": "i8:path=" + ".".join(["n"] * 60)}
    with pytest.raises(gannet.InputError, match="nested deeper than 256 levels|a value is of type"):
        gannet.Index.build(documents, tmp_path / "idx", schema=schema)
    index = gannet.Index.build(documents, tmp_path / "idx", schema=schema, on_error="skip")
    assert index.build_report is not None
    assert index.build_report["documents"] == 1


def test_keys_may_spell_paths_with_dots(tmp_path: Path) -> None:
    documents = [
        {"id": "a", "contents": "x", "m.v": 1},
        {"id": "b", "contents": "x", "m": {"v": 2}},
        {"id": "c", "contents": "x", "m": {"v": 3.0}, "m.w": 4},
    ]
    index = gannet.Index.build(documents, tmp_path / "idx", schema={"v": "i8:path=m.v"})
    hits = index.search("x", fields="v", sort="v")
    assert [hit.fields["v"] for hit in hits] == [1, 2, 3]


@pytest.mark.parametrize(
    ("documents", "what"),
    [
        (
            [{"id": "a", "contents": "x"}, {"contents": "y"}],
            "document 1: it has no 'id', and those before have one",
        ),
        (
            [{"id": "a", "text": "x"}],
            "document 0: it has no 'contents'; fields= names the texts to index",
        ),
        ([{"id": "a", "contents": 3}], "document 0: 'contents' is not a string but of type 'int'"),
        ([{"id": 1.5, "contents": "x"}], "neither a string nor a whole number but 1.5"),
        ([{"id": "a", "contents": "\ud800"}], "surrogates"),
        ([["a", "b"]], "document 0: it is of type 'list'"),
        ([{"id": "a", "contents": "x", "n": 300}], "document 0: field 'n'"),
        ([{"id": "a", "contents": "x", "n": object()}], "a value is of type 'object'"),
        ([{"id": "a", "contents": "x", "n": [1, 2]}], "field 'n'"),
    ],
)
def test_malformed_documents(tmp_path: Path, documents: Any, what: str) -> None:
    with pytest.raises(gannet.InputError) as caught:
        gannet.Index.build(documents, tmp_path / "idx", schema={"n": "i8"})
    assert what in str(caught.value)
    assert isinstance(caught.value, ValueError)
    with pytest.raises(gannet.IoError):
        gannet.open(tmp_path / "idx")


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"codec": "zip"}, "zip"),
        ({"memory": "1M"}, "64"),
        ({"memory": "much"}, "memory"),
        ({"k1": -1}, "k1"),
        ({"on_error": "cry"}, "cry"),
        ({"stemmer": "klingon"}, "klingon"),
        ({"schema": {"year": "i33"}}, "i33"),
        ({"fields": []}, "fields"),
        ({"format": "jsonl"}, "format is for paths"),
        ({"impact_bits": 40}, "impact_bits"),
    ],
)
def test_options_that_make_no_sense(tmp_path: Path, options: dict[str, Any], what: str) -> None:
    with pytest.raises(gannet.UsageError, match=what):
        gannet.Index.build(
            ({"id": "a", "contents": "x"} for _ in range(1)), tmp_path / "idx", **options
        )


@pytest.mark.parametrize("documents", [5, None, {"id": "a"}, b"bytes"])
def test_what_is_no_documents(tmp_path: Path, documents: Any) -> None:
    with pytest.raises(TypeError, match="documents takes an iterable"):
        gannet.Index.build(documents, tmp_path / "idx")


def test_ids_that_occur_twice(tmp_path: Path) -> None:
    with pytest.raises(gannet.InputError, match="both have the id 'a'"):
        gannet.Index.build([("a", "x"), ("a", "y")], tmp_path / "idx")


def test_no_documents(tmp_path: Path) -> None:
    assert len(gannet.Index.build([], tmp_path / "idx")) == 0


def test_rows_of_files_have_the_fields(tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("year,tag\n1999,a\n,b\n2004,\n")
    schema = {"year": "i32", "tag": "keyword"}
    documents = [{"id": name, "contents": "solar", "year": "no number"} for name in "xyz"]
    file = write_jsonl(tmp_path / "docs.jsonl", documents)
    wanted = [{"year": 1999, "tag": "a"}, {"year": None, "tag": "b"}, {"year": 2004, "tag": None}]
    tables: list[Any] = [documents, file]
    if (pyarrow := pytest.importorskip("pyarrow", reason="also as a table")) is not None:
        tables.append(pyarrow.Table.from_pylist(documents))
    for number, given in enumerate(tables):
        index = gannet.Index.build(given, tmp_path / f"{number}", schema=schema, rows=rows)
        assert index.field_values(["year", "tag"], [0, 1, 2]) == wanted
    with pytest.raises(gannet.InputError, match="4|3"):
        gannet.Index.build(
            [*documents, {"id": "w", "contents": "a"}], tmp_path / "x", schema=schema, rows=[rows]
        )
    with pytest.raises(gannet.UsageError, match="schema|fields"):
        gannet.Index.build(documents, tmp_path / "x", rows=rows)
    assert not (tmp_path / "x").exists()
