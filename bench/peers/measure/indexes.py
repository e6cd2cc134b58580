"""Indexes of all engines, and whether they hold the same postings."""

import dataclasses
from pathlib import Path
from typing import Any

from peers.gannet import Gannet
from peers.systems import SYSTEMS
from peers.text import postings
from peers.text.preparation import Text
from peers.work.environment import Environment
from peers.work.processes import Cost
from peers.work.workplace import Workplace

GANNET = "gannet"
#: The index within its part of the work folder.
INDEX = "index"


@dataclasses.dataclass(frozen=True)
class Built:
    """An engine's index of a collection."""

    engine: str
    collection: str
    path: Path
    bytes: int  #: that serving takes
    cost: Cost
    statistics: postings.Statistics
    same: bool  #: as the analysed text's

    def facts(self) -> dict[str, Any]:
        """For the report."""
        return {**dataclasses.asdict(self), "path": str(self.path)}


class Indexes:
    """Builds indexes, or finds them built."""

    def __init__(
        self,
        workplace: Workplace,
        environment: Environment,
        gannet: Gannet,
        threads: int,
        anew: bool,
    ):
        self.workplace = workplace
        self.environment = environment
        self.gannet = gannet
        self.threads = threads
        self.anew = anew

    def build(self, engine: str, text: Text) -> Built:
        """An engine's index of a text."""
        make = self._make_gannet if engine == GANNET else self._make_peer
        version = (
            self.gannet.stamp
            if engine == GANNET
            else self.environment.versions[SYSTEMS[engine].package]
        )
        folder, facts = self.workplace.part(
            f"index-{engine}-{text.collection.key}",
            [text.statistics.frequencies, version, self.threads],
            lambda path: make(engine, text, path / INDEX),
            anew=self.anew,
        )
        statistics = postings.Statistics(**facts["statistics"])
        return Built(
            engine,
            text.collection.name,
            folder / INDEX,
            facts["bytes"],
            Cost(**facts["cost"]),
            statistics,
            same(statistics, text.statistics),
        )

    def _make_gannet(self, engine: str, text: Text, index: Path) -> dict[str, Any]:
        cost = self.gannet.build(text.documents, index, self.threads)
        statistics = self.gannet.statistics(index, self.workplace.scratch("lists"))
        size = sum(file.stat().st_size for file in index.iterdir())
        return facts_of(size, cost, statistics)

    def _make_peer(self, engine: str, text: Text, index: Path) -> dict[str, Any]:
        index.mkdir()
        job = {"engine": engine, "index": str(index)}
        build = {**job, "do": "build", "documents": str(text.documents), "threads": self.threads}
        size, cost = self.environment.work(f"{engine}-build", build)
        count = {**job, "do": "statistics", "words": str(text.vocabulary)}
        counted, _ = self.environment.work(f"{engine}-statistics", count)
        return facts_of(size, cost, postings.Statistics(**counted))


def facts_of(size: int, cost: Cost, statistics: postings.Statistics) -> dict[str, Any]:
    """What is kept of a build."""
    return {
        "bytes": size,
        "cost": dataclasses.asdict(cost),
        "statistics": dataclasses.asdict(statistics),
    }


def same(statistics: postings.Statistics, expected: postings.Statistics) -> bool:
    """Whether two indexes have the same postings, as far as they tell."""
    tokens = expected.tokens if statistics.tokens is None else statistics.tokens
    return dataclasses.replace(statistics, tokens=tokens) == expected
