"""Tables of Arrow and Polars: in without copies of texts, hits out."""

from __future__ import annotations

import copy
import ctypes
import dataclasses
import datetime
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gannet
import pytest
from conftest import DOCUMENTS, SCHEMA
from gannet import _gannet, _options
from indexes import same_bytes

pa = pytest.importorskip("pyarrow")

ROWS: list[dict[str, Any]] = [
    {
        "id": f"d{i}",
        "contents": None if i == 5 else f"some words of {i} " * (i % 7),
        "title": None if i % 3 == 0 else f"t{i}",
        "year": None if i % 4 == 0 else 1990 + i,
        "tags": None if i % 5 == 0 else [f"tag{j}" for j in range(i % 4)],
        "price": float("nan") if i == 2 else i * 0.5,
        "day": None if i % 6 == 0 else datetime.date(2024, 2, 1 + i),
        "good": i % 2 == 0,
    }
    for i in range(20)
]
TYPES = {"year": "i32", "tags": "keyword:multi", "price": "f64", "day": "date", "good": "bool"}
OPTIONS: dict[str, Any] = {"schema": TYPES, "fields": ["title", "contents"], "store": True}


def read_natively(table: Any, **options: Any) -> bool:
    defaults = {**gannet._upkeep._STANDARD, **options}
    made: bool = _gannet.arrow_reads(table, _options.build_options(defaults))
    return made


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("arrow") / "rows"
    gannet.Index.build(ROWS, path, on_error="skip", **OPTIONS)
    return path


def cast(names: dict[str, Any]) -> Any:
    table = pa.Table.from_pylist(ROWS)
    for name, kind in names.items():
        at = table.column_names.index(name)
        table = table.set_column(at, name, table.column(name).cast(kind))
    return table


TABLES = {
    "string": lambda: cast({}),
    "large": lambda: cast(
        {"contents": pa.large_string(), "tags": pa.large_list(pa.large_string())}
    ),
    "dictionary": lambda: cast({"title": pa.dictionary(pa.int8(), pa.string())}),
    "small": lambda: cast({"year": pa.int16(), "price": pa.float64()}),
    "slices": lambda: pa.concat_tables(
        [cast({}).slice(i, n) for i, n in ((0, 1), (1, 0), (1, 12), (13, 7))]
    ),
    "shifted": lambda: pa.Table.from_pylist([*ROWS[:3], *ROWS]).slice(3),
    "reader": lambda: cast({}).to_reader(max_chunksize=3),
    "batch": lambda: cast({}).combine_chunks().to_batches()[0],
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_its_rows(name: str, wanted: Path, tmp_path: Path) -> None:
    table = TABLES[name]()
    assert read_natively(table, **OPTIONS)
    index = gannet.Index.from_arrow(table, tmp_path / "idx", on_error="skip", **OPTIONS)
    assert same_bytes(wanted, tmp_path / "idx")
    assert index.build_report is not None and index.build_report["documents"] == 20


@pytest.mark.skipif(not hasattr(pa, "string_view"), reason="pyarrow has no string_view")
def test_views_of_strings(wanted: Path, tmp_path: Path) -> None:
    table = cast({"contents": pa.string_view(), "title": pa.string_view()})
    assert read_natively(table, **OPTIONS)
    gannet.Index.from_arrow(table, tmp_path / "idx", on_error="skip", **OPTIONS)
    assert same_bytes(wanted, tmp_path / "idx")


def test_polars(wanted: Path, tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(ROWS)
    for number, given in enumerate((frame, frame.lazy())):
        gannet.Index.from_polars(given, tmp_path / f"{number}", on_error="skip", **OPTIONS)
        assert same_bytes(wanted, tmp_path / f"{number}")
    assert read_natively(frame, **OPTIONS)


def test_parquet(wanted: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    (tmp_path / "files").mkdir()
    table = cast({})
    for number, (first, rows) in enumerate(((0, 8), (8, 12))):
        parquet.write_table(table.slice(first, rows), tmp_path / "files" / f"{number}.parquet")
    gannet.Index.from_parquet(tmp_path / "files", tmp_path / "idx", on_error="skip", **OPTIONS)
    assert same_bytes(wanted, tmp_path / "idx")
    files = sorted((tmp_path / "files").iterdir())
    assert len(gannet.Index.from_parquet(files, on_error="skip", **OPTIONS)) == 20


@pytest.mark.parametrize(
    "column",
    [
        {"year": pa.array([datetime.datetime(2024, 1, 1)] * 20)},
        {"year": pa.array([1] * 20, pa.decimal128(5))},
        {"contents": pa.array([b"bytes"] * 20)},
        {"tags": pa.array([{"a": 1}] * 20)},
    ],
    ids=["timestamp", "decimal", "bytes", "struct"],
)
def test_other_types_go_through_python(column: dict[str, Any]) -> None:
    table = cast({})
    for name, values in column.items():
        table = table.set_column(table.column_names.index(name), name, values)
    assert not read_natively(table, **OPTIONS)


def test_a_column_of_texts_is_documents(tmp_path: Path) -> None:
    for texts in (pa.array(["solar", "wind"]), pa.chunked_array([["solar"], ["wind"]])):
        assert gannet.Index.from_documents(texts, folder=tmp_path).search("wind").docids[0] == 1
    kind = pa.struct([("contents", pa.string())])
    rows = pa.array([{"contents": "coal"}, {"contents": "solar"}, None], kind).slice(1)
    chunked = pa.chunked_array([rows])
    index = gannet.Index.from_documents(chunked, folder=tmp_path, on_error="skip")
    assert len(index) == 1 and index.search("solar").total == 1


class NoTable:
    def __init__(self, made: Any) -> None:
        self.made = made

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.made


def test_what_is_no_stream_is_an_error(tmp_path: Path) -> None:
    for made in (7, None, pa.schema([]).__arrow_c_schema__()):
        with pytest.raises((ValueError, TypeError)):
            gannet.Index.from_arrow(NoTable(made), folder=tmp_path)
    taken = pa.table({"contents": ["x"]}).__arrow_c_stream__()
    other = NoTable(taken)
    with pytest.raises((gannet.Error, ValueError)):
        gannet.Index.from_arrow(other, folder=tmp_path)  # the first look has consumed it
    assert list(tmp_path.iterdir()) == []


def test_errors_name_the_row(tmp_path: Path) -> None:
    cases: list[tuple[Any, dict[str, Any], str]] = [
        (pa.table({"id": ["a", None], "contents": ["x", "y"]}), {}, "document 1: it has no 'id'"),
        (pa.table({"id": ["a", ""], "contents": ["x", "y"]}), {}, "document 1: 'id' is empty"),
        (pa.table({"id": ["a"], "body": ["x"]}), {}, "document 0: it has no 'contents'"),
        (pa.table({"contents": ["x"]}), {"id_field": "key"}, "document 0: it has no 'key'"),
        (pa.table({"id": ["a", "a"], "contents": ["x", "y"]}), {}, "'a'"),
        (
            pa.table({"contents": ["x", "y"], "n": [1, 1000]}),
            {"schema": {"n": "i8"}},
            "document 1: .*1000",
        ),
    ]
    for number, (table, options, message) in enumerate(cases):
        with pytest.raises(gannet.InputError, match=message):
            gannet.Index.build(table, tmp_path / f"{number}", **options)
        assert not (tmp_path / f"{number}").exists()
    with pytest.raises(TypeError, match="table takes a table of Arrow, .*, not "):
        gannet.Index.from_arrow([{"contents": "x"}])


def test_what_a_reader_raises_ends_the_build(tmp_path: Path) -> None:
    def batches() -> Iterator[Any]:
        yield from cast({}).to_batches()
        raise ValueError("the source broke")

    reader = pa.RecordBatchReader.from_batches(cast({}).schema, batches())
    with pytest.raises(gannet.InputError, match="the source broke"):
        gannet.Index.from_arrow(reader, tmp_path / "idx", on_error="skip", **OPTIONS)
    assert not (tmp_path / "idx").exists()


def test_texts_are_not_copied_into_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No row becomes an object: the ways on which rows go through Python are shut."""

    def shut(*_: Any) -> Any:
        raise AssertionError("rows of Python")

    for name in ("rows_of", "are_vectors"):
        monkeypatch.setattr(gannet._documents, name, shut)
    table = pa.table({"id": pa.array(range(30_000)), "contents": ["solar power"] * 30_000})
    index = gannet.Index.from_arrow(table, folder=tmp_path)
    assert len(index) == 30_000 and index.find("29999") == 29_999


@pytest.fixture(scope="module")
def tagged(tmp_path_factory: pytest.TempPathFactory) -> gannet.Index:
    folder = tmp_path_factory.mktemp("tagged")
    return gannet.Index.from_documents(DOCUMENTS, schema=SCHEMA, folder=folder, backend="cpu")


def test_hits_are_a_table(tagged: gannet.Index) -> None:
    hits = tagged.search("power", fields="year,tag,price")
    table = pa.table(hits)
    assert table.column_names == ["rank", "docid", "id", "score", "year", "tag", "price"]
    assert table.column("id").to_pylist() == hits.ids
    assert [row["rank"] for row in table.to_pylist()] == [1, 2, 3]
    for row, hit in zip(table.to_pylist(), hits):
        assert {name: row[name] for name in hit.fields} == hit.fields
        assert row["score"] == hit.score
    table.validate(full=True)
    assert pa.table(tagged.search("nothing", fields="tag")).num_rows == 0
    assert "score" not in pa.table(tagged.search("power", sort="year")).column_names


def test_hits_may_be_copied_and_made_frames(tagged: gannet.Index) -> None:
    hits = tagged.search("power", fields="tag")
    for copied in (pickle.loads(pickle.dumps(hits[0])), copy.deepcopy(hits[0])):
        assert copied == hits[0] and copied.text is None
    assert dataclasses.asdict(hits[0])["id"] == hits[0].id
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(hits)["id"].to_list() == hits.ids
    assert polars.from_arrow(pa.table(hits))["id"].to_list() == hits.ids


def test_batches_and_runs_are_tables(tagged: gannet.Index) -> None:
    batch = tagged.search_batch(["power", "nothing", "coal"], fields=["year", "tag"])
    table = pa.table(batch)
    table.validate(full=True)
    assert table.column("query").to_pylist() == [0, 0, 0, 2]
    assert table.column("id").to_pylist() == batch.ids.tolist()
    run = tagged.run({"qä": "power", "q2": "coal"})
    assert pa.table(run).column("qid").to_pylist() == ["qä"] * 3 + ["q2"]
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(batch)
    assert frame["rank"].to_list() == [1, 2, 3, 1]
    assert frame["tag"].to_list() == table.column("tag").to_pylist()


def test_counts_and_groups_are_tables(tagged: gannet.Index) -> None:
    queries = ["power", "nothing", "solar"]
    batch = tagged.search_batch(queries, facets=["tag", "year"], histograms="year:10")
    assert pa.table(batch.facets["tag"]).to_pylist() == [
        {"query": i, "value": value, "count": count}
        for i in range(3)
        for value, count in tagged.search(queries[i], facets="tag").facets["tag"]["values"].items()
    ]
    assert pa.table(batch.facets["year"]).column("value").to_pylist() == [1999, 2004, 1999, 2004]
    assert pa.table(batch.histograms["year"]).column("query").to_pylist() == [0, 0, 2, 2]
    groups = tagged.search_batch(queries, group="tag").groups
    table = pa.table(groups)
    table.validate(full=True)
    assert table.to_pylist() == [
        {
            "query": i,
            "value": group.value,
            "count": group.count,
            "docid": hit.docid,
            "score": hit.score,
        }
        for i in range(3)
        for group in tagged.search(queries[i], group="tag").groups
        for hit in group.hits
    ]


def test_a_stream_that_nobody_reads_is_released(tagged: gannet.Index) -> None:
    for _ in range(100):
        tagged.search("power").__arrow_c_stream__()


class Nameless:
    """A table of Arrow whose first column has no name at all: a null pointer, which is allowed."""

    def __init__(self, table: Any) -> None:
        self.table = table
        self.kept: list[Any] = []  # what C calls

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        pointer_in = ctypes.pythonapi.PyCapsule_GetPointer
        pointer_in.restype = ctypes.c_void_p
        pointer_in.argtypes = [ctypes.py_object, ctypes.c_char_p]
        capsule = self.table.__arrow_c_stream__()
        stream = ctypes.cast(
            pointer_in(capsule, b"arrow_array_stream"), ctypes.POINTER(ctypes.c_void_p)
        )
        kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))
        get_schema = kind(stream[0] or 0)  # the first member of both structs that is a function

        def without_a_name(self: int, schema: Any) -> int:
            failed: int = get_schema(self, schema)
            children = ctypes.cast(schema[5], ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p)))
            children[0][1] = None  # format, name, metadata, flags, n_children, children
            return failed

        self.kept.append(kind(without_a_name))
        stream[0] = ctypes.cast(self.kept[-1], ctypes.c_void_p)
        return capsule


def test_columns_may_have_no_name() -> None:
    table = pa.table({"contents": ["nothing", "of it"], "id": ["a", "b"], "title": ["sun", "sea"]})
    index = gannet.Index.from_documents(Nameless(table), fields="title")
    assert index.search("sea").ids == ["b"]
    with pytest.raises(gannet.InputError, match="it has no 'contents'"):
        gannet.Index.from_documents(Nameless(table))
