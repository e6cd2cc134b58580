"""Python can do what the command can, and the other way round: tools/docs/parity.json names for
each option the argument, and explains what the other side lacks."""

from __future__ import annotations

import fnmatch
import importlib
import inspect
import json
import subprocess
import sys
from functools import cache
from typing import Any

import gannet
import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "tools" / "docs" / "generate"))

import parity  # noqa: E402

TABLE = parity.read(ROOT)
#: Modules, and what must be there for them to be looked into.
MODULES = {"bench": "", "gpu": "", "datasets": "ir_datasets", "pt": "pyterrier", "ray": "ray"}


def options_of(command: str) -> dict[str, set[str]]:
    """What `gannet help` says there is: the options of all commands that have some."""

    def told(*words: str) -> Any:
        run = subprocess.run(
            [command, "help", *words, "--json"], capture_output=True, text=True, check=True
        )
        return json.loads(run.stdout)

    names = [one["name"] for one in told()["commands"]]
    parts = {name.rpartition(" ")[0] for name in names}
    return {
        name: {option["name"] for option in told(*name.split())["options"]}
        for name in names
        if name not in parts
    }


def members(prefix: str, of: Any) -> dict[str, Any]:
    """The public names below a module or a class, and what they are."""
    found: dict[str, Any] = {}
    if inspect.ismodule(of):
        names = of.__all__
    else:
        names = [name for name in dir(of) if not name.startswith("_")]
    for name in names:
        one = getattr(of, name, None)
        full = f"{prefix}{name}"
        if inspect.isclass(one) and issubclass(one, BaseException):
            continue  # what exit codes are for the command
        found[full] = one
        if inspect.isclass(one):
            found.update(members(f"{full}.", one))
    return found


@cache
def public() -> dict[str, Any]:
    found = {
        name: one for name, one in members("", gannet).items() if name.split(".")[0] not in MODULES
    }
    for name, needs in MODULES.items():
        try:
            if needs:
                importlib.import_module(needs)
        except ImportError:
            continue
        found.update(members(f"{name}.", importlib.import_module(f"gannet.{name}")))
    return found


def arguments(of: Any) -> set[str]:
    """Of a function, or of what makes an object."""
    if not callable(of):
        return set()
    try:
        names = set(inspect.signature(of).parameters)
    except (TypeError, ValueError):
        return set()
    return names - {"self", "cls", "args"}


def is_there(name: str) -> bool:
    """Whether "Index.search(k)" is: the function, and its argument. Of what a package lacks here,
    nobody can tell."""
    function, _, argument = name.rstrip(")").partition("(")
    module = function.split(".")[0]
    if module in MODULES and not any(key.startswith(f"{module}.") for key in public()):
        return True
    if function in ("__version__", "Hit.text"):
        return not argument
    return function in public() and (not argument or argument in arguments(public()[function]))


def explained(name: str) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in TABLE.python)


def named() -> set[str]:
    rows = [row for rows in TABLE.commands.values() for row in rows.values()]
    return {name for row in [*rows, *TABLE.every.values()] for name in row.names}


def holes_of_the_command(options: dict[str, set[str]]) -> list[str]:
    return [
        f"{name} --{option}"
        for name, own in options.items()
        for option in sorted(own)
        if TABLE.row(name, option) is None
    ]


def holes_of_python() -> list[str]:
    """Public functions and arguments that no row names and no reason explains."""
    names = named()
    functions = {name.partition("(")[0] for name in names}
    alike = {other: first for first, others in TABLE.alike.items() for other in others}
    holes = []
    for name, one in public().items():
        known = name in functions or name in alike or explained(name)
        if not known and not any(function.startswith(f"{name}.") for function in functions):
            holes.append(name)
        for argument in arguments(one):
            asked = [f"{name}({argument})"]
            if name in alike:
                asked.append(f"{alike[name]}({argument})")
            if alike.get(name) == "Index.search":
                asked.append(f"Index.run({argument})")
            if (
                not any(full in names or explained(full) for full in asked)
                and name not in TABLE.python
            ):
                holes.append(asked[0])
    return holes


def test_every_option_has_a_row(command: str) -> None:
    options = options_of(command)
    assert len(options) > 20
    assert holes_of_the_command(options) == []


def test_every_row_has_an_option(command: str) -> None:
    options = options_of(command)
    rows = {(name, option) for name, own in TABLE.commands.items() for option in own}
    stale = [
        f"{name} --{option}"
        for name, option in sorted(rows)
        if name not in options or (option not in ("", "*") and option not in options[name])
    ]
    assert stale == []
    assert all(any(option in own for own in options.values()) for option in TABLE.every)
    assert set(TABLE.commands) == set(options), "a section for each command"
    assert all("" in rows for rows in TABLE.commands.values())


def test_rows_name_what_is_there() -> None:
    assert [name for name in sorted(named()) if not is_there(name)] == []
    for first, others in TABLE.alike.items():
        assert [name for name in (first, *others) if not is_there(name)] == []


def test_reasons_are_about_what_is_there() -> None:
    names = [*public()]
    names += [
        f"{name}({argument})" for name, one in public().items() for argument in arguments(one)
    ]
    stale = [
        pattern
        for pattern in TABLE.python
        if (module := pattern.split(".")[0]) not in MODULES
        or module in {n.split(".")[0] for n in names}
        if not fnmatch.filter(names, pattern)
    ]
    assert stale == []


def test_every_public_argument_has_a_row() -> None:
    assert holes_of_python() == []


def test_holes_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test itself: a new option, a new function and a new argument are holes."""
    assert holes_of_the_command({"merge": {"max-segments", "new"}}) == ["merge --new"]

    def merge(path: str, new: int = 0) -> None: ...

    monkeypatch.setitem(public(), "merge", merge)
    monkeypatch.setitem(public(), "unheard_of", lambda: None)
    assert holes_of_python() == ["merge(new)", "unheard_of"]
    assert not is_there("merge(memory)") and not is_there("Index.nothing")


def test_the_page_has_all_commands() -> None:
    page = parity.page(ROOT)
    for name in TABLE.commands:
        assert f"\n## gannet {name}\n" in page
    assert "| `--facet` | `Index.search(facets)` |" in page


def test_arguments_that_are_handed_on_are_those_of_a_build() -> None:
    from gannet._build_options import OPENING, BuildOptions

    parameters = set(inspect.signature(gannet.Index.build).parameters)
    own = {"documents", "path", "format", "overwrite", "backend"}
    assert set(BuildOptions.__annotations__) == parameters - own
    opening = set(inspect.signature(gannet.Index.open).parameters)
    assert opening - {"path", "backend", "threads"} == OPENING
