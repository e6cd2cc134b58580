"""Figures out of the JSON files of `gannet bench query` and `bench/retrieval.sh`."""

import statistics
from typing import Any

from report.sources import Source

Row = dict[str, Any]

#: The four settings of most tables.
SETTINGS = (("or", 10), ("or", 1000), ("and", 10), ("and", 1000))


def head(mode: str, k: int) -> str:
    """A setting's name."""
    return f"{mode.upper()}, k = {k}"


def rows_of(source: Source) -> list[Row]:
    """All rows of a source; a file holds one result, or a list of them."""
    found = []
    for document in source.documents:
        for result in document if isinstance(document, list) else [document]:
            found += result["results"] if "results" in result else [result]
    return found


def median(source: Source, field: str, **wanted: Any) -> float | None:
    """The median of a field over the rows that have these values; None if there is none."""
    found = [
        row[field] if field in row else row["batch_latency_ms"][field]
        for row in rows_of(source)
        if all(row[name] == value for name, value in wanted.items())
    ]
    return statistics.median(found) if found else None
