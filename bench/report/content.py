"""Writes what bench/RESULTS.md and the front page show, from the JSON files in bench/results."""

from report import cpu_tables, front_page, game, gpu_tables, rates
from report.charts import Curve, curves
from report.slower import slower
from report.sources import CURVE, MACHINES, SOURCES
from report.table import table, wrapped


def blocks(results: str) -> dict[str, str]:
    """All blocks by name; `results` is where the document finds bench/results."""
    return {
        "machines": wrapped(
            "; ".join(f"**{one}**, {what}" for one, what in MACHINES.items()) + "."
        ),
        "slower": slower(),
        "queries": gpu_tables.queries(),
        "passages": gpu_tables.passages(),
        "filters": wrapped(f"{gpu_tables.filters()} {gpu_tables.requests()}"),
        "decoding": gpu_tables.decoding(),
        "beside-codecs": gpu_tables.beside_codecs(),
        "versions": wrapped(cpu_tables.versions()),
        "peers": cpu_tables.speeds(),
        "game": wrapped(game.section()),
        "builds": cpu_tables.builds(),
        "columns": cpu_tables.columns(),
        "sources": sources(results),
        "front": front_page.figures(),
    }


def plots() -> dict[str, str]:
    """SVG files by name."""
    return {"engines": front_page.engines(), "batches": batches()}


def sources(results: str) -> str:
    """Where each figure comes from."""
    rows = []
    for one in SOURCES:
        links = " ".join(f"[{number}]({results}{file})" for number, file in enumerate(one.files, 1))
        rows.append([one.name, one.what, one.machine, one.commit, f"`{_cell(one.command)}`", links])
    return table(["", "what", "machine", "commit", "command", "JSON"], rows)


def _cell(command: str) -> str:
    return command.replace("|", "\\|")


def batches() -> str:
    """Rates over the size of a batch."""
    shown = []
    for mode, k in rates.SETTINGS:
        points = sorted(
            (row["batch"], row["queries_per_second"])
            for row in rates.rows_of(CURVE)
            if (row["mode"], row["k"]) == (mode, k)
        )
        shown.append(Curve(rates.head(mode, k), points))
    title = "Reference collection (25 million documents), one NVIDIA H200, by batch size"
    return curves(title, "queries in a batch", "queries a second", shown)
