"""Real columns, in the environment that reads zstd."""

import array
import sys
from pathlib import Path

import zstandard

from peers.columns.fields import REAL
from peers.errors import Exit, PeersError


def read_column(path: Path) -> "array.array[int]":
    """The values of a file of 32-bit numbers, little-endian, in zstd."""
    values: array.array[int] = array.array("i")
    with path.open("rb") as file:
        data = zstandard.ZstdDecompressor().stream_reader(file).read()
    try:
        values.frombytes(data)
    except ValueError as error:
        raise PeersError(
            Exit.MALFORMED, f"{path}: {len(data)} bytes are no 32-bit numbers; fetch it again"
        ) from error
    if not values:
        raise PeersError(Exit.MALFORMED, f"{path}: it has no values; fetch it again")
    if sys.byteorder == "big":
        values.byteswap()
    return values


def read_columns(data: Path) -> dict[str, "array.array[int]"]:
    """All real columns, by name."""
    return {field.name: read_column(data / "columns" / field.source) for field in REAL}
