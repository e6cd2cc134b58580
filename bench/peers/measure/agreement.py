"""Whether two rankings are the same, where scores say that they should be."""

import collections
import dataclasses
from pathlib import Path

from peers.errors import Exit, PeersError

#: Scores this near to each other are equal: PISA's least idf is 1e-6, Gannet's 0.
NOTHING = 2e-5

Hit = tuple[str, float]


@dataclasses.dataclass(frozen=True)
class Agreement:
    """Two run files compared."""

    queries: int
    agreeing: int  #: queries whose rankings are the same but for ties
    overlap: float  #: mean share of hits that both have
    farthest: float  #: largest distance of the scores at one rank, relative where they are above 1
    first: str | None  #: a query that does not agree


def read_run(path: Path) -> dict[str, list[Hit]]:
    """Hits of every query of a run file, in order."""
    hits: dict[str, list[Hit]] = collections.defaultdict(list)
    with path.open(encoding="utf-8", newline="\n") as file:
        for number, line in enumerate(file, start=1):
            parts = line.split()
            if len(parts) != 6:
                raise PeersError(
                    Exit.MALFORMED, f"{path}: line {number} is not 'query Q0 id rank score run'"
                )
            hits[parts[0]].append((parts[2], float(parts[4])))
    return hits


def near(score: float, expected: float, tolerance: float) -> bool:
    """Whether a score is as good as equal to another."""
    return abs(score - expected) <= tolerance * abs(expected) + NOTHING


def rankings_agree(ours: list[Hit], theirs: list[Hit], tolerance: float) -> bool:
    """Whether the rankings are the same but for the order of documents with equal scores.

    A document that only one of them has must be a tie at the end of the other.
    """
    if len(ours) != len(theirs):
        return False
    if not ours:
        return True
    if not all(
        near(score, expected, tolerance)
        for (_, expected), (_, score) in zip(ours, theirs, strict=True)
    ):
        return False
    expected, last = dict(ours), ours[-1][1]
    if not all(near(score, expected.get(name, last), tolerance) for name, score in theirs):
        return False
    found, last = dict(theirs), theirs[-1][1]
    return all(near(found.get(name, last), score, tolerance) for name, score in ours)


def compare(ours: Path, theirs: Path, tolerance: float) -> Agreement:
    """Compares two run files of the same queries; queries without hits are not in them."""
    expected, found = read_run(ours), read_run(theirs)
    queries = sorted(expected.keys() | found.keys())
    disagreeing, overlaps, farthest = [], [], 0.0
    for query in queries:
        a, b = expected[query], found[query]
        if not rankings_agree(a, b, tolerance):
            disagreeing.append(query)
        overlaps.append(len(dict(a).keys() & dict(b).keys()) / max(len(a), len(b)))
        for (_, score), (_, other) in zip(a, b, strict=False):
            farthest = max(farthest, abs(score - other) / max(abs(score), 1.0))
    return Agreement(
        queries=len(queries),
        agreeing=len(queries) - len(disagreeing),
        overlap=sum(overlaps) / max(len(overlaps), 1),
        farthest=farthest,
        first=disagreeing[0] if disagreeing else None,
    )
