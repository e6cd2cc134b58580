"""Arguments of wrong types: public functions name the argument, what it takes and what came."""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gannet
import numpy as np
import pytest
from gannet import _arguments

#: What only speaks of the package's inside.
INSIDE = re.compile(
    r"incompatible function arguments|bad_cast|nanobind|_gannet|std::|Handle|unable to convert",
    re.I,
)
#: Made by the package, not by users: their methods are called, their constructors are not.
MADE = {"BatchGroups", "BatchHits", "Column", "Counts", "FieldArray", "Group", "Hit", "Hits", "Run"}
MADE |= {"Actor", "Batch", "CodecInfo", "Completion", "CorrectedWord", "Correction"}
MADE |= {"DeviceArray", "Facets", "Field", "Term"}
#: What takes long, or memory, or a GPU, where its arguments are right.
NOT_RUN = {"bench.decode", "bench.plot", "BatchHits.padded", "Run.padded"}


class Strange:
    """Nothing that anybody takes."""

    def __repr__(self) -> str:
        return "strange"


def members(name: str, cls: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    for member, of in inspect.getmembers(cls, inspect.isroutine):
        if not member.startswith("_") and str(getattr(of, "__module__", "")).startswith("gannet"):
            yield f"{name}.{member}", getattr(cls, member)


def public() -> Iterator[tuple[str, Callable[..., Any]]]:
    """All public functions, methods and classes that users make, by their names."""
    modules = [("", gannet), ("gpu.", gannet.gpu), ("bench.", gannet.bench)]
    for name, needs in (("datasets", "ir_datasets"), ("ray", "ray")):
        try:
            __import__(needs)
        except ImportError:
            continue
        modules.append((f"{name}.", __import__(f"gannet.{name}", fromlist=["x"])))
    for prefix, module in modules:
        for name in module.__all__:
            one = getattr(module, name)
            if inspect.isclass(one) and not issubclass(one, BaseException):
                if name not in MADE:
                    yield f"{prefix}{name}", one
                yield from members(f"{prefix}{name}", one)
            elif inspect.isfunction(one):
                yield f"{prefix}{name}", one


PUBLIC = dict(public())


def described(function: Callable[..., Any]) -> Callable[..., Any]:
    """What has the annotations."""
    if inspect.isclass(function):
        function = function.__init__  # type: ignore[misc]
    return inspect.unwrap(getattr(function, "__func__", function))


def kinds(function: Callable[..., Any]) -> dict[str, Any]:
    found = dict(_arguments.kinds_of(described(function)))
    found.pop("self", None)
    found.pop("cls", None)
    return {name: kind for name, kind in found.items() if kind is not None}


def accepts(kind: Any, value: Any) -> bool:
    try:
        kind.fit(value)
    except (_arguments._Misfit, UnicodeEncodeError):
        return False
    return True


def test_everything_public_is_checked() -> None:
    assert len(PUBLIC) > 70
    for name, function in PUBLIC.items():
        parameters = inspect.signature(described(function)).parameters
        if set(parameters) - {"self", "cls"}:
            made: Any = function.__init__ if inspect.isclass(function) else function  # type: ignore[misc]
            made = getattr(made, "__func__", made)
            assert hasattr(made, "__wrapped__"), (
                f"{name}: neither @checked nor of a @checking class"
            )


#: What may stand for required arguments of any function, by their names.
def samples(index: gannet.Index, tmp_path: Path) -> dict[str, Any]:
    values = gannet.encode(np.arange(10, dtype=np.int32), "gpu-for")
    return {
        **dict.fromkeys(("path", "output"), tmp_path / "some"),
        **dict.fromkeys(("query", "text", "term", "prefix"), "sun"),
        **dict.fromkeys(("array", "values"), np.arange(10, dtype=np.int32)),
        "id": "sun",
        "docid": 0,
        "docids": [0],
        "fields": ["year"],
        "field": "year",
        "queries": ["sun"],
        "topics": {"1": "sun"},
        "qrels": {"1": {"sun": 1}},
        "run": {"1": {"sun": 1.0}},
        "documents": ["a sun"],
        "document": ("z", "a sun"),
        "files": tmp_path / "no.parquet",
        "data": values,
        "order": "id",
        "codec": "gpu-for",
        "shards": 2,
        "index": index,
        "format": "ciff",
        "columns": [],
        "column": gannet.gpu.Column(None),  # type: ignore[arg-type]
        "frame": None,
        "table": None,
        "source": "nothing-of-this-name",
        "inputs": tmp_path / "no.jsonl",
    }


def instance(name: str, index: gannet.Index, tmp_path: Path) -> Any:
    """An object that has the method."""
    if name == "Writer":
        return gannet.Writer(tmp_path / "written")
    made: dict[str, Callable[[], Any]] = {
        "Index": lambda: index,
        "Hits": lambda: index.search("sun"),
        "Hit": lambda: index.search("sun")[0],
        "BatchHits": lambda: index.search_batch(["sun"]),
        "Run": lambda: index.run({"1": "sun"}),
        "FieldArray": lambda: index.search_batch(["sun"], fields="year").fields["year"],
        "Column": lambda: gannet.Column(
            gannet._codecs._gannet.ColumnHandle(gannet.encode(np.arange(3)))
        ),
    }
    return made[name]() if name in made else None


def called(function: Callable[..., Any], arguments: dict[str, Any]) -> BaseException | None:
    try:
        made = function(**arguments)
        if inspect.iscoroutine(made):
            asyncio.run(made)
        elif isinstance(made, gannet.Writer):
            made.close()
    except Exception as error:  # noqa: BLE001 - all of them are looked at
        return error
    return None


WRONG: list[Any] = [4, 1.5, None, b"bytes", ["a", 4], {"a": "b"}, "\udc80", Strange(), True]
WRONG += [-1, 2**31, 2**70, [2**70], "no such text", ("a", "b", "c"), {4: {4: "x"}}]


@pytest.mark.parametrize("name", PUBLIC)
def test_wrong_types(
    name: str, index: gannet.Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # some of these are paths
    function, owner = PUBLIC[name], name.rpartition(".")[0]
    is_method = "self" in inspect.signature(described(function)).parameters
    taken = kinds(function)
    parameters = inspect.signature(described(function)).parameters
    given = samples(index, tmp_path)
    required = [
        one.name
        for one in parameters.values()
        if one.default is inspect.Parameter.empty
        and one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)
        and one.name not in ("self", "cls")
    ]
    own = instance(owner, index, tmp_path) if is_method and not inspect.isclass(function) else None
    bare = is_method and own is None and not inspect.isclass(function)  # an object of a GPU, of Ray
    for parameter in [one for one in parameters if one not in ("self", "cls", "options")]:
        for wrong in [*WRONG, index, gannet.codecs()[0]]:
            fits = parameter not in taken or accepts(taken[parameter], wrong)
            if fits and (bare or name in NOT_RUN or name.startswith(("gpu.", "ray."))):
                continue
            arguments = {one: given[one] for one in required}
            arguments[parameter] = wrong
            bound = getattr(own, name.rpartition(".")[2]) if own is not None else function
            if bare:
                arguments["self"] = None
            error = called(bound, arguments)
            what = f"{name}({parameter}={wrong!r}): {type(error).__name__}: {error}"
            if not fits:
                surrogates = isinstance(error, gannet.UsageError) and wrong == "\udc80"
                assert surrogates or isinstance(error, TypeError), what
                assert re.search(rf"\b{parameter}\b", str(error)), what
                assert surrogates or " takes " in str(error), what
            if error is not None:
                assert not INSIDE.search(str(error)), what
                assert not isinstance(error, (RuntimeError, SystemError)), what
    if isinstance(own, gannet.Writer):
        own.close()


def test_messages_say_what_to_do(index: gannet.Index) -> None:
    asked: list[tuple[Callable[[], Any], str]] = [
        (
            lambda: index.search(["sun"]),  # type: ignore[arg-type]
            "search(): query takes str, not list: ['sun']; search_batch() takes several queries",
        ),
        (lambda: index.search(None), "search(): query takes str, not None"),  # type: ignore[arg-type]
        (
            lambda: index.search("sun", k="10"),  # type: ignore[arg-type]
            "search(): k takes int, not str: '10'",
        ),
        (
            lambda: index.document(4),  # type: ignore[arg-type]
            "document(): id takes str, not int: 4; ids_of([docid]) gives the id of a docid",
        ),
        (
            lambda: index.text("sun"),  # type: ignore[arg-type]
            "text(): docid takes int, not str: 'sun'; find(id) gives the docid of an id",
        ),
        (
            lambda: gannet.evaluate(index.run({"1": "sun"}), {"1": {"sun": 1}}),  # type: ignore[arg-type, dict-item]
            "evaluate(): qrels takes str, os.PathLike or {...: {str: int}}, not gannet.Run; the "
            "judgements come first, then the run",
        ),
        (
            lambda: gannet.evaluate({"1": {"sun": 0.5}}, {"1": {"sun": 1}}),  # type: ignore[dict-item]
            "evaluate(): qrels['1']['sun'] takes int, not float: 0.5; the judgements come first, then "
            "the run",
        ),
        (
            lambda: gannet.delete("idx", [4]),  # type: ignore[list-item]
            "delete(): ids[0] takes str, not int: 4",
        ),
        (
            lambda: index.search_batch(["sun", 4]),  # type: ignore[list-item]
            "search_batch(): queries[1] takes str or {str: number}, not int: 4",
        ),
        (
            lambda: gannet.Index.build(["a"], b"idx"),  # type: ignore[arg-type]
            "build(): path takes str or os.PathLike, not bytes: b'idx'",
        ),
        (lambda: index.run(7), "topics takes a file, a dict, a table"),
        (lambda: index.run({"1": 7}), "topics: the query of '1' is a str or a mapping"),
    ]
    for call, message in asked:
        with pytest.raises(TypeError, match=re.escape(message)):
            call()


def test_a_users_own_type_errors_are_his(index: gannet.Index) -> None:
    def broken() -> Iterator[str]:
        yield "sun"
        raise TypeError("mine")

    with pytest.raises(TypeError, match="^mine$"):
        index.search_batch(broken())


def test_what_has_an_index_is_an_int_and_arrays_are_sequences(index: gannet.Index) -> None:
    assert index.text(np.int64(0)) == index.text(0)  # type: ignore[arg-type]
    assert index.field_values(np.array(["year"]), [0]) == index.field_values(["year"], [0])  # type: ignore[arg-type]
    assert index.search("sun", total=np.bool_(True)).total == 2  # type: ignore[arg-type]
