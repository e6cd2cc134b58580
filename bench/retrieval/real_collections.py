"""Real collections with a real query log: both back ends of this machine, side by side."""

import argparse
import tempfile
from pathlib import Path

from retrieval import speed, table
from retrieval.errors import USAGE, RetrievalError
from retrieval.gannet import Gannet, backends


def declare(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("--index", type=Path, nargs="*", default=[], help="indexes that there are")
    parser.add_argument(
        "--documents", type=Path, nargs="*", default=[], help="docs.jsonl.zst to be indexed"
    )
    parser.add_argument("--topics", type=Path, required=True, help="the query log")
    speed.declare_settings(parser, "1000,all")


def indexes(options: argparse.Namespace, gannet: Gannet, folder: Path) -> list[Path]:
    """Those that there are, and new ones of the documents."""
    found = list(options.index)
    for documents in options.documents:
        index = folder / documents.parent.name
        gannet.call(
            *("index", "--input", str(documents), "--format", "jsonl"),
            *("--output", str(index), "--quiet"),
        )
        found.append(index)
    if not found:
        raise RetrievalError(USAGE, "name a collection with --index or --documents")
    return found


def main(options: argparse.Namespace) -> int:
    """The command."""
    gannet = Gannet()
    rows = []
    with tempfile.TemporaryDirectory(prefix="gannet-collections-") as folder:
        for index in indexes(options, gannet, Path(folder)):
            for backend in backends(gannet, index, options.topics):
                rows += speed.rows(gannet, index, options.topics, backend, speed.settings(options))
    table.print_rates(rows)
    table.write_json(options.output, rows)
    return 0
