"""Arguments of public functions: their names and types, before anything is done with them."""

from __future__ import annotations

import collections.abc
import difflib
import functools
import inspect
import operator
import os
import reprlib
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, ParamSpec, TypeVar, Union, get_args, get_origin

import numpy as np

from gannet import _gannet
from gannet._gannet import UsageError

_P = ParamSpec("_P")
_R = TypeVar("_R")
_C = TypeVar("_C", bound=type)
_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)

#: What may have been meant, by function and argument, where one of these types came.
_MEANT: dict[tuple[str, str], tuple[tuple[type, ...], str]] = {
    ("search", "query"): ((list, tuple, np.ndarray), "search_batch() takes several queries"),
    ("evaluate", "qrels"): ((object,), "the judgements come first, then the run"),
    ("explain", "id"): ((int,), "ids_of([docid]) gives the id of a docid"),
    ("document", "id"): ((int,), "ids_of([docid]) gives the id of a docid"),
    ("text", "docid"): ((str,), "find(id) gives the docid of an id"),
    ("build", "inputs"): (
        (object,),
        "tasks read files by themselves; documents that this program makes go into an index by "
        "gannet.Index.build(), and gannet.ray.shard() cuts that",
    ),
    ("decode", "column"): ((object,), "gannet.gpu.upload() makes one of encoded bytes"),
}


class _Misfit(Exception):
    """A value that is none of what is taken: where it is, below the argument."""

    def __init__(self, said: str, value: Any, where: str = "") -> None:
        super().__init__(said)
        self.said, self.value, self.where = said, value, where


class _Kind(NamedTuple):
    """What is taken: in words, and what gives the value to go on with, or raises _Misfit."""

    said: str
    fit: Callable[[Any], Any]


def checked(taker: str = "") -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Has a function's arguments checked before all else. A TypeError for a name that there is not
    names the nearest one; one for a value of another type than the annotation's names the argument,
    what it takes, and what came. What is annotated as a sequence or iterable of something arrives
    as a list. With `taker`, values are also what the table of options (tools/options/table) allows
    there: UsageError."""

    def decorate(function: Callable[_P, _R]) -> Callable[_P, _R]:
        parameters = inspect.signature(function).parameters
        open_ended = any(one.kind in _VARIADIC for one in parameters.values())
        called = function.__name__
        if called == "__init__":
            called = taker or function.__qualname__.partition(".")[0]

        @functools.wraps(function)
        def call(*args: _P.args, **options: _P.kwargs) -> _R:
            kinds = kinds_of(function)  # at the first call, when all that annotations name is there
            placed: Any = list(args)
            for i, (name, kind) in zip(range(len(placed)), kinds.items()):
                if kind is not None:
                    placed[i] = _fitted(called, name, kind, placed[i])
            named: Any = options
            for name, value in options.items():
                if name not in kinds and not open_ended:
                    raise _no_argument(called, name, kinds)
                kind = kinds.get(name)
                if kind is not None:
                    named[name] = _fitted(called, name, kind, value)
            if taker:
                _gannet.check_options(taker, named)
            taking: Callable[..., _R] = function
            return taking(*placed, **named)

        return call

    return decorate


def checking(cls: _C) -> _C:
    """Has the arguments of a class's public methods checked, of those that are not yet."""
    for name, member in list(vars(cls).items()):
        function = member.__func__ if isinstance(member, classmethod) else member
        if (
            not name.startswith("_")
            and inspect.isfunction(function)
            and not hasattr(function, "__wrapped__")
            and len(inspect.signature(function).parameters) > 1
        ):
            made: Any = checked()(function)
            setattr(cls, name, classmethod(made) if isinstance(member, classmethod) else made)
    return cls


@functools.cache
def kinds_of(function: Callable[..., Any]) -> dict[str, _Kind | None]:
    """What each parameter takes, by its annotation, in their order; None: anything."""
    kinds: dict[str, _Kind | None] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        hint = parameter.annotation
        if parameter.kind in _VARIADIC or hint is inspect.Parameter.empty:
            kinds[name] = None
            continue
        if isinstance(hint, str):
            hint = eval(hint, function.__globals__)  # noqa: S307 - the package's own annotation
        kinds[name] = None if _is_any(hint) else _kind(hint)
    return kinds


def whole(name: str, value: int, least: int, most: int) -> int:
    """A whole number within a range that no row of the table of options has."""
    if not least <= value <= most:
        raise UsageError(f"{name}: '{value}' is no whole number from {least} to {most}")
    return value


def _no_argument(function: str, name: str, names: Iterable[str]) -> TypeError:
    near = difflib.get_close_matches(name, sorted(names), 1)
    hint = f" (did you mean '{near[0]}'?)" if near else ""
    return TypeError(f"{function}() has no argument '{name}'{hint}")


def path_of(name: str, path: str | os.PathLike[str]) -> str:
    """A path, of an argument that may also be something else."""
    text = os.fspath(path)
    if not isinstance(text, str):
        raise TypeError(f"{name} takes paths of str, not of {type(text).__name__}")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UsageError(f"{name}: a path has surrogates, which are no characters") from None
    return text


def _fitted(function: str, name: str, kind: _Kind, value: Any) -> Any:
    try:
        return kind.fit(value)
    except _Misfit as misfit:
        message = (
            f"{function}(): {name}{misfit.where} takes {misfit.said}, not {_shown(misfit.value)}"
        )
        given, meant = _MEANT.get((function, name), ((), ""))
        if isinstance(misfit.value, given):
            message += f"; {meant}"
        raise TypeError(message) from None
    except UnicodeEncodeError:
        raise UsageError(f"{name}: a text has surrogates, which are no characters") from None


def _shown(value: Any) -> str:
    """A value in a message: its type and, if that is short, what it is."""
    if value is None:
        return "None"
    name = _name_of(type(value))
    plain = (bool, int, float, str, bytes, list, tuple, dict, set)
    return f"{name}: {reprlib.repr(value)}" if isinstance(value, plain) else name


def _name_of(cls: type) -> str:
    """Where users find a class of this package; of others, their names."""
    package, _, module = cls.__module__.partition(".")
    if package != "gannet":
        return cls.__name__
    return (
        f"gannet.{cls.__name__}" if module.startswith("_") else f"{cls.__module__}.{cls.__name__}"
    )


def _is_any(hint: Any) -> bool:
    return hint is Any or isinstance(hint, TypeVar) or Any in get_args(hint) and _is_union(hint)


def _is_union(hint: Any) -> bool:
    return get_origin(hint) in (Union, types.UnionType)


def _kind(hint: Any) -> _Kind:
    origin, args = get_origin(hint) or hint, get_args(hint)
    if _is_any(hint):
        return _Kind("...", lambda value: value)
    if _is_union(hint):
        return _union([_kind(arg) for arg in args])
    if hint in _SCALARS:
        return _SCALARS[hint]
    if origin is os.PathLike:
        return _Kind("os.PathLike", _path)
    if origin is tuple:
        return _tuple([_kind(arg) for arg in args])
    if origin in (collections.abc.Sequence, collections.abc.Iterable, list):
        return _elements("sequence" if origin is collections.abc.Sequence else "iterable", args[0])
    if origin in (collections.abc.Mapping, dict):
        return _mapping(*args)
    if origin is collections.abc.Callable:
        return _only("callable", callable)
    if inspect.isclass(origin):
        return _only(_name_of(origin), lambda value: isinstance(value, origin))
    raise TypeError(f"no argument is checked by the annotation {hint}")


def _only(said: str, is_one: Callable[[Any], bool]) -> _Kind:
    def fit(value: Any) -> Any:
        if not is_one(value):
            raise _Misfit(said, value)
        return value

    return _Kind(said, fit)


def _text(value: Any) -> Any:
    if not isinstance(value, str):
        raise _Misfit("str", value)
    if not value.isascii():
        value.encode()
    return value


def _whole(value: Any) -> Any:
    try:
        return operator.index(value)
    except TypeError:
        raise _Misfit("int", value) from None


def _number(value: Any) -> Any:
    if isinstance(value, (int, float)):
        return value
    try:
        if not isinstance(value, (str, bytes, bytearray)):
            return float(value)
    except (TypeError, ValueError):
        pass
    raise _Misfit("number", value)


def _truth(value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise _Misfit("bool", value)
    return bool(value)


def _path(value: Any) -> Any:
    if not isinstance(value, os.PathLike) or not isinstance(os.fspath(value), str):
        raise _Misfit("os.PathLike", value)
    os.fspath(value).encode()
    return value


_SCALARS = {
    str: _Kind("str", _text),
    int: _Kind("int", _whole),
    float: _Kind("number", _number),
    bool: _Kind("bool", _truth),
    type(None): _only("None", lambda value: value is None),
}


def _union(kinds: Sequence[_Kind]) -> _Kind:
    *most, last = [kind.said for kind in kinds]
    said = f"{', '.join(most)} or {last}"

    def fit(value: Any) -> Any:
        inside = None
        for kind in kinds:
            try:
                return kind.fit(value)
            except _Misfit as misfit:
                inside = misfit if misfit.where else inside
        raise inside or _Misfit(said, value)

    return _Kind(said, fit)


def _one(kind: _Kind) -> str:
    return f"({kind.said})" if " or " in kind.said else kind.said


def _tuple(kinds: Sequence[_Kind]) -> _Kind:
    said = f"({', '.join(kind.said for kind in kinds)})"

    def fit(value: Any) -> Any:
        if not isinstance(value, (tuple, list)) or len(value) != len(kinds):
            raise _Misfit(said, value)
        return tuple(_below(f"[{i}]", kind, one) for i, (kind, one) in enumerate(zip(kinds, value)))

    return _Kind(said, fit)


def _below(where: str, kind: _Kind, value: Any) -> Any:
    try:
        return kind.fit(value)
    except _Misfit as misfit:
        misfit.where = where + misfit.where
        raise


def _elements(name: str, of: Any) -> _Kind:
    """A list of what an iterable has, also of arrays and columns of other libraries; of anything,
    the iterable itself."""
    kind = _kind(of)
    said = name if _is_any(of) else f"{name} of {_one(kind)}"

    def fit(value: Any) -> Any:
        if isinstance(value, (str, bytes, bytearray, Mapping)) or hasattr(value, "columns"):
            raise _Misfit(said, value)  # a table's elements would be its names
        if _is_any(of) and isinstance(value, Iterable):
            return value
        for convert in ("to_pylist", "tolist"):  # of Arrow, of NumPy and pandas
            if hasattr(value, convert):
                value = getattr(value, convert)()
                break
        try:
            elements = list(value)
        except TypeError:
            if isinstance(value, Iterable):
                raise  # of the user's own
            raise _Misfit(said, value) from None
        return [_below(f"[{i}]", kind, one) for i, one in enumerate(elements)]

    return _Kind(said, fit)


def _mapping(keys: Any, values: Any) -> _Kind:
    """A dict of what a mapping has; of anything, the mapping itself."""
    key, value = _kind(keys), _kind(values)
    anything = _is_any(keys) and _is_any(values)
    said = "mapping" if anything else f"{{{key.said}: {_one(value)}}}"

    def fit(given: Any) -> Any:
        if not isinstance(given, Mapping):
            raise _Misfit(said, given)
        if anything:
            return given
        made = {}
        for name, one in given.items():
            made[_below(", a key,", key, name)] = _below(f"[{name!r}]", value, one)
        return made

    return _Kind(said, fit)
