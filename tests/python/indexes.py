"""Indexes as files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def files_of(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def same_bytes(a: Path, b: Path) -> bool:
    """Whether two indexes are the same, file by file."""
    left, right = files_of(a), files_of(b)
    assert left, a
    return left == right


def write_jsonl(path: Path, documents: Any) -> Path:
    path.write_text(
        "".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8"
    )
    return path
