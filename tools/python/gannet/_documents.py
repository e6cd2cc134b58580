"""What `Index.build` takes: iterables, tables, files."""

from __future__ import annotations

import contextlib
import json
import math
import operator
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from gannet import _gannet
from gannet._arguments import path_of
from gannet._gannet import InputError, IoError, UsageError
from gannet._types import PathLike

_ROWS = 4096
_SUFFIXES = {
    ".jsonl": "jsonl",
    ".json": "jsonl",
    ".ndjson": "jsonl",
    ".tsv": "tsv",
    ".csv": "csv",
    ".trec": "trectext",
    ".trectext": "trectext",
    ".parquet": "parquet",
}


def paths_of(documents: Any, format: str | None) -> list[str] | None:
    """The files, if they are meant: a path, several paths, texts that `format` makes paths."""
    if isinstance(documents, (str, os.PathLike)):
        return [path_of("documents", documents)]
    if isinstance(documents, (list, tuple)) and documents:
        if all(isinstance(document, os.PathLike) for document in documents):
            return [path_of("documents", document) for document in documents]
        if format is not None and all(
            isinstance(document, (str, os.PathLike)) for document in documents
        ):
            return [path_of("documents", document) for document in documents]
    return None


def format_of(paths: list[str]) -> str:
    """The format that the first file's name tells."""
    first = paths[0]
    if os.path.isdir(first):
        return "dir"
    base, suffix = os.path.splitext(first)
    if suffix in (".gz", ".bz2", ".zst"):
        suffix = os.path.splitext(base)[1]
    if suffix not in _SUFFIXES:
        raise UsageError(
            f"{first}: the name does not tell the format; say format='jsonl', 'tsv', 'csv' ..."
        )
    return _SUFFIXES[suffix]


def _arrow_batches(table: Any) -> Iterator[Any]:
    """Of a Table, a Dataset, which is read while they are taken, or a RecordBatchReader."""
    if hasattr(table, "read_next_batch"):
        yield from table
    elif hasattr(table, "scanner"):
        yield from table.to_batches(batch_size=_ROWS)
    else:
        yield from table.to_batches(max_chunksize=_ROWS)


def _arrow_rows(table: Any) -> Iterator[Any]:
    for batch in _arrow_batches(table):
        for begin in range(0, batch.num_rows, _ROWS):
            yield from batch.slice(begin, _ROWS).to_pylist()


def _pandas_rows(frame: Any) -> Iterator[Any]:
    names = [str(column) for column in frame.columns]
    for begin in range(0, len(frame), _ROWS):
        part = frame.iloc[begin : begin + _ROWS]
        columns = [part.iloc[:, i].tolist() for i in range(len(names))]
        for row in zip(*columns):
            yield dict(zip(names, row))


def columns_of(options: Mapping[str, Any]) -> set[str]:
    """The columns of a table that a build with these options looks at."""
    sources = [_source(field) for field in options["schema_fields"]]
    if options["schema_json"]:
        # What is wrong with it, the library says, before it takes a row.
        with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError, RecursionError):
            fields = json.loads(options["schema_json"])
            sources += [field.get("path", field["name"]) for field in fields]
    texts = options["fields"] or ["contents"]
    id_field = options["id_field"] or "id"
    return {id_field, *texts, *(source.partition(".")[0] for source in sources)}


def _source(field: str) -> str:
    """Of a field as `gannet index --field` spells it."""
    name, *parts = field.split(":")
    paths = [part.removeprefix("path=") for part in parts if part.startswith("path=")]
    return paths[-1] if paths else name


def _parquet_files(paths: Sequence[str]) -> Iterator[str]:
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        files = sorted(str(file) for file in Path(path).rglob("*.parquet"))
        if not files:
            raise UsageError(f"{path}: there is no file *.parquet in this folder")
        yield from files


def parquet_batches(paths: Sequence[str], columns: set[str] | None) -> Iterator[Any]:
    """Batches of Parquet files, in the order of the files; a folder stands for all files in it.

    Only these columns are read (None: all), a few thousand rows at a time.
    """
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise UsageError(
            "Parquet files are read by pyarrow, which is missing: pip install pyarrow"
        ) from None
    for path in _parquet_files(paths):
        try:
            # A buffer makes the reader stream the columns of a row group, however large it is.
            with ParquetFile(path, buffer_size=1 << 20) as file:
                names = file.schema_arrow.names
                wanted = [name for name in names if columns is None or name in columns]
                if columns is not None and "id" in columns and "id" not in names:
                    wanted += [name for name in names if _gannet.is_id_name(name)]  # refused
                yield from file.iter_batches(batch_size=_ROWS, columns=wanted)
        except ArrowException as error:
            raise InputError(f"{path}: {error}") from error
        except OSError as error:
            raise IoError(f"{path}: {error}") from error


def rows_of(documents: Any) -> Iterable[Any]:
    """An iterable of documents: tables of pandas, Polars and Arrow by rows, all else as it is."""
    module = type(documents).__module__.partition(".")[0]
    if module == "pandas" and hasattr(documents, "iloc") and hasattr(documents, "columns"):
        return _pandas_rows(documents)
    if module == "polars":
        frame = documents.collect() if hasattr(documents, "collect") else documents
        rows: Iterable[Any] = frame.iter_rows(named=True)
        return rows
    if module == "pyarrow" and (
        hasattr(documents, "to_batches") or hasattr(documents, "read_next_batch")
    ):
        return _arrow_rows(documents)
    if module == "pyarrow" and hasattr(documents, "to_pylist"):
        many: Iterable[Any] = documents.to_pylist()
        return many
    if isinstance(documents, (Mapping, str, bytes)) or not isinstance(documents, Iterable):
        raise TypeError(
            "documents takes an iterable of dicts, of pairs (id, text) or of texts, a table, or paths "
            f"of files, not {type(documents).__name__}"
        )
    _refuse_names_of_files(documents)
    return documents


def _refuse_names_of_files(documents: Iterable[Any]) -> None:
    """Texts that all name files are hardly the texts to be indexed."""
    if not isinstance(documents, (list, tuple)) or not documents:
        return
    if all(isinstance(one, str) and _is_file(one) for one in documents):
        raise UsageError(
            f"documents: these texts are the names of files ('{documents[0]}'); format='jsonl', for "
            "instance, or a list of pathlib.Path reads the files; if the names themselves are the "
            "documents, give dicts: {'contents': name}"
        )


def _is_file(name: str) -> bool:
    try:
        return os.path.isfile(name)
    except ValueError:  # a null character
        return False


def are_vectors(documents: Iterable[Any]) -> tuple[bool, Iterable[Any]]:
    """Whether the first document has a `vector`, and the documents from the first on."""
    rows = iter(documents)
    first = next(rows, None)
    if first is None:
        return False, ()
    vectors = isinstance(first, Mapping) and isinstance(first.get("vector"), Mapping)
    return vectors, chain((first,), rows)


@contextlib.contextmanager
def spooled_vectors(
    documents: Iterable[Any], beside: PathLike, options: Mapping[str, Any]
) -> Iterator[tuple[str, int]]:
    """A JSONL file of vectors, which are read twice: to be scaled, and to be indexed; and how many
    were malformed, of which the file has empty lines."""
    parent = os.path.dirname(os.path.abspath(beside))
    id_field = options["id_field"] or "id"
    with tempfile.TemporaryDirectory(
        prefix=".gannet-", dir=parent if os.path.isdir(parent) else None
    ) as folder:
        path = os.path.join(folder, "vectors.jsonl")
        skipped = 0
        with open(path, "w", encoding="utf-8") as file:
            for number, document in enumerate(documents):
                try:
                    file.write(json.dumps(_vector_record(document, id_field)))
                except InputError as error:
                    if options["on_error"] != "skip":
                        raise InputError(f"document {number}: {error}") from None
                    skipped += 1
                file.write("\n")
        try:
            yield path, skipped
        except InputError as error:
            before, found, behind = str(error).partition(f"{path}:")
            line, _, reason = behind.partition(": ")
            if not found or not line.isdigit():
                raise
            raise InputError(f"{before}document {int(line) - 1}: {reason}") from None


def _vector_record(document: Any, id_field: str) -> dict[str, Any]:
    vector = document.get("vector") if isinstance(document, Mapping) else None
    if not isinstance(vector, Mapping):
        raise InputError("it has no 'vector', a dict of terms and weights, as the first one has")
    identifier = document.get(id_field)
    if identifier is None:
        raise InputError(f"it has no '{id_field}'{_id_hint(document, id_field)}")
    if not isinstance(identifier, str):
        if isinstance(identifier, bool) or not hasattr(identifier, "__index__"):
            raise InputError(
                f"'{id_field}' is neither a string nor a whole number but {identifier!r}"
            )
        identifier = operator.index(identifier)
    weights = {str(term): _weight(term, weight) for term, weight in vector.items()}
    return {id_field: identifier, "vector": weights}


def _id_hint(document: Mapping[Any, Any], id_field: str) -> str:
    """What to do where the id seems to be under another key."""
    keys = [key for key in document if isinstance(key, str) and _gannet.is_id_name(key)]
    if id_field != "id" or not keys or keys[0] == "id":
        return ""
    return f", but '{keys[0]}'; id_field='{keys[0]}' takes that for the id"


def _weight(term: Any, weight: Any) -> float:
    try:
        number = float(weight)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"the weight of '{term}' is no number but {weight!r}") from None
    if not 0 <= number < math.inf:
        raise InputError(f"the weight of '{term}' is {number}; weights are numbers from 0 on")
    return number
