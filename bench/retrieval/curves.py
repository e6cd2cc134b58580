"""Queries/s by batch size, by the memory of bounds, and latency by length: tables and figures."""

import argparse
import shutil
import subprocess
from pathlib import Path
from typing import Any

from retrieval import speed, table
from retrieval.errors import FAILED, RetrievalError
from retrieval.gannet import Gannet

BATCHES = "1,4,16,64,256,1000,2000"
Row = dict[str, Any]
Curve = list[tuple[float, float]]


def declare(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--topics", type=Path, required=True, help="the query log")
    parser.add_argument("--backend", default="cuda", help="cuda or cpu")
    parser.add_argument("--bits", default="0.5,1,1.5,2,2.5,4,6", help="of bounds, a posting")
    parser.add_argument(
        "--lengths-of", default="or", help="mode of which latency by length is measured"
    )
    parser.add_argument("--plot", type=Path, help="a folder for figures (SVG, by gnuplot)")
    speed.declare_settings(parser, BATCHES)


def name_of(row: Row) -> str:
    """A curve's name."""
    return f"{row['mode']} {row['k']}"


def by_batch(rows: list[Row]) -> dict[str, Curve]:
    """Queries/s over the size of a batch."""
    curves: dict[str, Curve] = {}
    for row in rows:
        curves.setdefault(name_of(row), []).append((row["batch"], row["queries_per_second"]))
    return curves


def by_bits(gannet: Gannet, options: argparse.Namespace) -> dict[str, Curve]:
    """Queries/s in the largest batch over bits a posting."""
    largest = options.batch.split(",")[-1]
    curves: dict[str, Curve] = {}
    for bits in options.bits.split(","):
        settings = argparse.Namespace(**{**vars(options), "batch": largest})
        more = [*speed.settings(settings), "--bounds-bits", bits]
        for row in speed.rows(gannet, options.index, options.topics, options.backend, more):
            curves.setdefault(name_of(row), []).append((float(bits), row["queries_per_second"]))
    return curves


def by_length(gannet: Gannet, options: argparse.Namespace) -> dict[str, Curve]:
    """Milliseconds of a query (p50) over its number of terms."""
    more = ["--mode", options.lengths_of, "--k", options.k, "--limit", str(options.limit)]
    more += ["--batch", "1", "--repeats", str(options.repeats), "--by-length"]
    curves: dict[str, Curve] = {}
    for row in speed.rows(gannet, options.index, options.topics, options.backend, more):
        for each in row.get("by_length", []):
            point = (each["terms"], each["latency_ms"]["p50"])
            curves.setdefault(name_of(row), []).append(point)
    return curves


def print_curves(head: str, curves: dict[str, Curve], form: str) -> None:
    """A line a point, a column a curve."""
    points = sorted({x for curve in curves.values() for x, _ in curve})
    lines = []
    for x in points:
        values = [dict(curve).get(x) for curve in curves.values()]
        lines.append([f"{x:g}", *("-" if y is None else format(y, form) for y in values)])
    table.print_markdown([head, *curves], lines)
    print()


def plot(folder: Path, name: str, labels: tuple[str, str], curves: dict[str, Curve]) -> None:
    """folder/NAME.svg."""
    program = ["set terminal svg size 640,420", f"set output '{folder / name}.svg'"]
    program += ["set key left top", "set yrange [0:]", "set grid"]
    program += [f"set xlabel '{labels[0]}'", f"set ylabel '{labels[1]}'"]
    if name == "batch":
        program += ["set logscale x 2", "set yrange [*:*]", "set logscale y 10"]
    parts = []
    for number, (title, curve) in enumerate(curves.items()):
        program.append(f"$d{number} << EOD")
        program += [f"{x} {y}" for x, y in curve]
        program.append("EOD")
        parts.append(f"$d{number} with linespoints title '{title}'")
    program.append("plot " + ", ".join(parts))
    done = subprocess.run(
        ["gnuplot"], input="\n".join(program), capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RetrievalError(FAILED, f"gnuplot: {done.stderr.strip()}")


def main(options: argparse.Namespace) -> int:
    """The command."""
    if options.plot is not None and shutil.which("gnuplot") is None:
        raise RetrievalError(FAILED, "--plot needs gnuplot: tools/setup.sh --dev installs it")
    gannet = Gannet()
    rows = speed.rows(
        gannet, options.index, options.topics, options.backend, speed.settings(options)
    )
    figures = {
        "batch": (("queries in a batch", "queries/s"), by_batch(rows), ",.0f"),
        "bits": (("bits of bounds a posting", "queries/s"), by_bits(gannet, options), ",.0f"),
        "length": (("terms", "ms (p50)"), by_length(gannet, options), ".3f"),
    }
    for name, (labels, curves, form) in figures.items():
        print_curves(labels[0], curves, form)
        if options.plot is not None:
            options.plot.mkdir(parents=True, exist_ok=True)
            plot(options.plot, name, labels, curves)
    table.write_json(options.output, {name: curves for name, (_, curves, _) in figures.items()})
    return 0
