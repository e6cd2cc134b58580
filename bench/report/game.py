"""Figures out of the JSON file of `bench/peers.sh --game`."""

import collections
from collections.abc import Iterator
from typing import Any

from report import peers
from report.sources import GAME
from report.table import rounded

REPOSITORY = "https://github.com/quickwit-oss/search-benchmark-game"

Row = dict[str, Any]


def rows() -> list[Row]:
    """What all engines were asked alike."""
    found: list[Row] = GAME.documents[0]["rows"]
    return found


def name_of(row: Row) -> str:
    """A class with its command."""
    return f"{row['mode'].upper()} {row['terms']}{'+' * row['or_more']} {row['command']}"


def pairs(row: Row) -> Iterator[tuple[str, str, str, float]]:
    """Each peer beside Gannet, by that of both figures in which Gannet does worse: its and ours."""
    ours = row["engines"][peers.GANNET]
    for engine, theirs in row["engines"].items():
        if engine not in peers.TITLES:
            continue
        median, rate = "median_microseconds", "queries_per_second"
        by_median, by_rate = theirs[median] / ours[median], ours[rate] / theirs[rate]
        if by_median < by_rate:
            yield engine, f"{ours[median]:.3g} us", f"{theirs[median]:.3g} us", by_median
        else:
            yield engine, f"{rounded(ours[rate])}/s", f"{rounded(theirs[rate])}/s", by_rate


def behind() -> list[Row]:
    """Rows in which a peer is faster, by the median query or by all."""
    return [row for row in rows() if any(one[3] < 1 for one in pairs(row))]


def told() -> str:
    """How often Gannet is behind, and behind whom."""
    slower = [engine for row in rows() for engine, _, _, value in pairs(row) if value < 1]
    if not slower:
        return f"Gannet is slower than no other engine in any of {len(rows())}"
    names = ", ".join(
        f"{peers.TITLES[engine]} in {number}"
        for engine, number in collections.Counter(slower).most_common()
    )
    return f"Gannet is slower than another engine in {len(behind())} of {len(rows())}: {names}"


def section() -> str:
    """What the page of results says; the run's own report has the table."""
    queries = {(row["mode"], row["terms"]): row["queries"] for row in rows()}
    report = GAME.files[0].replace(".json", ".md")
    return (
        f"The [Search Benchmark Game's]({REPOSITORY}) queries on 93,369 articles: OR and AND of 2, 3, "
        f"4 and 5 or more terms ({sum(queries.values())} queries, its phrases left out) with TOP_10, "
        "TOP_100, TOP_10_COUNT and COUNT, one at a time on one thread, planning included [p4]. By the "
        f"median query or by all of a class {told()}. [Every class](results/{report})."
    )
