"""Text that Gannet has analysed, as text: words with white space between them.

Gannet indexes a collection and exports its lists; turned around, they give each document's terms.
The terms of a document come in the order of the alphabet: no engine here keeps positions. Query
logs go the same way, as collections of short documents.
"""

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path

from peers.errors import Exit, PeersError
from peers.text import postings, terms

#: Gannet's own limit for a token; the words are tokens again.
LONGEST_WORD = 255


def words_of(base: Path) -> list[str]:
    """The words of an export's terms."""
    words = [
        terms.to_word(term) for term in postings.read_lines(base.with_name(base.name + ".terms"))
    ]
    for word in words:
        if len(word) > LONGEST_WORD:
            raise PeersError(
                Exit.MALFORMED,
                f"{base}: the term '{terms.from_word(word)}' is too long for a word of "
                f"{LONGEST_WORD} letters; take the document that has it out of the collection",
            )
    return words


def analysed(base: Path) -> Iterator[tuple[str, list[str]]]:
    """Id and words of every document of an export, in the order of the documents."""
    documents: list[list[str]] = [[] for _ in range(postings.document_count(base))]
    for word, (docids, frequencies) in zip(words_of(base), postings.lists(base), strict=True):
        for docid, frequency in zip(docids, frequencies, strict=True):
            if frequency == 1:
                documents[docid].append(word)
            else:
                documents[docid].extend([word] * frequency)
    return zip(
        postings.read_lines(base.with_name(base.name + ".documents")), documents, strict=True
    )


def write_documents(base: Path, output: Path) -> None:
    """Writes id<TAB>words of every document."""
    write_pairs(analysed(base), output)


def write_topics(base: Path, limit: int, output: Path) -> list[str]:
    """Writes the first queries that have a word, repeated words included; their ids."""
    found = [(name, words) for name, words in analysed(base) if words][:limit]
    write_pairs(found, output)
    return [name for name, _ in found]


def write_qrels(source: Path, names: list[str], output: Path) -> None:
    """Writes the judgements of these queries."""
    wanted = set(names)
    with source.open(encoding="utf-8") as lines, output.open("w", encoding="utf-8") as file:
        file.writelines(line for line in lines if wanted.intersection(line.split()[:1]))


def usable(base: Path, vocabulary: frozenset[str]) -> Iterator[tuple[str, list[str]]]:
    """The queries that mean the same to all engines: id and words.

    Engines differ in what they make of repeated and of unknown words (PISA's AND drops those), and
    Gannet plans equal queries once. So: distinct words, all in the collection, no query twice.
    """
    seen: set[tuple[str, ...]] = set()
    for name, words in analysed(base):
        distinct = tuple(dict.fromkeys(words))
        if distinct and distinct not in seen and vocabulary.issuperset(distinct):
            seen.add(distinct)
            yield name, list(distinct)


def write_log(base: Path, vocabulary: frozenset[str], limit: int, output: Path) -> int:
    """Writes the first `limit` usable queries; their number."""
    found = list(itertools.islice(usable(base, vocabulary), limit))
    write_pairs(found, output)
    return len(found)


def write_pairs(queries: Iterable[tuple[str, list[str]]], output: Path) -> None:
    """Writes id<TAB>words lines."""
    with output.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{name}\t{' '.join(words)}\n" for name, words in queries)
