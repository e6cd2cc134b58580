"""A figure of the rates of all engines, by gnuplot."""

import shutil
import subprocess
from pathlib import Path

from peers.errors import Exit, PeersError
from peers.report.report import Report
from peers.report.speed_tables import lines_of
from peers.report.tables import title
from peers.text.preparation import NOTHING

WIDTH, HEIGHT = 900, 320  #: of a panel


def require_gnuplot() -> None:
    """Told before anything is measured."""
    if shutil.which("gnuplot") is None:
        raise PeersError(
            Exit.OTHER, "--plot: there is no gnuplot; install it (apt-get install gnuplot-nox)"
        )


def plot(report: Report, output: Path) -> None:
    """Writes an SVG with a panel for each collection and log."""
    script = script_of(report, output)
    done = subprocess.run(["gnuplot"], input=script, text=True, capture_output=True, check=False)
    if done.returncode != 0:
        raise PeersError(Exit.OTHER, f"--plot: gnuplot failed:\n{done.stderr.strip()}")


def script_of(report: Report, output: Path) -> str:
    """What gnuplot is told: bars of queries a second on a logarithmic scale."""
    names = dict.fromkeys(
        (case.collection, case.log) for case, _ in report.cases if case.log != NOTHING
    )
    lines = [
        f'set terminal svg size {WIDTH},{HEIGHT * max(len(names), 1)} font "sans-serif,11" noenhanced',
        f"set output {quoted(str(output))}",
        "set style data histogram",
        "set style histogram clustered gap 1",
        "set style fill solid 0.85 border -1",
        "set boxwidth 0.9",
        "set logscale y",
        "set grid ytics",
        "set key outside right top",
        'set ylabel "queries/s"',
        f"set multiplot layout {max(len(names), 1)},1",
    ]
    for number, (collection, log) in enumerate(names):
        lines += panel(report, number, collection, log)
    return "\n".join([*lines, "unset multiplot", ""])


def panel(report: Report, number: int, collection: str, log: str) -> list[str]:
    """One collection with one log: a group of bars for each line of its table."""
    cases = [case for case, _ in report.cases if (case.collection, case.log) == (collection, log)]
    rows = []
    for line in lines_of(report, cases):
        rates = [
            f"{line.best[engine].rate:.1f}" if engine in line.best else "NaN"
            for engine in report.engines
        ]
        rows.append(" ".join([quoted(line.head), *rates]))
    block = f"$panel{number}"
    bars = [
        f"{block} using {place + 2}:xtic(1) title {quoted(title(engine))}"
        for place, engine in enumerate(report.engines)
    ]
    return [
        f"{block} << EOD",
        *rows,
        "EOD",
        f"set title {quoted(f'{collection}, {log}')}",
        "plot " + ", ".join(bars),
    ]


def quoted(text: str) -> str:
    """A text as gnuplot reads it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
