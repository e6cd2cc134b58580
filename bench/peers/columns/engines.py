"""The indexes of all engines, and the logs that they are asked."""

import dataclasses
from pathlib import Path
from typing import Any

from peers.columns.fields import FIELDS, REAL
from peers.gannet import Gannet
from peers.measure.indexes import GANNET, INDEX
from peers.options import Options
from peers.systems import SYSTEMS
from peers.text.preparation import Text
from peers.text.sources import require
from peers.work.environment import Environment
from peers.work.processes import Cost
from peers.work.workplace import Workplace, stamp

__all__ = ["GANNET", "PEERS", "ColumnIndex", "ColumnIndexes", "Logs"]
#: Those that have columns, as SYSTEMS calls them.
PEERS = ("tantivy", "lucene")


@dataclasses.dataclass(frozen=True)
class ColumnIndex:
    """An engine's index with columns."""

    path: Path
    documents: Path  #: of the analysed text
    count: int  #: of these
    bytes: int
    cost: Cost


@dataclasses.dataclass(frozen=True)
class Logs:
    """Files of queries, by what a question calls them."""

    paths: dict[str, Path]
    queries: dict[str, int]


class ColumnIndexes:
    """Builds them, or finds them built."""

    def __init__(
        self,
        workplace: Workplace,
        environment: Environment,
        gannet: Gannet,
        options: Options,
        text: Text,
        peers: list[str],
    ) -> None:
        self.workplace = workplace
        self.environment = environment
        self.gannet = gannet
        self.options = options
        self.text = text
        self.peers = peers

    def build(self) -> dict[str, ColumnIndex]:
        """All, with the same rows."""
        rows = self._rows()
        indexes = {}
        for engine in (GANNET, *self.peers):
            folder, facts = self.workplace.part(
                f"columns-{engine}-{self.text.collection.key}",
                [self.text.statistics.frequencies, stamp(rows), self._version(engine)],
                lambda path, engine=engine: self._make(engine, rows, path / INDEX),
                anew=self.options.rebuild,
            )
            indexes[engine] = ColumnIndex(
                folder / INDEX,
                self.text.documents,
                self.text.statistics.documents,
                facts["bytes"],
                Cost(**facts["cost"]),
            )
        return indexes

    def _rows(self) -> Path:
        sources = [
            require(self.options.data / "columns" / field.source, f"the real column {field.name}")
            for field in REAL
        ]
        documents = self.text.statistics.documents

        def make(folder: Path) -> None:
            job = {
                "do": "rows",
                "documents": documents,
                "data": str(self.options.data),
                "output": str(folder / "rows.csv"),
            }
            self.environment.work("rows", job)

        names = [field.option for field in FIELDS]
        folder, _ = self.workplace.part(
            f"rows-{self.text.collection.key}", [documents, names, *map(stamp, sources)], make
        )
        return folder / "rows.csv"

    def _version(self, engine: str) -> Any:
        if engine == GANNET:
            return self.gannet.stamp
        return self.environment.versions[SYSTEMS[engine].package]

    def _make(self, engine: str, rows: Path, index: Path) -> dict[str, Any]:
        if engine == GANNET:
            return self._make_gannet(rows, index)
        index.mkdir()
        job = {
            "do": "build-columns",
            "engine": engine,
            "documents": str(self.text.documents),
            "rows": str(rows),
            "index": str(index),
        }
        _, cost = self.environment.work(f"{engine}-columns-build", job)
        return facts_of(index, cost)

    def _make_gannet(self, rows: Path, index: Path) -> dict[str, Any]:
        fields = [field.option for field in FIELDS]
        threads = self.options.threads
        cost = self.gannet.build(self.text.documents, index, threads, rows=rows, field=fields)
        return facts_of(index, cost)


def facts_of(index: Path, cost: Cost) -> dict[str, Any]:
    """What is kept of a build."""
    size = sum(file.stat().st_size for file in index.iterdir())
    return {"bytes": size, "cost": dataclasses.asdict(cost)}
