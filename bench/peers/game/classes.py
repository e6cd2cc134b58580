"""Classes of queries and what is asked of them, as in the Search Benchmark Game."""

import dataclasses
from pathlib import Path

#: Queries of as many terms and more are one class.
LONGEST = 5
LENGTHS = range(2, LONGEST + 1)
MODES = ("or", "and")


@dataclasses.dataclass(frozen=True)
class QueryClass:
    """Queries of one mode and number of terms."""

    mode: str  #: "or" or "and"
    terms: int  #: distinct ones; LONGEST stands for more, too

    @property
    def key(self) -> str:
        """Its name as a file's."""
        return f"{self.mode}-{self.terms}"

    @property
    def short(self) -> str:
        """Its name in a figure."""
        return f"{self.mode.upper()} {self.terms}{'+' * (self.terms == LONGEST)}"

    @property
    def head(self) -> str:
        """Its name in a table."""
        return f"{self.short} terms"


@dataclasses.dataclass(frozen=True)
class Command:
    """What is asked with every query."""

    name: str  #: in the game
    k: int  #: hits; 0: none
    counted: bool  #: how many documents match


TOP_10 = Command("TOP_10", 10, False)
TOP_100 = Command("TOP_100", 100, False)
TOP_10_COUNT = Command("TOP_10_COUNT", 10, True)
COUNT = Command("COUNT", 0, True)
COMMANDS = (TOP_10, TOP_100, TOP_10_COUNT, COUNT)
CLASSES = tuple(QueryClass(mode, terms) for mode in MODES for terms in LENGTHS)


def class_of(mode: str, words: list[str]) -> QueryClass | None:
    """The class of a query; None for fewer than two words."""
    return QueryClass(mode, min(len(words), LONGEST)) if len(words) >= LENGTHS[0] else None


@dataclasses.dataclass(frozen=True)
class GameLogs:
    """Analysed queries, in files of id<TAB>words lines."""

    folder: Path
    queries: dict[QueryClass, int]  #: of the classes that have any
    skipped: dict[str, int]  #: queries that are left out, by the reason

    @property
    def classes(self) -> list[QueryClass]:
        """In the order of tables."""
        return [one for one in CLASSES if one in self.queries]

    def path(self, one: QueryClass) -> Path:
        """The log of a class."""
        return self.folder / f"{one.key}.tsv"

    def mode_path(self, mode: str) -> Path:
        """The log of all classes of a mode."""
        return self.folder / f"{mode}.tsv"
