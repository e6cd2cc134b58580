"""Which headers are public, and what each gives."""

from __future__ import annotations

import re
from pathlib import Path

from cpp_scan import Declaration, Scanner, first_comment


def public_headers(root: Path) -> list[str]:
    """The headers of the folders that tools/cmake/PublicHeaders.cmake names, as paths from the root."""
    text = (root / "tools" / "cmake" / "PublicHeaders.cmake").read_text(encoding="utf-8")
    folders = re.search(r"set\(GANNET_PUBLIC_FOLDERS\s([^)]*)\)", text)[1].split()
    found = [path for folder in folders for kind in ("*.hpp", "*.cuh") for path in (root / folder).glob(kind)]
    return sorted(str(path.relative_to(root)) for path in found)


def component_of(header: str) -> str:
    """The page of the reference that a header is on."""
    if "/device/" in header or "/cuda/" in header:
        return "device"
    return header.partition("/")[0]


def scan(root: Path, header: str) -> tuple[str, list[Declaration]]:
    """The first comment of a header, and its declarations."""
    text = (root / header).read_text(encoding="utf-8")
    return first_comment(text), Scanner(text).declarations
