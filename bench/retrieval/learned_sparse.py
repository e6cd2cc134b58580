"""A collection of impacts as learned sparse models make them: made, indexed, searched."""

import argparse
import subprocess
import tempfile
from pathlib import Path

from retrieval import speed, table
from retrieval.errors import FAILED, RetrievalError
from retrieval.gannet import Gannet, backends, program

SEED = 11


def declare(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--vocabulary", type=int, default=30_000)
    parser.add_argument("--folder", type=Path, help="keeps the index and the queries here")
    parser.add_argument("--cpu-limit", type=int, default=2_000, help="queries for the CPU; 0: all")
    speed.declare_settings(parser, "1000")


def make(options: argparse.Namespace, gannet: Gannet, folder: Path) -> tuple[Path, Path]:
    """The index and the queries, made unless the folder has them."""
    index = folder / f"learned-sparse-{options.documents}"
    queries = folder / f"learned-sparse-{options.documents}.queries.jsonl"
    if index.is_dir() and queries.is_file():
        return index, queries
    with tempfile.TemporaryDirectory(prefix="vectors-", dir=folder) as vectors:
        maker = program("bench/learned_sparse_collection", "LEARNED_SPARSE_COLLECTION")
        numbers = (options.documents, options.queries, options.vocabulary, SEED)
        made = subprocess.run([str(maker), vectors, *map(str, numbers)], check=False)
        if made.returncode != 0:
            raise RetrievalError(FAILED, f"{maker} ended with {made.returncode}; see above")
        files = sorted(str(path) for path in Path(vectors).glob("documents-*.jsonl"))
        gannet.call(
            *("index", "--format", "json-vectors", "--output", str(index), "--overwrite"),
            *("--memory", "8G", "--quiet", "--input", *files),
        )
        (Path(vectors) / "queries.jsonl").replace(queries)
    return index, queries


def measure(options: argparse.Namespace, folder: Path) -> int:
    """The command, in a folder."""
    gannet = Gannet()
    index, queries = make(options, gannet, folder)
    size = gannet.json("inspect", str(index))
    print(f"{size['documents']:,} documents, {size['postings']:,} postings, {size['bytes']:,} bytes")
    rows = []
    for backend in backends(gannet, index, queries):
        if backend == "cpu" and options.cpu_limit:
            options.limit = options.cpu_limit
        rows += speed.rows(gannet, index, queries, backend, speed.settings(options))
    table.print_rates(rows)
    table.write_json(options.output, rows)
    return 0


def main(options: argparse.Namespace) -> int:
    """The command."""
    if options.folder is not None:
        options.folder.mkdir(parents=True, exist_ok=True)
        return measure(options, options.folder)
    with tempfile.TemporaryDirectory(prefix="gannet-learned-sparse-") as folder:
        return measure(options, Path(folder))
