"""Cuts the documents of a docs.jsonl.zst into passages, in the environment that reads zstd.

Writes number<TAB>words for every so many words (runs of what is not white space).
"""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import zstandard

from peers.errors import Exit, PeersError


def texts(source: Path) -> Iterator[str]:
    """The contents of every document."""
    with source.open("rb") as file:
        stream = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
        for number, line in enumerate(
            io.TextIOWrapper(stream, encoding="utf-8", newline="\n"), start=1
        ):
            try:
                yield json.loads(line)["contents"]
            except (ValueError, KeyError, TypeError) as error:
                raise PeersError(
                    Exit.MALFORMED,
                    f'{source}: line {number} is not {{"id": ..., "contents": ...}} ({error!r})',
                ) from error


def cut(source: Path, words: int, output: Path) -> int:
    """Writes the passages; their number."""
    count = 0
    with output.open("w", encoding="utf-8", newline="\n") as file:
        for text in texts(source):
            parts = text.split()
            for begin in range(0, len(parts), words):
                file.write(f"{count}\t{' '.join(parts[begin : begin + words])}\n")
                count += 1
    return count
