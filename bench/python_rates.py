#!/usr/bin/env python3
"""The Python package beside the command, on one index and one collection, in turn:

    build/python/venv/bin/python bench/python_rates.py --documents DOCS.jsonl.zst --topics FILE.tsv

`search_batch` of the log's first queries beside what `gannet run` takes for planning and searching the same;
`Index.run(...).save(...)`, with the index opened anew, beside the whole command; documents from Python to the
builder beside `gannet index`, as dicts that are there and parsed by json.loads on the way. Medians of --repeats, in
seconds on the clock and of the processor: on a busy machine the latter say more. Both outputs are compared: run
files and indexes of the same bytes, or exit code 1.

It needs the package (tools/python_test.sh leaves an environment that has it in build/python/venv) and the command
(GANNET, by default build/release/gannet); documents as JSONL, plain, gzip or zstd (the tool zstd).
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gannet

ROOT = Path(__file__).resolve().parents[1]
COMMAND = os.environ.get("GANNET", str(ROOT / "build" / "release" / "gannet"))
#: Seconds on the clock and of the processor.
Times = tuple[float, float]


def cpu_seconds(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def timed(work: Callable[[], Any], who: int = resource.RUSAGE_SELF) -> Times:
    cpu, wall = cpu_seconds(who), time.perf_counter()
    work()
    return time.perf_counter() - wall, cpu_seconds(who) - cpu


def command(*arguments: Any) -> dict[str, Any]:
    """What the command prints as JSON."""
    done = subprocess.run(
        [COMMAND, *map(str, arguments), "--json"], stdout=subprocess.PIPE, check=True
    )
    made: dict[str, Any] = json.loads(done.stdout)
    return made


def plain_copy(documents: Path, folder: Path) -> Path:
    """The collection without compression, so that both sides read the same bytes."""
    copy = folder / "docs.jsonl"
    with copy.open("wb") as out:
        if documents.suffix == ".zst":
            subprocess.run(["zstd", "-dc", str(documents)], stdout=out, check=True)
        elif documents.suffix == ".gz":
            with gzip.open(documents) as packed:
                while piece := packed.read(1 << 20):
                    out.write(piece)
        else:
            out.write(documents.read_bytes())
    return copy


def same_files(a: Path, b: Path) -> bool:
    names = [sorted(file.name for file in folder.iterdir()) for folder in (a, b)]
    return names[0] == names[1] and all(
        (a / name).read_bytes() == (b / name).read_bytes() for name in names[0]
    )


def show(title: str, rows: dict[str, list[Times]], first: str) -> None:
    """A Markdown table of medians, and their ratios to the first row's."""
    print(f"\n| {title} | s, clock | s, processor | clock, ratio | processor, ratio |")
    print("|---|---|---|---|---|")
    base = [statistics.median(one[i] for one in rows[first]) for i in (0, 1)]
    for name, times in rows.items():
        mine = [statistics.median(one[i] for one in times) for i in (0, 1)]
        cells = [f"{value:.3f}" for value in (*mine, mine[0] / base[0], mine[1] / base[1])]
        print(f"| {name} | {' | '.join(cells).replace('nan', '-')} |", flush=True)


def queries(args: argparse.Namespace, folder: Path, documents: Path) -> bool:
    """search_batch and run beside the command's run; whether the runs are the same."""
    index = folder / "idx"
    command("index", "--input", documents, "--format", "jsonl", "--output", index, "--quiet")
    topics = folder / "topics.tsv"
    with open(args.topics, encoding="utf-8") as file:
        lines = [line for _, line in zip(range(args.queries), file)]
    topics.write_text("".join(lines), encoding="utf-8")
    texts = [line.rstrip("\n").split("\t", 1)[1] for line in lines]
    same = True
    for k in args.k:
        names = ["gannet run: plans and searches", "search_batch", "gannet run: all of it",
                 "Index.open, run, save"]  # fmt: skip
        rows: dict[str, list[Times]] = {name: [] for name in names}
        for _ in range(args.repeats):
            made: dict[str, Any] = {}

            def run_command() -> None:
                made.update(command("run", "--index", index, "--topics", topics, "--quiet",
                                    "--output", folder / "a.run", "--overwrite", "--k", k,
                                    "--backend", args.backend))  # fmt: skip

            rows[names[2]].append(timed(run_command, resource.RUSAGE_CHILDREN))
            spent = made["seconds"]
            part = spent["analysis"] + spent["planning"] + spent["searching"]
            rows[names[0]].append((part, float("nan")))
            opened = gannet.Index.open(index, backend=args.backend)  # its bounds are not made yet
            rows[names[1]].append(timed(lambda: opened.search_batch(texts, k, operators=False)))
            del opened
            rows[names[3]].append(
                timed(
                    lambda: (
                        gannet.Index.open(index, backend=args.backend)
                        .run(topics, k)
                        .save(folder / "b.run", overwrite=True)
                    )
                )
            )
            same = same and (folder / "a.run").read_bytes() == (folder / "b.run").read_bytes()
        title = f"{len(texts):,} queries, k = {k}"
        show(title, {name: rows[name] for name in names[:2]}, names[0])
        show(title, {name: rows[name] for name in names[2:]}, names[2])
    return same


def building(args: argparse.Namespace, folder: Path, documents: Path) -> bool:
    """Documents from Python beside the command; whether the indexes are the same."""

    def parsed() -> Iterator[dict[str, Any]]:
        with documents.open(encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)

    ready = list(parsed())
    mine, theirs = folder / "mine", folder / "theirs"
    ways: dict[str, Callable[[], Any]] = {
        "dicts that are there": lambda: gannet.Index.build(iter(ready), mine),
        "lines through json.loads": lambda: gannet.Index.build(parsed(), mine),
        "Index.build(path)": lambda: gannet.Index.build(documents, mine),
    }
    rows: dict[str, list[Times]] = {"gannet index": [], **{name: [] for name in ways}}
    same = True
    for _ in range(args.repeats):
        rows["gannet index"].append(
            timed(
                lambda: command(
                    "index",
                    "--input",
                    documents,
                    "--format",
                    "jsonl",
                    "--output",
                    theirs,
                    "--quiet",
                ),  # fmt: skip
                resource.RUSAGE_CHILDREN,
            )
        )
        for name, way in ways.items():
            rows[name].append(timed(way))
            same = same and same_files(mine, theirs)
            shutil.rmtree(mine)
        shutil.rmtree(theirs)
    title = f"building {len(ready):,} documents, {documents.stat().st_size / 1e6:.1f} MB of JSONL"
    show(title, rows, "gannet index")
    return same


def main() -> int:
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=Path, required=True)
    parser.add_argument("--topics", type=Path, required=True)
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--k", type=lambda text: [int(k) for k in text.split(",")], default=[10])
    parser.add_argument("--backend", default="cpu", help="cpu, cuda or auto")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", choices=["queries", "building"])
    args = parser.parse_args()
    if not os.access(COMMAND, os.X_OK):
        print(f"python_rates: there is no command {COMMAND}; GANNET names another", file=sys.stderr)
        return 2
    print(f"gannet {gannet.__version__}, Python {sys.version.split()[0]}, {os.cpu_count()} cores, "
          f"load {os.getloadavg()[0]:.1f}, medians of {args.repeats}")  # fmt: skip
    differing = []
    with tempfile.TemporaryDirectory(prefix="gannet-rates-") as name:
        folder = Path(name)
        documents = plain_copy(args.documents, folder)
        if args.only != "building" and not queries(args, folder, documents):
            differing.append("run files")
        if args.only != "queries" and not building(args, folder, documents):
            differing.append("indexes")
    print(f"\nload at the end {os.getloadavg()[0]:.1f}")
    if differing:
        print(f"python_rates: {' and '.join(differing)} differ", file=sys.stderr)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
