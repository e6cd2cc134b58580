"""Values of fields and counts of batches, as arrays of NumPy and of Arrow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gannet import _gannet, _html
from gannet._described import described
from gannet._types import Float32Array, Uint32Array, Uint64Array

Array = npt.NDArray[Any]


class FieldArray:
    """The values of a field, one a hit, or of fields with several values a list a hit.

    Whole numbers are int64 (u64: uint64), floats float64, booleans bool, all else str. Immutable.
    """

    __slots__ = {
        "valid": "bool array: which hits have a value; None: all. Where there is none, `values` has "
        '0 or ""',
        "offsets": "int64 array: of a field with several values hit i has "
        "values[offsets[i]:offsets[i + 1]]; else None",
        **dict.fromkeys(("_made", "_values"), ""),
    }

    def __init__(self, made: dict[str, Any]) -> None:
        self._made = made
        self._values: Array | None = None
        valid = made["valid"]
        self.valid: npt.NDArray[np.bool_] | None = None if valid is None else valid.view(np.bool_)
        self.offsets: npt.NDArray[np.int64] | None = made["offsets"]

    @property
    def values(self) -> Array:
        """array: the values, of int64, uint64, float64, bool or str; str are made when this is first
        asked for."""
        if self._values is not None:
            return self._values
        made = self._made
        values: Array = made["values"]
        if made["kind"] == "text":
            values = _texts(values, made["text_offsets"])
        elif made["kind"] == "bool":
            values = values.view(np.bool_)
        self._values = values
        return values

    def __len__(self) -> int:
        counted = self._made["text_offsets"] if self.offsets is None else self.offsets
        return len(self._made["values"]) if counted is None else len(counted) - 1

    def tolist(self) -> list[Any]:
        """The values as objects of Python, one a hit: None for none, lists where there are several."""
        values: list[Any] = self.values.tolist()
        if self.offsets is not None:
            places = self.offsets.tolist()
            return [values[first:last] for first, last in zip(places, places[1:])]
        if self.valid is None:
            return values
        return [value if there else None for value, there in zip(values, self.valid.tolist())]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return self.values if dtype is None else self.values.astype(dtype)

    def __repr__(self) -> str:
        return f"<gannet.FieldArray: {len(self)} hits, values of {self.values.dtype}>"


@described(
    values="array: as FieldArray has them; bins are str",
    counts="uint64 array: documents, one a value",
    offsets="uint64 array: where the values of each query begin, and the end",
    others="uint64 array: documents with values that are not listed, one a query; None of histograms",
    missing="uint64 array: documents without the field, one a query",
)
@dataclass(frozen=True, eq=False, slots=True)
class Counts:
    """What a facet or a histogram counted for each query of a batch: query i has the values, or the
    lower edges of bins, from offsets[i] to offsets[i + 1]."""

    values: Array
    counts: Uint64Array
    offsets: Uint64Array
    others: Uint64Array | None
    missing: Uint64Array

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The values for Arrow, a row each: query (from 0), value and count."""
        return _gannet.arrow_stream(
            [
                column("query", "u32", _repeated(self.offsets)),
                _any_column("value", self.values),
                column("count", "u64", self.counts),
            ]
        )


@described(
    values="array of str: one a group",
    counts="uint64 array: documents that match and have the value, one a group",
    offsets="uint64 array: where the groups of each query begin, and the end",
    docids="uint32 array: the documents' numbers, one a hit",
    scores="float32 array: one a hit; NaN if hits are in another order",
    hit_offsets="uint64 array: where the hits of each group begin, and the end",
    missing="uint64 array: documents without the field, one a query",
)
@dataclass(frozen=True, eq=False, slots=True)
class BatchGroups:
    """The groups of a batch: query i has those from offsets[i] to offsets[i + 1], group g the hits
    from hit_offsets[g] to hit_offsets[g + 1]."""

    values: Array
    counts: Uint64Array
    offsets: Uint64Array
    docids: Uint32Array
    scores: Float32Array
    hit_offsets: Uint64Array
    missing: Uint64Array

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The hits for Arrow, a row each: query (from 0), value and count of the group, docid,
        score (NaN if there is none)."""
        groups = _repeated(self.hit_offsets)
        return _gannet.arrow_stream(
            [
                column("query", "u32", _repeated(self.offsets)[groups]),
                _any_column("value", self.values[groups]),
                column("count", "u64", self.counts[groups]),
                column("docid", "u32", self.docids),
                column("score", "f32", self.scores),
            ]
        )


class Facets(dict[str, Any]):
    """What was counted, by the names of fields: a dict that notebooks show as tables."""

    def __init__(self, made: Mapping[str, Any], kind: str = "values") -> None:
        super().__init__(made)
        self._kind = kind

    def _repr_html_(self) -> str:
        tables = []
        for name, counted in self.items():
            rows = list(counted[self._kind].items())
            rows += [
                (f"({left})", counted[left]) for left in ("others", "missing") if counted.get(left)
            ]
            tables.append(_html.table(name, [self._kind[:-1], "documents"], rows))
        return "".join(tables)


def _texts(data: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64]) -> Array:
    whole = data.tobytes()
    made = np.empty(len(offsets) - 1, dtype=object)
    places = offsets.tolist()
    made[:] = [
        whole[first:last].decode("utf-8", "replace") for first, last in zip(places, places[1:])
    ]
    return made


def counts_of(made: dict[str, Any]) -> Counts:
    """Of a facet or a histogram, as the extension module has it."""
    values = FieldArray(made["values"]).values
    return Counts(values, made["counts"], made["offsets"], made["others"], made["missing"])


def groups_of(made: dict[str, Any] | None) -> BatchGroups | None:
    if made is None:
        return None
    hits = made["hits"]
    return BatchGroups(
        FieldArray(made["values"]).values,
        made["counts"],
        made["offsets"],
        hits["docids"],
        scores_of(hits),
        hits["offsets"],
        made["missing"],
    )


def scores_of(made: dict[str, Any]) -> Float32Array:
    scores: Float32Array | None = made["scores"]
    if scores is None:
        return np.full(len(made["docids"]), np.nan, dtype=np.float32)
    return scores


def column(name: str, kind: str, values: Any) -> dict[str, Any]:
    """A column of numbers for :func:`stream_of`."""
    types = {"u32": np.uint32, "u64": np.uint64, "f32": np.float32, "f64": np.float64}
    return {"name": name, "kind": kind, "values": np.ascontiguousarray(values, dtype=types[kind])}


def text_column(name: str, texts: Sequence[str]) -> dict[str, Any]:
    parts = [text.encode() for text in texts]
    offsets = np.zeros(len(parts) + 1, dtype=np.int64)
    np.cumsum([len(part) for part in parts], out=offsets[1:])
    data = np.frombuffer(b"".join(parts), dtype=np.uint8)
    return {"name": name, "kind": "text", "values": data, "text_offsets": offsets}


def _any_column(name: str, values: Array) -> dict[str, Any]:
    """A column of values as :class:`FieldArray` has them."""
    if values.dtype == object:
        return text_column(name, values.tolist())
    if values.dtype == np.bool_:
        return {"name": name, "kind": "bool", "values": values.view(np.uint8)}
    kinds = {"i": "i64", "u": "u64", "f": "f64"}
    return {"name": name, "kind": kinds[values.dtype.kind], "values": values}


def _repeated(offsets: Uint64Array) -> Array:
    """Of what has parts by offsets: the number of the part, one an element."""
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets).astype(np.int64))


def hit_columns(
    index: Any, docids: Uint32Array, scores: Float32Array | None
) -> list[dict[str, Any]]:
    """The columns docid, id and score of hits."""
    columns = [
        column("docid", "u32", docids),
        {"name": "id", **_gannet.id_column(index._handle, docids)},
    ]
    if scores is not None:
        columns.append(column("score", "f32", scores))
    return columns


def field_columns(fields: Mapping[str, FieldArray]) -> list[dict[str, Any]]:
    return [{**array._made, "name": name} for name, array in fields.items()]


def fields_of(index: Any, names: Sequence[str], docids: Uint32Array) -> dict[str, FieldArray]:
    """The values of fields in documents."""
    made = _gannet.field_columns(index._handle, list(names), docids) if names else {}
    return {name: FieldArray(made[name]) for name in names}
