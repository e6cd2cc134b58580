"""gannet bench query on each back end, as rows of a table."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from retrieval.gannet import Gannet


def rows(
    gannet: Gannet, index: Path, topics: Path, backend: str, more: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """One a setting and batch size."""
    arguments = ["bench", "query", "--index", str(index), "--topics", str(topics)]
    made = gannet.json(*arguments, "--backend", backend, *more)
    found: list[dict[str, Any]] = made["results"]
    for row in found:
        row["backend"] = backend
        row["collection"] = index.name
    return found


def declare_settings(parser: argparse.ArgumentParser, batch: str) -> None:
    """Options that gannet bench query takes, too."""
    parser.add_argument("--k", default="10,1000", help="hits, some numbers")
    parser.add_argument("--mode", default="or,and")
    parser.add_argument("--batch", default=batch, help="queries in a batch, some numbers or 'all'")
    parser.add_argument("--limit", type=int, default=0, help="only the first queries; 0: all")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--output", type=Path, help="also write the figures as JSON")


def settings(options: argparse.Namespace) -> list[str]:
    """Those options for gannet."""
    named = ("k", "mode", "batch", "limit", "repeats")
    return [word for name in named for word in (f"--{name}", str(getattr(options, name)))]
