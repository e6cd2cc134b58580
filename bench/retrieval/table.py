"""Tables of throughput, and the same as JSON."""

import json
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def print_markdown(heads: list[str], lines: list[list[str]]) -> None:
    """A table as RESULTS.md has them."""
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    for line in lines:
        print("| " + " | ".join(line) + " |", flush=True)


def rate_lines(rows: list[Row]) -> list[list[str]]:
    """A line a (collection, mode, k, batch): the back ends side by side."""
    by_setting: dict[tuple, dict[str, Row]] = {}
    for row in rows:
        key = (row["collection"], row["mode"], row["k"], row["batch"])
        by_setting.setdefault(key, {})[row["backend"]] = row
    lines = []
    for (collection, mode, k, batch), found in by_setting.items():
        cells = [collection, mode, str(k), f"{batch:,}"]
        rates = {name: row["queries_per_second"] for name, row in found.items()}
        cells += [f"{rates[name]:,.0f}" if name in rates else "-" for name in ("cuda", "cpu")]
        cells.append(f"{rates['cuda'] / rates['cpu']:.1f}" if len(rates) == 2 else "-")
        cells += [tiles_cell(found.get(name)) for name in ("cuda", "cpu")]
        lines.append(cells)
    return lines


def tiles_cell(row: Row | None) -> str:
    """The share of the lists' tiles that was decoded."""
    if row is None or row["tiles_total"] == 0:
        return "-"
    return f"{100 * row['tiles_decoded'] / row['tiles_total']:.1f}"


def print_rates(rows: list[Row]) -> None:
    """Queries a second of both back ends."""
    heads = ["collection", "mode", "k", "batch", "GPU queries/s", "CPU queries/s", "GPU/CPU"]
    print_markdown([*heads, "GPU tiles %", "CPU tiles %"], rate_lines(rows))


def write_json(path: Path | None, value: Any) -> None:
    """The figures, if a file is named."""
    if path is not None:
        path.write_text(json.dumps(value, indent=1) + "\n")
