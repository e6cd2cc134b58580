"""The reference of the command: what `gannet help COMMAND` prints, of every command."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

_NAMED = re.compile(r"^  ([a-z-]+) {2,}(\S.*)$", re.MULTILINE)


def _help(gannet: Path, *words: str) -> str:
    run = subprocess.run([gannet, "help", *words], capture_output=True, text=True, check=False)
    if run.returncode != 0 or not run.stdout:
        raise ValueError(f"gannet help {' '.join(words)}: exit code {run.returncode}: {run.stderr}")
    return run.stdout


def _section(text: str, name: str) -> list[tuple[str, str]]:
    part = text.partition(f"\n{name}:\n")[2].partition("\n\n")[0]
    return _NAMED.findall(part)


def commands(gannet: Path) -> list[tuple[str, str]]:
    """Every command, those with parts by their parts, and what it does in a line."""
    found = []
    for name, summary in _section(_help(gannet), "Commands"):
        parts = _section(_help(gannet, name), "Parts")
        found += [(f"{name} {part}", text) for part, text in parts] or [(name, summary)]
    return found


def values_table(rows: list[dict[str, Any]]) -> str:
    """What options take, of those rows of `gannet help COMMAND --json` that have a range."""
    lines = []
    for row in rows:
        allowed = ", ".join(row["choices"]) if "choices" in row else row["range"]
        if allowed:
            standard = f"`{row['default']}`" if row["default"] else ""
            lines.append(f"| `--{row['name']}` | {allowed} | {standard} |")
    return "\n".join(["| option | values | default |\n|---|---|---|", *lines]) + "\n" if lines else ""


def commands_page(gannet: Path) -> str:
    found = commands(gannet)
    if len(found) < 15:
        raise ValueError(f"{gannet} has only {len(found)} commands")
    rows = [f"| [`{name}`](#{_anchor(name)}) | {summary} |" for name, summary in found]
    parts = ["| command | |\n|---|---|\n" + "\n".join(rows) + "\n"]
    for name, _ in found:
        text = _help(gannet, *name.split()).rstrip()
        parts.append(f"## gannet {name} {{ #{_anchor(name)} }}\n\n```text\n{text}\n```\n")
        parts.append(values_table(json.loads(_help(gannet, *name.split(), "--json"))["options"]))
    return "\n".join(parts)


def _anchor(name: str) -> str:
    return "gannet-" + name.replace(" ", "-")
