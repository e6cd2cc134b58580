"""Keyword arguments, as the extension module takes them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gannet._gannet import UsageError
from gannet._types import SchemaLike


def schema_options(schema: SchemaLike | None) -> dict[str, Any]:
    """Fields as texts of `gannet index --field`, or as the JSON of --schema."""
    if schema is None:
        return {"schema_fields": [], "schema_json": ""}
    if isinstance(schema, (str, os.PathLike)):
        return {"schema_fields": [], "schema_json": Path(schema).read_text(encoding="utf-8")}
    if isinstance(schema, Mapping):
        if all(isinstance(value, str) for value in schema.values()):
            return {
                "schema_fields": [f"{name}:{kind}" for name, kind in schema.items()],
                "schema_json": "",
            }
        fields = [_field(name, value) for name, value in schema.items()]
        return {"schema_fields": [], "schema_json": json.dumps(fields)}
    if all(isinstance(field, str) for field in schema):
        return {"schema_fields": list(schema), "schema_json": ""}
    if not all(isinstance(field, Mapping) for field in schema):
        raise UsageError(
            "schema: a list holds texts such as 'year:i32', or dicts with 'name' and 'type'"
        )
    return {"schema_fields": [], "schema_json": json.dumps(list(schema), default=dict)}


def _field(name: str, value: str | Mapping[str, Any]) -> dict[str, Any]:
    """A member of --schema."""
    if isinstance(value, str):
        kind, *more = value.split(":")
        if more:
            raise UsageError(
                f"schema: '{name}': '{value}' beside dicts; write options as a dict too"
            )
        return {"name": name, "type": kind}
    return {"name": name, **value}


def build_options(
    *,
    memory: str | int,
    fields: Sequence[str] | str | None,
    columns: Sequence[str] | str | None,
    schema: SchemaLike | None,
    **options: Any,
) -> dict[str, Any]:
    names = _names(fields)
    if fields is not None and not any(names):
        raise UsageError("fields names no field")
    return {
        **options,
        **schema_options(schema),
        "fields": names,
        "columns": _names(columns),
        "memory": str(memory),
    }


def _texts(value: str | Sequence[str] | None) -> list[str]:
    return [text.strip() for text in _names(value)]


def _names(value: str | Sequence[str] | None) -> list[str]:
    """Names as they are, or those of one text with commas between them."""
    if isinstance(value, str):
        return [name.strip() for name in value.split(",")]
    return list(value or [])


def _parameters(value: str | Mapping[str, Any] | None) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return ",".join(f"{name}={number}" for name, number in value.items())


def search_options(
    *,
    k: int,
    mode: str = "or",
    scorer: str | None = None,
    scorer_params: str | Mapping[str, Any] | None = None,
    filter: str | None = None,
    operators: bool = True,
    expand: str | None = None,
    expand_params: str | Mapping[str, Any] | None = None,
    exhaustive: bool = False,
    timeout: float | None = None,
    want: str = "hits",
    sort: str | Sequence[str] | None = None,
    facets: str | Sequence[str] | None = None,
    histograms: str | Sequence[str] | None = None,
    stats: str | Sequence[str] | None = None,
    group: str | None = None,
) -> dict[str, Any]:
    return {
        "k": k,
        "mode": mode,
        "scorer": scorer or "",
        "scorer_params": _parameters(scorer_params),
        "filter": filter or "",
        "operators": operators,
        "expand": expand or "",
        "expand_params": _parameters(expand_params),
        "exhaustive": exhaustive,
        "timeout": timeout,
        "want": want,
        "sort": ",".join(_texts(sort)),
        "facets": _texts(facets),
        "histograms": _texts(histograms),
        "stats": _texts(stats),
        "group": group or "",
    }
