"""Runs of real queries, pruned and exhaustive, on both back ends: the same bytes, or an error."""

import argparse
import itertools
import tempfile
from collections.abc import Iterator
from pathlib import Path

from retrieval.errors import USAGE, RetrievalError
from retrieval.gannet import Gannet, backends

BUFFER = 1 << 20


def declare(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("--index", type=Path, nargs="+", required=True, help="indexes")
    parser.add_argument("--topics", type=Path, nargs="+", required=True, help="query logs")
    parser.add_argument("--k", default="10,1000", help="hits, some numbers")
    parser.add_argument("--mode", default="or,and")
    parser.add_argument("--scorer", default="bm25", help="some names; 'default': the index's")
    parser.add_argument("--limit", type=int, help="only the first so many topics of a log")
    parser.add_argument("--batch", default="4096", help="queries in a batch, some numbers")
    parser.add_argument("--least", type=int, default=0, help="fail if fewer queries are compared")
    parser.add_argument(
        "--exhaustive-cpu", action="store_true", help="an exhaustive run on the CPU, too"
    )


def variants(names: list[str], exhaustive_cpu: bool) -> list[tuple[str, bool]]:
    """Back ends and whether they search exhaustively; the first one is what others are held to."""
    found = []
    if "cuda" in names:
        found += [("cuda", True), ("cuda", False)]
    found.append(("cpu", False))
    if exhaustive_cpu or "cuda" not in names:
        found.insert(0, ("cpu", True))
    return found


def chunks(path: Path) -> Iterator[bytes]:
    """The bytes of a file."""
    with path.open("rb") as file:
        while chunk := file.read(BUFFER):
            yield chunk


def first_difference(one: Path, other: Path) -> str | None:
    """The first lines that differ, or None."""
    if all(a == b for a, b in itertools.zip_longest(chunks(one), chunks(other))):
        return None
    with one.open(errors="replace") as a, other.open(errors="replace") as b:
        for number, (x, y) in enumerate(itertools.zip_longest(a, b, fillvalue=""), start=1):
            if x != y:
                return f"line {number}: '{x.strip()}' and '{y.strip()}'"
    return "bytes that are no text"


class Differential:
    """The comparison of one setting after the other."""

    def __init__(self, options: argparse.Namespace, gannet: Gannet, folder: Path) -> None:
        self.options = options
        self.gannet = gannet
        self.folder = folder
        self.failures = 0
        self.queries = 0

    def run(self) -> int:
        """Compares everything; the exit code."""
        for index in self.options.index:
            for topics in self.options.topics:
                self._log(index, topics)
        return self.verdict()

    def verdict(self) -> int:
        """Sums everything up; the exit code."""
        print(f"{self.queries} queries compared, {self.failures} settings differ", flush=True)
        if self.queries < self.options.least:
            raise RetrievalError(USAGE, f"fewer than the {self.options.least} that are wanted")
        return 1 if self.failures else 0

    def _log(self, index: Path, topics: Path) -> None:
        chosen = variants(backends(self.gannet, index, topics), self.options.exhaustive_cpu)
        for mode, k, scorer, batch in itertools.product(
            *(getattr(self.options, name).split(",") for name in ("mode", "k", "scorer", "batch"))
        ):
            setting = ["--mode", mode, "--k", k, "--batch", batch]
            if scorer != "default":
                setting += ["--scorer", scorer]
            self.compare(index, topics, setting, chosen)

    def compare(
        self, index: Path, topics: Path, setting: list[str], chosen: list[tuple[str, bool]]
    ) -> None:
        """One setting, options of `gannet run`, by all of the chosen ways to search."""
        runs: list[tuple[str, Path]] = []
        rates = []
        summary = {}
        for backend, exhaustive in chosen:
            name = f"{backend} {'exhaustive' if exhaustive else 'pruned'}"
            path = self.folder / f"{len(runs)}.run"
            summary = self._one(index, topics, setting, backend, exhaustive, path)
            rates.append(f"{name} {summary['queries_per_second']:,.0f}/s")
            runs.append((name, path))
        reference = runs[0]
        verdicts = []
        for name, path in runs[1:]:
            if difference := first_difference(reference[1], path):
                verdicts.append(f"{reference[0]} and {name} DIFFER at {difference}")
        self.failures += 1 if verdicts else 0
        self.queries += summary["queries"]
        words = " ".join(
            Path(word).name if Path(word).is_absolute() else word
            for word in setting
            if not word.startswith("--")
        )
        print(
            f"{index.name} {topics.stem} {words}: {summary['queries']} queries, "
            f"{summary['hits']} hits, {'; '.join(verdicts) or 'same bytes'} ({', '.join(rates)})",
            flush=True,
        )

    def _one(
        self,
        index: Path,
        topics: Path,
        setting: list[str],
        backend: str,
        exhaustive: bool,
        path: Path,
    ) -> dict:
        arguments = ["run", "--index", str(index), "--topics", str(topics), "--backend", backend]
        arguments += ["--output", str(path), "--overwrite", *setting]
        if exhaustive:
            arguments.append("--exhaustive")
        if self.options.limit:
            arguments += ["--limit", str(self.options.limit)]
        return self.gannet.json(*arguments)


def main(options: argparse.Namespace) -> int:
    """The command."""
    with tempfile.TemporaryDirectory(prefix="gannet-differential-") as folder:
        return Differential(options, Gannet(), Path(folder)).run()
