"""Keyword arguments, as the extension module takes them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from gannet import _gannet
from gannet._arguments import whole
from gannet._gannet import UsageError
from gannet._types import PathLike, SchemaLike


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


#: Of a build, with the values of what :class:`Writer` has no argument for.
_BUILD: dict[str, Any] = {
    **dict.fromkeys(("store", "positions", "codec", "freq_codec", "threads")),
    **dict.fromkeys(("tokenizer", "stemmer")),
    **dict.fromkeys(("stop_words", "keep_case", "fold_accents", "k1", "b")),
    "header": False,
    "id_field": "",
    "encoding": "",
    "page_ids": "auto",
    "impact_bits": 8,
    "on_error": "stop",
    "overwrite": False,
}


def build_options(arguments: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """Of a function's arguments, as `locals()` has them."""
    given = {**_BUILD, "columns": None, "namespaces": (0,), **arguments, **more}
    names = _names(given["fields"])
    if given["fields"] is not None and not any(names):
        raise UsageError("fields names no field")
    return {
        **{name: given[name] for name in _BUILD},
        "stop_words": _stop_words(given["stop_words"]),
        **schema_options(given["schema"]),
        "fields": names,
        "columns": _names(given["columns"]),
        "rows": _paths(given.get("rows")),
        "namespaces": [whole("namespaces", n, -(2**31), 2**31 - 1) for n in given["namespaces"]],
        "memory": str(given["memory"]),
    }


def _stop_words(value: str | os.PathLike[str] | Iterable[str]) -> str | list[str]:
    """The name of a list or of a file; or words, sorted as the index has them."""
    return os.fspath(value) if isinstance(value, (str, os.PathLike)) else sorted(set(value))


def _paths(value: PathLike | Sequence[PathLike] | None) -> list[str]:
    """Paths, or one."""
    if value is None or isinstance(value, (str, os.PathLike)):
        return [] if value is None else [os.fspath(value)]
    return [os.fspath(path) for path in value]


def _texts(value: str | Sequence[str] | None) -> list[str]:
    return [text.strip() for text in _names(value)]


def _names(value: str | Sequence[str] | None) -> list[str]:
    """Names as they are, or those of one text with commas between them."""
    if isinstance(value, str):
        return [name.strip() for name in value.split(",")]
    return list(value or [])


#: Of a search, the values of what functions have no argument for.
_SEARCH = {
    "exhaustive": False,
    "want": "hits",
    "distinct": True,
    "total": False,
    "max_expansions": 1024,
    "fuzzy_prefix": 0,
}


def _parameters(value: str | Mapping[str, Any] | None) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return ",".join(f"{name}={number}" for name, number in value.items())


def open_options(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Of a function's arguments, as `locals()` has them."""
    names = ("backend", "device", "spread", "device_budget", "device_memory", "threads")
    limits = ("bounds_bits", "candidate_filters")
    devices = arguments["devices"]
    return {
        **{name: arguments[name] for name in (*names, *limits)},
        "devices": None if devices is None else list(devices),
    }


#: Of a call that runs as a coroutine: what ends it when that is cancelled.
STOP: ContextVar[_gannet.Stop | None] = ContextVar("STOP", default=None)


def search_options(arguments: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """Of a function's arguments, as `locals()` has them."""
    given = {**_SEARCH, **arguments, **more}
    texts = ("scorer", "filter", "search_fields", "expand", "group")
    plain = (
        *("k", "mode", "operators", "exhaustive", "want", "distinct", "total"),
        *("max_expansions", "fuzzy_prefix"),
    )
    return {
        **{name: given[name] for name in plain},
        **{name: given.get(name) or "" for name in texts},
        **{name: _parameters(given.get(name)) for name in ("scorer_params", "expand_params")},
        **{name: _texts(given.get(name)) for name in ("facets", "histograms", "stats")},
        "sort": ",".join(_texts(given.get("sort"))),
        **{name: given.get(name) for name in ("timeout", "offset", "after")},
        "stop": STOP.get(),
    }
