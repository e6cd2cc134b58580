"""The command against Python: tools/docs/parity.json as a page of the manual, and as data for the
test of it (tests/python/test_parity.py)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

_NAME = re.compile(r"[\w.]+(?:\(\w+\))?")


class Row(NamedTuple):
    """What an option of a command is in Python."""

    names: list[str]  #: "Index.search(k)"; none: `remark` says why
    remark: str


class Parity(NamedTuple):
    commands: dict[str, dict[str, Row]]  #: by command and option; "": the command itself
    every: dict[str, Row]  #: by option
    alike: dict[str, list[str]]
    python: dict[str, str]  #: reasons, by name

    def row(self, command: str, option: str) -> Row | None:
        own = self.commands.get(command, {})
        return own.get(option) or own.get("*") or self.every.get(option)


def _row(text: str) -> Row:
    if text.startswith("- "):
        return Row([], text[2:])
    names, _, remark = text.partition(" - ")
    made = [name.strip() for name in names.split(",")]
    for name in made:
        if not _NAME.fullmatch(name):
            raise ValueError(f"parity.json: '{name}' is no name such as Index.search(k)")
    return Row(made, remark)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError(f"parity.json: a name stands twice among {[name for name, _ in pairs]}")
    return dict(pairs)


def read(root: Path) -> Parity:
    text = (root / "tools" / "docs" / "parity.json").read_text(encoding="utf-8")
    data = json.loads(text, object_pairs_hook=_unique)
    commands = {
        command: {option: _row(row) for option, row in rows.items()}
        for command, rows in data["commands"].items()
    }
    every = {option: _row(row) for option, row in data["every"].items()}
    return Parity(commands, every, data["alike"], data["python"])


def _cell(row: Row) -> str:
    names = ", ".join(f"`{name}`" for name in row.names)
    return " - ".join(part for part in (names, row.remark) if part).replace("|", "\\|")


def page(root: Path) -> str:
    """Tables in Markdown: an option a line, a command a section."""
    parity = read(root)
    parts = ["## Options of all commands\n", "| option | in Python |\n|---|---|"]
    parts += [f"| `--{option}` | {_cell(row)} |" for option, row in parity.every.items()]
    for command, rows in parity.commands.items():
        parts.append(f"\n## gannet {command}\n\n| option | in Python |\n|---|---|")
        parts += [
            f"| {f'`--{option}`' if option.strip('*') else 'all others' if option else 'the command'}"
            f" | {_cell(row)} |"
            for option, row in rows.items()
        ]
    parts.append("\n## What only Python has\n\n| in Python | why the command has none |\n|---|---|")
    parts += [f"| `{name}` | {why} |" for name, why in parity.python.items()]
    return "\n".join(parts) + "\n"
