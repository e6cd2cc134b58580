"""A figure of the rates of all engines, by gnuplot."""

import dataclasses
import shutil
import subprocess
from pathlib import Path
from typing import Protocol

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


class Rated(Protocol):
    """What has been timed."""

    @property
    def rate(self) -> float: ...


@dataclasses.dataclass(frozen=True)
class Panel:
    """A group of bars for each line, a bar for each engine."""

    title: str
    lines: list[tuple[str, list[float | None]]]  #: head, and queries a second of each engine


def plot(panels: list[Panel], engines: list[str], output: Path) -> None:
    """Writes an SVG."""
    script = script_of(panels, engines, output)
    done = subprocess.run(["gnuplot"], input=script, text=True, capture_output=True, check=False)
    if done.returncode != 0:
        raise PeersError(Exit.OTHER, f"--plot: gnuplot failed:\n{done.stderr.strip()}")


def panels(report: Report) -> list[Panel]:
    """A panel for each collection and log, a group of bars for each line of its table."""
    names = dict.fromkeys(
        (case.collection, case.log) for case, _ in report.cases if case.log != NOTHING
    )
    found = []
    for collection, log in names:
        cases = [
            case for case, _ in report.cases if (case.collection, case.log) == (collection, log)
        ]
        lines = [
            (line.head, [rate_of(line.best.get(engine)) for engine in report.engines])
            for line in lines_of(report, cases)
        ]
        found.append(Panel(f"{collection}, {log}", lines))
    return found


def rate_of(series: Rated | None) -> float | None:
    """Queries a second of what was measured."""
    return series.rate if series else None


def script_of(panels: list[Panel], engines: list[str], output: Path) -> str:
    """What gnuplot is told: bars of queries a second on a logarithmic scale."""
    lines = [
        f'set terminal svg size {WIDTH},{HEIGHT * max(len(panels), 1)} font "sans-serif,11" noenhanced',
        f"set output {quoted(str(output))}",
        "set style data histogram",
        "set style histogram clustered gap 1",
        "set style fill solid 0.85 border -1",
        "set boxwidth 0.9",
        "set logscale y",
        "set grid ytics",
        "set key outside right top",
        'set ylabel "queries/s"',
        f"set multiplot layout {max(len(panels), 1)},1",
    ]
    for number, panel in enumerate(panels):
        lines += drawn(panel, f"$panel{number}", engines)
    return "\n".join([*lines, "unset multiplot", ""])


def drawn(panel: Panel, block: str, engines: list[str]) -> list[str]:
    """The data of a panel, and how it is drawn."""
    rows = [
        " ".join([quoted(head), *("NaN" if rate is None else f"{rate:.1f}" for rate in rates)])
        for head, rates in panel.lines
    ]
    # An engine has its colour in all panels; gnuplot refuses one without any bar.
    bars = [
        f"{block} using {place + 2}:xtic(1) lt {place + 1} title {quoted(title(engine))}"
        for place, engine in enumerate(engines)
        if any(rates[place] is not None for _, rates in panel.lines)
    ]
    return [
        f"{block} << EOD",
        *rows,
        "EOD",
        f"set title {quoted(panel.title)}",
        "plot " + ", ".join(bars),
    ]


def quoted(text: str) -> str:
    """A text as gnuplot reads it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
