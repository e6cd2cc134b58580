"""An index that was added to, and one that was cut into shards, beside one that was built at once:
the same runs, what adding and cutting takes, and queries a second by the number of pieces."""

import argparse
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from retrieval import table
from retrieval.differential import first_difference
from retrieval.errors import FAILED, USAGE, RetrievalError
from retrieval.gannet import Gannet, backends


def declare(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("--documents", type=Path, required=True, help="docs.jsonl, or .zst")
    parser.add_argument("--topics", type=Path, required=True, help="the query log")
    parser.add_argument("--segments", default="1,2,7,10,64", help="numbers of segments, 1 first")
    parser.add_argument("--shards", default="2,4", help="numbers of shards; '': none")
    parser.add_argument("--k", default="10", help="hits")
    parser.add_argument("--mode", default="or")
    parser.add_argument("--batch", default="1000", help="queries in a batch")
    parser.add_argument("--limit", type=int, default=0, help="only the first queries; 0: all")
    parser.add_argument("--repeats", type=int, default=3, help="passes over the log in a turn")
    parser.add_argument("--turns", type=int, default=3, help="of all indexes; the best rate counts")
    parser.add_argument("--output", type=Path, help="also write the figures as JSON")


def lines_of(documents: Path) -> list[bytes]:
    """The records."""
    if documents.suffix != ".zst":
        return documents.read_bytes().splitlines(keepends=True)
    if shutil.which("zstd") is None:
        raise RetrievalError(USAGE, f"{documents}: the program zstd is missing")
    done = subprocess.run(["zstd", "-dc", str(documents)], capture_output=True, check=False)
    if done.returncode != 0:
        raise RetrievalError(FAILED, f"{documents}: {done.stderr.decode(errors='replace')}")
    return done.stdout.splitlines(keepends=True)


@dataclass
class Grown:
    """What it took to make an index by adding."""

    index: Path
    first_seconds: float
    last_add_seconds: float = 0.0
    last_documents: int = 0
    seconds: float = 0.0


class Segments:
    """The comparison, in a folder of its own."""

    def __init__(self, options: argparse.Namespace, gannet: Gannet, folder: Path) -> None:
        self.options = options
        self.gannet = gannet
        self.folder = folder
        self.lines = lines_of(options.documents)
        self.expected: dict[str, Path] = {}  # by back end, the run that all others are held to

    def _take(self, name: str, index: Path, begin: int, end: int, first: bool) -> float:
        """Indexes or adds documents [begin, end); how long the command took, start to end."""
        part = self.folder / name
        part.write_bytes(b"".join(self.lines[begin:end]))
        where = ["--output", str(index)] if first else ["--index", str(index), "--no-merge"]
        start = time.monotonic()
        self.gannet.call(
            *("index" if first else "add", "--input", str(part), "--format", "jsonl"),
            *(*where, "--quiet"),
        )
        seconds = time.monotonic() - start
        part.unlink()
        return seconds

    def grow(self, ends: list[int], name: str) -> Grown:
        """An index with a segment up to each of the ends."""
        index = self.folder / name
        grown = Grown(index, self._take("part.jsonl", index, 0, ends[0], True))
        grown.seconds = grown.first_seconds
        for begin, end in zip(ends, ends[1:]):
            grown.last_add_seconds = self._take("part.jsonl", index, begin, end, False)
            grown.last_documents = end - begin
            grown.seconds += grown.last_add_seconds
        return grown

    def _run(self, index: Path, backend: str) -> Path:
        path = self.folder / f"{index.name}.{backend}.run"
        limit = ["--limit", str(self.options.limit)] if self.options.limit else []
        self.gannet.call(
            *("run", "--index", str(index), "--topics", str(self.options.topics)),
            *("--output", str(path), "--overwrite", "--k", self.options.k, "--mode", self.options.mode),
            *("--backend", backend, "--quiet", *limit),
        )
        return path

    def _rate(self, index: Path, backend: str) -> float:
        named = ("k", "mode", "batch", "limit", "repeats")
        settings = [w for n in named for w in (f"--{n}", str(getattr(self.options, n)))]
        made = self.gannet.json(
            *("bench", "query", "--index", str(index), "--topics", str(self.options.topics)),
            *("--backend", backend, *settings),
        )
        return float(made["results"][0]["queries_per_second"])

    def _rows(self, pieces: str, index: Path, seconds: float) -> list[table.Row]:
        """A row a back end: whether its run has the bytes of its first one."""
        rows: list[table.Row] = []
        for backend in backends(self.gannet, index, self.options.topics):
            run = self._run(index, backend)
            held_to = self.expected.setdefault(backend, run)
            difference = None if run == held_to else first_difference(held_to, run)
            if difference is not None:
                print(f"{pieces} on {backend}: {difference}", flush=True)
            rows.append(
                {
                    "pieces": pieces,
                    "index": str(index),
                    "backend": backend,
                    "same_run": difference is None,
                    "seconds": seconds,
                    "queries_per_second": 0.0,
                }
            )
        return rows

    def segments(self, number: int) -> list[table.Row]:
        """An index that was made by adding, and what merging it takes."""
        ends = [len(self.lines) * (i + 1) // number for i in range(number)]
        grown = self.grow(ends, f"segments-{number}")
        rows = self._rows(counted(number, "segment"), grown.index, grown.seconds)
        if number > 1:
            copy = self.folder / "merged"
            shutil.copytree(grown.index, copy)
            start = time.monotonic()
            merged = self.gannet.json("merge", str(copy))
            rows[-1]["merge_seconds"] = time.monotonic() - start
            if merged["segments"] != 1:
                raise RetrievalError(FAILED, f"{grown.index}: not merged")
            shutil.rmtree(copy)
        return rows

    def shards(self, number: int) -> list[table.Row]:
        """A set of shards, cut from an index that was built at once."""
        grown = self.grow([len(self.lines)], "whole")
        shards = self.folder / f"shards-{number}"
        start = time.monotonic()
        self.gannet.call(
            *("shard", str(grown.index), "--shards", str(number), "--output", str(shards)),
            "--quiet",
        )
        seconds = time.monotonic() - start
        shutil.rmtree(grown.index)
        return self._rows(counted(number, "shard"), shards, seconds)

    def _measure(self, rows: list[table.Row]) -> None:
        """Rates of all rows, in turns: what else the machine does hits all of them."""
        for _ in range(self.options.turns):
            for row in rows:
                rate = self._rate(Path(row["index"]), row["backend"])
                row["queries_per_second"] = max(row["queries_per_second"], rate)

    def compare(self) -> list[table.Row]:
        """A row a number of segments or shards, and back end."""
        rows: list[table.Row] = []
        for number in numbers(self.options.segments):
            rows += self.segments(number)
        for number in numbers(self.options.shards):
            rows += self.shards(number)
        self._measure(rows)
        for row in rows:
            del row["index"]
        return rows

    def add_percent(self) -> table.Row:
        """Adding the last percent to the rest: until it is committed, and until it is found."""
        last = max(1, len(self.lines) // 100)
        grown = self.grow([len(self.lines) - last, len(self.lines)], "percent")
        start = time.monotonic()
        self.gannet.call("search", "--index", str(grown.index), "--k", "1", "--backend", "cpu", "a")
        return {
            "documents": grown.last_documents,
            "add_seconds": grown.last_add_seconds,
            "first_search_seconds": time.monotonic() - start,
        }


def numbers(text: str) -> list[int]:
    """2,7: numbers of pieces."""
    return [int(part) for part in text.split(",") if part]


def counted(number: int, noun: str) -> str:
    """1 segment, 2 segments."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def main(options: argparse.Namespace) -> int:
    """The command."""
    gannet = Gannet()
    with tempfile.TemporaryDirectory(prefix="gannet-segments-") as folder:
        segments = Segments(options, gannet, Path(folder))
        rows = segments.compare()
        percent = segments.add_percent()
    heads = ["", "back end", "same run", "make s", "queries/s", "of one", "merge s"]
    one = {row["backend"]: row["queries_per_second"] for row in reversed(rows)}
    lines = [
        [
            row["pieces"],
            row["backend"],
            "yes" if row["same_run"] else "NO",
            f"{row['seconds']:.1f}",
            f"{row['queries_per_second']:,.0f}",
            f"{row['queries_per_second'] / one[row['backend']]:.2f}",
            f"{row['merge_seconds']:.1f}" if "merge_seconds" in row else "-",
        ]
        for row in rows
    ]
    table.print_markdown(heads, lines)
    print(
        f"adding the last percent, {percent['documents']} documents: {percent['add_seconds']:.2f} s;"
        f" the first search after it: {percent['first_search_seconds']:.2f} s",
        flush=True,
    )
    table.write_json(options.output, {"rows": rows, "percent": percent})
    return 0 if all(row["same_run"] for row in rows) else 1
