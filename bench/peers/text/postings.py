"""Posting lists in the format of ds2i and PISA, which `gannet export` writes too.

BASE.docs is [1, documents], then for each term its length and docids; BASE.freqs the same with
frequencies, without the head; BASE.sizes one sequence of document lengths. Words of 32 bits,
little-endian.
"""

import array
import dataclasses
import hashlib
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

from peers.errors import Exit, PeersError


@dataclasses.dataclass(frozen=True)
class Statistics:
    """What has to be the same in every engine's index of a collection."""

    documents: int
    terms: int
    postings: int
    tokens: int | None  #: None where an engine does not tell
    frequencies: str  #: digest of every term with its document frequency


#: Docids, frequencies, lengths.
Words: TypeAlias = "array.array[int]"


def read_words(path: Path) -> Words:
    """All 32-bit words of a file."""
    words: Words = array.array("I")
    with path.open("rb") as file:
        words.frombytes(file.read())
    if sys.byteorder == "big":
        words.byteswap()
    return words


def sequences(path: Path) -> Iterator[Words]:
    """The sequences of a file, one after the other."""
    words = read_words(path)
    position = 0
    while position < len(words):
        end = position + 1 + words[position]
        if end > len(words):
            raise PeersError(
                Exit.MALFORMED,
                f"{path}: the sequence at byte {4 * position} is cut short; remove "
                "the part of the work folder that it lies in, and run again",
            )
        yield words[position + 1 : end]
        position = end


def lists(base: Path) -> Iterator[tuple[Words, Words]]:
    """Docids and frequencies of every term."""
    docids = sequences(base.with_name(base.name + ".docs"))
    next(docids)  # the number of documents
    return zip(docids, sequences(base.with_name(base.name + ".freqs")), strict=True)


def document_count(base: Path) -> int:
    """The number of documents."""
    return read_words(base.with_name(base.name + ".docs"))[1]


def read_lines(path: Path) -> list[str]:
    """The lines of a file of names; only a newline ends a name."""
    with path.open(encoding="utf-8", newline="\n") as file:
        return [line.removesuffix("\n") for line in file]


def digest(frequencies: Iterable[tuple[str, int]]) -> str:
    """A digest of words with their document frequencies, whatever their order."""
    lines = sorted(f"{word}\t{count}\n" for word, count in frequencies)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def statistics_of(base: Path, words: list[str]) -> Statistics:
    """Statistics of lists whose terms are `words`, in their order."""
    docids = sequences(base.with_name(base.name + ".docs"))
    (documents,) = next(docids)
    counts = [len(docs) for docs in docids]
    if len(counts) != len(words):
        raise PeersError(
            Exit.MALFORMED, f"{base}.docs has {len(counts)} lists, but there are {len(words)} terms"
        )
    (lengths,) = sequences(base.with_name(base.name + ".sizes"))
    return Statistics(
        documents=documents,
        terms=len(words),
        postings=sum(counts),
        tokens=sum(lengths),
        frequencies=digest(zip(words, counts, strict=True)),
    )
