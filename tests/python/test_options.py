"""Keyword arguments are the rows of the table of options (tools/options/table)."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gannet
import pytest
from gannet import _gannet

TAKERS: list[tuple[str, Callable[..., Any]]] = [
    ("open", gannet.Index),
    ("open", gannet.Index.open),
    ("search", gannet.Index.search),
    ("count", gannet.Index.count),
    ("count", gannet.Index.matches),
    ("search_batch", gannet.Index.search_batch),
    ("run", gannet.Index.run),
    ("build", gannet.Index.build),
    ("Writer", gannet.Writer),
    ("merge", gannet.merge),
    ("add", gannet.add),
    ("delete", gannet.delete),
]
#: Arguments that are no options, or that say by their own form what an option says.
OWN = {"self", "query", "queries", "topics", "documents", "path", "format", "progress", "backend"}
#: `gannet search` reads operators; `run` takes plain words (0069).
OTHER_DEFAULTS = {(taker, "operators") for taker in ("search", "search_batch", "count")}
OTHER_ARGUMENTS = {
    ("Writer", "merge_tier"),
    ("run", "encoding"),
    ("run", "on_error"),
    *((taker, "distinct") for taker in ("search", "search_batch", "run")),  # --no-distinct
    ("build", "rows"),
    *((taker, "positions") for taker in ("build", "Writer")),  # --no-positions
    *((taker, "namespaces") for taker in ("build", "add")),
    *(("add", name) for name in ("update", "merge")),
    ("merge", "tiers"),
    *(("delete", name) for name in ("ids", "dry_run")),
}


def default_of(row: dict[str, str]) -> Any:
    """What Python has where the option is not given."""
    text, kind = row["default"], row["type"]
    if kind == "flag":
        return False
    if kind == "integer":
        return int(text) if text else None
    if kind == "number":
        return float(text) if text else None
    return text or None


@pytest.mark.parametrize(("taker", "function"), TAKERS)
def test_arguments_are_rows(taker: str, function: Callable[..., Any]) -> None:
    parameters = inspect.signature(function).parameters
    rows = _gannet.option_rows(taker)
    for name, row in rows.items():
        assert name in parameters, f"{taker}: {name}"
        if (taker, name) not in OTHER_DEFAULTS:
            given = parameters[name].default
            wanted = default_of(row)
            if row["type"] in ("flag", "integer", "number"):
                assert (given, type(given)) == (wanted, type(wanted)), f"{taker}: {name}"
            else:
                assert (given or None) == wanted, f"{taker}: {name}"
        assert row["sentence"], name
    others = set(parameters) - set(rows) - OWN
    assert others <= {name for where, name in OTHER_ARGUMENTS if where == taker}


@pytest.mark.parametrize(
    ("taker", "options", "message"),
    [
        ("search", {"k": -1}, "k: '-1' is no whole number from 0 to 4294967295"),
        ("search", {"mode": "adn"}, r"mode: 'adn' is none of or, and \(did you mean 'and'\?\)"),
        ("search", {"scorer": "bm52"}, r"scorer: 'bm52' is none of .*\(did you mean 'bm25'\?\)"),
        ("search", {"expand": "rm33"}, r"expand: .*\(did you mean 'rm3'\?\)"),
        ("search", {"timeout": -1}, "timeout: '-1' is no number from 0 on"),
        ("search", {"timeout": math.nan}, "timeout: 'nan' is no number from 0 on"),
        ("open", {"backend": "cdua"}, r"backend: 'cdua' .*\(did you mean 'cuda'\?\)"),
        ("open", {"threads": -1}, "threads: '-1' is no whole number from 0"),
        ("open", {"bounds_bits": 2000}, "bounds_bits: '2000' is no number from 0 to 1024"),
        ("open", {"candidate_filters": 3}, "candidate_filters: '3' is no number from 0 to 2"),
        ("build", {"codec": "gpu-bp12"}, r"codec: .*\(did you mean 'gpu-bp128'\?\)"),
        ("build", {"stemmer": "englsh"}, r"stemmer: .*\(did you mean 'english'\?\)"),
        ("build", {"on_error": "skpi"}, r"on_error: .*\(did you mean 'skip'\?\)"),
        ("build", {"impact_bits": 17}, "impact_bits: '17' is no whole number from 1 to 16"),
        ("build", {"b": 1.5}, "b: '1.5' is no number from 0 to 1"),
        ("build", {"memory": "2X"}, "memory: '2X' is not a size"),
    ],
)
def test_values_are_those_of_the_rows(
    index: gannet.Index, tmp_path: Path, taker: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(gannet.UsageError, match=message):
        if taker == "search":
            index.search("sun", **options)
        elif taker == "open":
            gannet.open(index.path, **options)
        else:
            gannet.Index.build(["sun"], tmp_path / "idx", **options)
    assert not (tmp_path / "idx").exists()


def test_values_without_an_end_are_numbers(index: gannet.Index) -> None:
    assert index.search("sun", timeout=math.inf).ids == index.search("sun").ids


def test_an_argument_that_there_is_not_names_the_nearest(index: gannet.Index) -> None:
    with pytest.raises(TypeError, match=r"search\(\) has no argument 'scoer' .*'scorer'"):
        index.search("sun", scoer="bm25")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"run\(\) has no argument 'operator' .*'operators'"):
        index.run({"1": "sun"}, operator=True)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"plan\(\) has no argument 'modes' .*'mode'"):
        index.plan("sun", modes="and")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"open\(\) has no argument 'qqqqqq'$"):
        gannet.open("nowhere", qqqqqq=1)  # type: ignore[call-arg]


def test_texts_without_utf_8_are_refused(index: gannet.Index) -> None:
    for name in ("filter", "mode", "scorer", "scorer_params"):
        with pytest.raises(gannet.UsageError, match=f"{name}: a text has surrogates"):
            index.search("sun", **{name: "\udc80"})  # type: ignore[arg-type]


def test_whole_numbers_are_what_has_an_index(index: gannet.Index) -> None:
    numpy = pytest.importorskip("numpy")
    assert index.search("sun", k=numpy.int64(1)).ids == index.search("sun", k=True).ids
