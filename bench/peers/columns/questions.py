"""What is asked of both engines."""

import dataclasses
import fnmatch
from collections.abc import Iterator

#: Hits of a filtered or sorted search, and values of a facet.
TOP = 10
#: Days of a bin of dates.
BIN_DAYS = 30
U_END = 2**32


@dataclasses.dataclass(frozen=True)
class Filter:
    """Documents whose number is in [low, high), or that have one of the keywords."""

    name: str
    field: str
    low: int = 0
    high: int = 0
    keywords: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """In Gannet's language."""
        if self.keywords:
            return f"{self.field}:({' OR '.join(self.keywords)})"
        return f"{self.field}:[{self.low} TO {self.high}}}"

    @property
    def lucene(self) -> str:
        """As java/Filters.java has it."""
        if self.keywords:
            return f"any {self.field} {' '.join(self.keywords)}"
        return f"range {self.field} {self.low} {self.high}"


@dataclasses.dataclass(frozen=True)
class Question:
    """One thing that is asked with every query of a log."""

    name: str
    log: str  #: "words" of a query log; "own": words and a range of its own each; "all": no words
    mode: str  #: "or", "and"
    kind: str  #: "hits", "count", "facet", "histogram", "stats", "sort"
    field: str = ""
    descending: bool = False
    filter: Filter | None = None

    @property
    def options(self) -> dict[str, str | int | bool]:
        """Of `gannet bench query` and `gannet run`, beside the mode."""
        if self.kind == "count":
            filtered = {"filter": self.filter.text} if self.filter else {}
            return {"want": "count", **filtered}
        asked: dict[str, str | int | bool] = {"k": TOP if self.kind in ("hits", "sort") else 0}
        if self.filter:
            asked["filter"] = self.filter.text
        if self.kind == "facet":
            asked["facet"] = f"{self.field}:{TOP}"
        elif self.kind == "histogram":
            asked["histogram"] = f"{self.field}:{BIN_DAYS}"
        elif self.kind == "stats":
            # Nor does tantivy count different values: its cardinality is another aggregation.
            asked |= {"stats": self.field, "no-distinct": True}
        elif self.kind == "sort":
            asked["sort"] = f"{self.field}:desc" if self.descending else self.field
        return asked


def share(documents: int, percent: float) -> int:
    """So many of the documents, but at least one."""
    return max(1, round(documents * percent / 100))


def filters(documents: int) -> list[Filter]:
    """Ranges that let through 50, 10, 1 and 0.01 percent, scattered and clustered, and keywords."""
    shares = (50, 10, 1, 0.01)
    scattered = [
        Filter(f"{percent} % scattered", "u", 0, round(U_END * percent / 100)) for percent in shares
    ]
    clustered = [
        Filter(f"{percent} % clustered", "row", documents // 3, documents // 3 + count)
        for percent, count in ((percent, share(documents, percent)) for percent in shares)
    ]
    tens = tuple(f"c{10 * number:02}" for number in range(10))
    return [
        *scattered,
        *clustered,
        Filter("a keyword of 100", "k100", keywords=("c37",)),
        Filter("ten keywords of 100", "k100", keywords=tens),
        Filter("a client of 8,003", "client", keywords=("4197518",)),
    ]


def filtered(documents: int) -> Iterator[Question]:
    """The ten best, and how many match, by words and filters."""
    for kind, name in (("hits", ""), ("count", "count-")):
        for mode in ("or", "and"):
            yield Question(f"{mode}-{name}no filter", "words", mode, kind)
            for one in filters(documents):
                yield Question(f"{mode}-{name}{one.name}", "words", mode, kind, filter=one)
            own = "10 %, a range of its own for each query"
            yield Question(f"{mode}-{name}{own}", "own", mode, kind)


def gathered() -> Iterator[Question]:
    """Values, sums and orders of all that match."""
    for log, mode in (("all", "or"), ("words", "or"), ("words", "and")):
        for field in ("k100", "k100000", "client", "level"):
            yield Question(f"{log}-{mode}-facet-{field}", log, mode, "facet", field)
        yield Question(f"{log}-{mode}-histogram-day", log, mode, "histogram", "day")
        for field in ("u", "amount"):
            yield Question(f"{log}-{mode}-stats-{field}", log, mode, "stats", field)
        yield Question(f"{log}-{mode}-sort-u", log, mode, "sort", "u")
        for field in ("day", "amount"):
            yield Question(f"{log}-{mode}-sort-{field}", log, mode, "sort", field, descending=True)


def questions(documents: int, only: str = "*") -> list[Question]:
    """Those whose names match a pattern, for a collection of so many documents."""
    asked = [*filtered(documents), *gathered()]
    return [one for one in asked if fnmatch.fnmatchcase(one.name, only)]


def asked_of(engine: str, questions: list[Question]) -> list[Question]:
    """Those that an engine is asked: Lucene's core has no facets, sums and bins."""
    kinds = ("hits", "count")
    return [one for one in questions if engine != "lucene" or one.kind in kinds]
