"""Tables for notebooks."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Any


def table(caption: str, head: Sequence[str] | None, rows: Iterable[Sequence[Any]]) -> str:
    """A table; all texts are escaped."""
    parts = [f"<table><caption>{html.escape(caption)}</caption>"]
    if head is not None:
        cells = "".join(f"<th>{html.escape(name)}</th>" for name in head)
        parts.append(f"<thead><tr>{cells}</tr></thead>")
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return "".join([*parts, f"<tbody>{body}</tbody></table>"])
