"""Columns for a collection's documents, joined by row: some made, some real.

Made: keywords of 100 and of 100,000 values and a 32-bit number, all uniform; a date that goes with
the document's number, up to 6 days earlier or later; the document's number. They are what
bench/reference_rows.cpp writes for the reference collection, but for the last one.
Real: columns of sales and of a game, of about 65,536 rows, which begin again where they end.
"""

import array
import dataclasses
import datetime
import random
from collections.abc import Callable, Iterator
from pathlib import Path

from peers.columns.fields import MADE

SEED = 12
FIRST_DAY = datetime.date(2004, 1, 1)
#: Twenty years.
DAYS = 7305


@dataclasses.dataclass(frozen=True)
class Row:
    """The number of a document, of how many, and the numbers that chance has for it."""

    number: int
    documents: int
    chance: random.Random


def day_of(row: Row) -> str:
    """A date in proportion to the document's number, and some noise."""
    noise = sum(row.chance.randrange(-2, 3) for _ in range(3))
    days = row.number * DAYS // row.documents + noise
    return (FIRST_DAY + datetime.timedelta(days=days)).isoformat()


MAKERS: dict[str, Callable[[Row], object]] = {
    "k100": lambda row: f"c{row.chance.randrange(100):02}",
    "k100000": lambda row: f"v{row.chance.randrange(100_000):05}",
    "u": lambda row: row.chance.getrandbits(32),
    "day": day_of,
    "row": lambda row: row.number,
}


def rows(documents: int, real: dict[str, "array.array[int]"]) -> Iterator[list[object]]:
    """The values of every document, in the order of the fields."""
    # One source of chance a column, so that a column does not depend on the others.
    chances = {field.name: random.Random(f"{SEED} {field.name}") for field in MADE}
    for number in range(documents):
        values = [
            MAKERS[field.name](Row(number, documents, chances[field.name])) for field in MADE
        ]
        values += [column[number % len(column)] for column in real.values()]
        yield values


def write_rows(documents: int, real: dict[str, "array.array[int]"], output: Path) -> None:
    """Writes a CSV file with a header; none of its values needs quoting."""
    with output.open("w", encoding="utf-8", newline="\n") as file:
        file.write(",".join([field.name for field in MADE] + list(real)) + "\n")
        for values in rows(documents, real):
            file.write(",".join(map(str, values)) + "\n")
