"""Posting lists for tests, as files."""

import array
from pathlib import Path


def write_lists(
    base: Path, postings: dict[str, dict[int, int]], sizes: list[int], names: list[str]
) -> None:
    """Writes a collection: term, then docid and frequency."""
    docids, frequencies = array.array("I", [1, len(sizes)]), array.array("I")
    for entries in postings.values():
        docids.extend([len(entries), *entries])
        frequencies.extend([len(entries), *entries.values()])
    base.with_name(base.name + ".docs").write_bytes(docids.tobytes())
    base.with_name(base.name + ".freqs").write_bytes(frequencies.tobytes())
    lengths = array.array("I", [len(sizes), *sizes])
    base.with_name(base.name + ".sizes").write_bytes(lengths.tobytes())
    write_lines(base.with_name(base.name + ".terms"), list(postings))
    write_lines(base.with_name(base.name + ".documents"), names)


def write_lines(path: Path, lines: list[str]) -> None:
    """Writes a line each."""
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
