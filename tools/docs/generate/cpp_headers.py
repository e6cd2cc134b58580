"""Which headers are public, and what each gives."""

from __future__ import annotations

import re
from pathlib import Path

from cpp_scan import Declaration, Scanner, first_comment


def public_headers(root: Path) -> list[str]:
    """The headers that tools/cmake/PublicHeaders.cmake names, as paths from the root."""
    text = (root / "tools" / "cmake" / "PublicHeaders.cmake").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    patterns = [word for word in re.split(r"[\s()]+", " ".join(lines)) if "/" in word]
    found = {str(path.relative_to(root)) for pattern in patterns for path in root.glob(pattern)}
    return sorted(found)


def component_of(header: str) -> str:
    """The page of the reference that a header is on."""
    if "/device/" in header or "/cuda/" in header:
        return "device"
    return header.partition("/")[0]


def scan(root: Path, header: str) -> tuple[str, list[Declaration]]:
    """The first comment of a header, and its declarations."""
    text = (root / header).read_text(encoding="utf-8")
    return first_comment(text), Scanner(text).declarations
