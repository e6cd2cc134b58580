"""The peers: what they are called, how they score, and how near to Gannet their scores must be."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class System:
    """A peer. Its scores are compared with Gannet's under `scorer`."""

    title: str
    package: str  #: on PyPI; or what its version is listed by
    scorer: str  #: --scorer-params of Gannet that give the same formula
    formula: str  #: how it differs from Gannet's default
    tolerance: float  #: how far scores may be apart, relative to Gannet's
    reason: str  #: why
    map_tolerance: float  #: how far MAP may be apart
    modes: tuple[str, ...]  #: how terms combine
    timed: str  #: what is in its times
    uncounted: str = ""  #: why counts of matches are not measured


#: Single precision, and sums in another order.
ROUNDING = "float32, added in another order"

SYSTEMS = {
    "pisa": System(
        title="PISA",
        package="pyterrier-pisa",
        scorer="k1=0.9,b=0.4,idf=robertson",
        formula="Robertson's idf, ln((N - df + 0.5) / (df + 0.5)), but at least 1e-6",
        tolerance=1e-4,
        reason=ROUNDING,
        map_tolerance=0.0005,
        modes=("or", "and"),
        timed="parsing and search in C++; ids of hits are strings of one letter, which Python has",
        uncounted="pyterrier-pisa has none of PISA's counting queries",
    ),
    "tantivy": System(
        title="tantivy",
        package="tantivy",
        scorer="k1=1.2,b=0.75",
        formula="k1 1.2 and b 0.75, which are compiled in; lengths above 40 rounded to a byte",
        tolerance=0.15,
        reason="lengths are rounded down by up to 1/8, which raises a score by up to 1/7",
        map_tolerance=0.01,
        modes=("or", "and"),
        timed="search of parsed queries; its Python package scores every match, hits stay in Rust",
    ),
    "bm25s": System(
        title="bm25s",
        package="bm25s",
        scorer="k1=0.9,b=0.4,norm=lucene",
        formula="Lucene's: without the factor k1 + 1",
        tolerance=1e-4,
        reason=ROUNDING,
        map_tolerance=0.0005,
        modes=("or",),
        timed="look-up of words in Python, and search by numba, which scores every match",
        uncounted="it does not count, and adds up scores of all documents",
    ),
    "lucene": System(
        title="Lucene",
        package="Lucene",
        scorer="k1=0.9,b=0.4,norm=lucene",
        formula="Lucene's: without the factor k1 + 1; lengths above 40 rounded to a byte",
        tolerance=0.15,
        reason="lengths are rounded down by up to 1/8",
        map_tolerance=0.01,
        modes=("or", "and"),
        timed="IndexSearcher's search and count in Java, of queries made before, by its own clock",
    ),
}
