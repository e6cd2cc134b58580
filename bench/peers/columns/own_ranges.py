"""Queries that have a range of a column of their own, and queries without words."""

import random
from collections.abc import Iterable, Iterator

from peers.columns.questions import U_END, Filter

#: All documents match.
ALL = "*:*"
FIELD = "u"
#: Of the documents, that a range lets through.
SHARE = 0.1
SEED = 13


#: Bytes of filters that Gannet keeps (CpuOptions::filter_bytes); Lucene keeps 32 MB.
KEPT = 256 << 20
#: What a filter takes beside a bit a document, at the least.
BESIDE = 256


def copies(documents: int, queries: int) -> int:
    """How often a log is asked, with other ranges each time, so that no engine still has a range of
    the pass before: a bit a document is what a filter takes."""
    filters = KEPT * 5 // 4 // (documents // 8 + BESIDE)
    return -(-filters // queries)


def with_ranges(texts: Iterable[str]) -> Iterator[str]:
    """The queries, each with a range that begins anywhere."""
    chance, width = random.Random(SEED), int(U_END * SHARE)
    for text in texts:
        low = chance.randrange(U_END - width)
        yield f"{text} {FIELD}:[{low} TO {low + width}}}"


def parts(text: str) -> tuple[str, Filter | None]:
    """The words of a query, and the range that with_ranges() gave it."""
    words, mark, numbers = text.partition(f" {FIELD}:[")
    if not mark:
        return text, None
    low, _, high = numbers.removesuffix("}").partition(" TO ")
    return words, Filter("its own", FIELD, int(low), int(high))
