"""The C++ reference: a section a public header, with all that it says and declares."""

from __future__ import annotations

import re
from pathlib import Path

from cpp_headers import component_of, public_headers, scan
from cpp_scan import Declaration
from prose import comment_to_markdown

_WORDS = {"class": "class", "struct": "struct", "enum": "enumeration", "concept": "concept"}


def _groups(declarations: list[Declaration]) -> list[list[Declaration]]:
    """Neighbours of one name together: overloads."""
    groups: list[list[Declaration]] = []
    for one in declarations:
        if groups and groups[-1][0].name == one.name and groups[-1][0].kind == one.kind:
            groups[-1].append(one)
        else:
            groups.append([one])
    return groups


def _anchor(header: str, name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", f"{header}-{name}".lower()).strip("-")


def _section(header: str, group: list[Declaration], taken: dict[str, int]) -> str:
    first = group[0]
    anchor = _anchor(header, first.name)
    taken[anchor] = taken.get(anchor, 0) + 1
    if taken[anchor] > 1:
        anchor += f"-{taken[anchor]}"
    word = f"{_WORDS[first.kind]} " if first.kind in _WORDS else ""
    parts = [f"### {word}`{first.name}` {{ #{anchor} }}\n"]
    for one in group:
        if one.comment:
            parts.append(comment_to_markdown(one.comment) + "\n")
        parts.append(f"```cpp\n{one.text}\n```\n")
    return "\n".join(parts)


def header_section(root: Path, header: str) -> str:
    about, declarations = scan(root, header)
    if not declarations:
        raise ValueError(f"{header}: nothing is declared there")
    namespaces = sorted({one.namespace for one in declarations if one.namespace})
    taken: dict[str, int] = {}
    parts = [f"## {header} {{ #{_anchor(header, '')} }}\n"]
    if about:
        parts.append(comment_to_markdown(about) + "\n")
    line = f"`#include <gannet/{header}>`"
    if namespaces:
        line += ", namespace " + ", ".join(f"`{name}`" for name in namespaces)
    parts.append(line + "\n")
    parts += [_section(header, group, taken) for group in _groups(declarations)]
    return "\n".join(parts)


def component_page(root: Path, component: str) -> str:
    headers = [header for header in public_headers(root) if component_of(header) == component]
    if not headers:
        raise ValueError(f"no public header belongs to {component}")
    return "\n".join(header_section(root, header) for header in headers)
