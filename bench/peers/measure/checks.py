"""The engines' hits beside Gannet's under the same formula, and their effectiveness."""

import dataclasses
from pathlib import Path
from typing import Any

from peers.gannet import Gannet
from peers.measure.agreement import Agreement, compare
from peers.measure.indexes import Built
from peers.systems import SYSTEMS
from peers.text import postings
from peers.text.preparation import Text
from peers.work.environment import Environment
from peers.work.workplace import Workplace

#: Hits of which rankings are compared, and of which effectiveness is measured.
TOP, DEPTH = 10, 1000
MEASURES = ("map", "ndcg@10", "p@10")
#: Gannet's own BM25.
DEFAULT_SCORER = "k1=0.9,b=0.4"


@dataclasses.dataclass(frozen=True)
class Asked:
    """What is asked of engines whose answers are compared."""

    log: str
    topics: Path
    mode: str
    k: int  #: hits; 0: only how many documents match

    def job(self) -> dict[str, Any]:
        """For worker.py."""
        return {**dataclasses.asdict(self), "topics": str(self.topics)}


@dataclasses.dataclass(frozen=True)
class RankingCheck:
    """Rankings of a peer's algorithm for a query log."""

    engine: str
    collection: str
    log: str
    mode: str
    algorithm: str
    agreement: Agreement
    k: int = TOP

    @property
    def passed(self) -> bool:
        """Whether all queries agree."""
        return self.agreement.agreeing == self.agreement.queries


@dataclasses.dataclass(frozen=True)
class CountCheck:
    """A peer's numbers of matches for a query log beside Gannet's."""

    engine: str
    collection: str
    log: str
    mode: str
    queries: int
    agreeing: int
    first: str | None  #: a query that does not agree
    k: int = 0  #: hits that were asked for, too

    @property
    def passed(self) -> bool:
        """Whether all counts are the same."""
        return self.agreeing == self.queries


@dataclasses.dataclass(frozen=True)
class EffectivenessCheck:
    """A peer's effectiveness, and Gannet's under the same formula."""

    engine: str
    collection: str
    peer: dict[str, float]
    gannet: dict[str, float]

    @property
    def passed(self) -> bool:
        """Whether MAP is as near as the formulas are."""
        return abs(self.peer["map"] - self.gannet["map"]) <= SYSTEMS[self.engine].map_tolerance


class Checks:
    """Compares run files."""

    def __init__(self, workplace: Workplace, environment: Environment, gannet: Gannet) -> None:
        self.workplace = workplace
        self.environment = environment
        self.gannet = gannet

    def rankings(
        self, text: Text, ours: Built, theirs: Built, logs: dict[str, Path]
    ) -> list[RankingCheck]:
        """The peer's 10 best of every query, by each of its algorithms."""
        modes = SYSTEMS[theirs.engine].modes
        asked = [Asked(log, path, mode, TOP) for log, path in logs.items() for mode in modes]
        return self.rankings_of(text, ours, theirs, asked)

    def rankings_of(
        self, text: Text, ours: Built, theirs: Built, asked: list[Asked]
    ) -> list[RankingCheck]:
        """The peer's k best of what is asked, by each of its algorithms."""
        system = SYSTEMS[theirs.engine]
        checks = []
        for row in self._runs(text, theirs, [one.job() for one in asked]):
            mode, k = row["mode"], row["k"]
            expected = self._gannet_run(ours, Path(row["topics"]), mode, k, system.scorer)
            agreement = compare(expected, Path(row["run"]), system.tolerance)
            of = theirs.engine, theirs.collection, row["log"], mode, row["algorithm"]
            checks.append(RankingCheck(*of, agreement, k))
        return checks

    def counts(
        self, text: Text, ours: Built, theirs: Built, logs: dict[str, Path]
    ) -> list[CountCheck]:
        """The peer's counts of matches for every query, if it counts."""
        modes = SYSTEMS[theirs.engine].modes
        asked = [Asked(log, path, mode, 0) for log, path in logs.items() for mode in modes]
        return self.counts_of(text, ours, theirs, asked)

    def counts_of(
        self, text: Text, ours: Built, theirs: Built, asked: list[Asked]
    ) -> list[CountCheck]:
        """The peer's counts of matches, told beside k hits, if it counts."""
        if SYSTEMS[theirs.engine].uncounted:
            return []
        job = {**self._job("counts", text, theirs), "runs": [one.job() for one in asked]}
        found, _ = self.environment.work(f"{theirs.engine}-counts", job)
        checks = []
        for one, counts in zip(asked, found, strict=True):
            expected = self.gannet.counts(ours.path, one.topics, one.mode)
            names = [line.partition("\t")[0] for line in postings.read_lines(one.topics)]
            wrong = differing(names, expected, counts)
            of = theirs.engine, theirs.collection, one.log, one.mode
            agreeing, first = len(names) - len(wrong), wrong[0] if wrong else None
            checks.append(CountCheck(*of, len(names), agreeing, first, one.k))
        return checks

    def effectiveness(
        self, text: Text, ours: Built, theirs: Built, topics: Path, qrels: Path
    ) -> EffectivenessCheck:
        """Both on a judged collection."""
        runs = [{"topics": str(topics), "mode": "or", "k": DEPTH}]
        run = self._runs(text, theirs, runs)[0]["run"]
        expected = self._gannet_run(ours, topics, "or", DEPTH, SYSTEMS[theirs.engine].scorer)
        return EffectivenessCheck(
            theirs.engine,
            theirs.collection,
            chosen(self.gannet.evaluate(qrels, Path(run))),
            chosen(self.gannet.evaluate(qrels, expected)),
        )

    def default_effectiveness(self, ours: Built, topics: Path, qrels: Path) -> dict[str, float]:
        """Gannet's with its defaults."""
        run = self._gannet_run(ours, topics, "or", DEPTH, DEFAULT_SCORER)
        return chosen(self.gannet.evaluate(qrels, run))

    def _runs(self, text: Text, built: Built, runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
        folder = self.workplace.scratch("runs")
        job = {**self._job("runs", text, built), "runs": runs, "folder": str(folder)}
        rows: list[dict[str, Any]]
        rows, _ = self.environment.work(f"{built.engine}-runs", job)
        return rows

    def _job(self, what: str, text: Text, built: Built) -> dict[str, Any]:
        return {
            "do": what,
            "engine": built.engine,
            "index": str(built.path),
            "documents": str(text.documents),
        }

    def _gannet_run(self, ours: Built, topics: Path, mode: str, k: int, scorer: str) -> Path:
        output = self.workplace.path("scratch", "gannet.run")
        self.gannet.run_file(ours.path, topics, mode, k, scorer, output)
        return output


def differing(names: list[str], expected: list[int], found: list[int]) -> list[str]:
    """The queries whose counts differ."""
    rows = zip(names, expected, found, strict=True)
    return [name for name, ours, theirs in rows if ours != theirs]


def chosen(means: dict[str, float]) -> dict[str, float]:
    """The measures that are reported."""
    return {measure: means[measure] for measure in MEASURES}
