"""The engines' hits beside Gannet's under the same formula, and their effectiveness."""

import dataclasses
from pathlib import Path
from typing import Any

from peers.gannet import Gannet
from peers.measure.agreement import Agreement, compare
from peers.measure.indexes import Built
from peers.systems import SYSTEMS
from peers.text.preparation import Text
from peers.work.environment import Environment
from peers.work.workplace import Workplace

#: Hits of which rankings are compared, and of which effectiveness is measured.
TOP, DEPTH = 10, 1000
MEASURES = ("map", "ndcg@10", "p@10")
#: Gannet's own BM25.
DEFAULT_SCORER = "k1=0.9,b=0.4"


@dataclasses.dataclass(frozen=True)
class RankingCheck:
    """Rankings of a peer's algorithm for a query log."""

    engine: str
    collection: str
    log: str
    mode: str
    algorithm: str
    agreement: Agreement

    @property
    def passed(self) -> bool:
        """Whether all queries agree."""
        return self.agreement.agreeing == self.agreement.queries


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
        system = SYSTEMS[theirs.engine]
        runs = [
            {"topics": str(path), "log": log, "mode": mode, "k": TOP}
            for log, path in logs.items()
            for mode in system.modes
        ]
        checks = []
        for row in self._runs(text, theirs, runs):
            expected = self._gannet_run(ours, Path(row["topics"]), row["mode"], TOP, system.scorer)
            agreement = compare(expected, Path(row["run"]), system.tolerance)
            check = RankingCheck(
                theirs.engine,
                theirs.collection,
                row["log"],
                row["mode"],
                row["algorithm"],
                agreement,
            )
            checks.append(check)
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
        job: dict[str, Any] = {
            "do": "runs",
            "engine": built.engine,
            "index": str(built.path),
            "documents": str(text.documents),
        }
        job |= {"runs": runs, "folder": str(folder)}
        rows: list[dict[str, Any]]
        rows, _ = self.environment.work(f"{built.engine}-runs", job)
        return rows

    def _gannet_run(self, ours: Built, topics: Path, mode: str, k: int, scorer: str) -> Path:
        output = self.workplace.path("scratch", "gannet.run")
        self.gannet.run_file(ours.path, topics, mode, k, scorer, output)
        return output


def chosen(means: dict[str, float]) -> dict[str, float]:
    """The measures that are reported."""
    return {measure: means[measure] for measure in MEASURES}
