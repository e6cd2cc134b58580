"""Figures out of the JSON files of `bench/peers.sh`."""

import dataclasses
from typing import Any

from report.sources import PEER_COUNTS, PEERS, Source

GANNET = "gannet"
#: Engines by the name that readers know.
TITLES = {"lucene": "Lucene", "pisa": "PISA", "tantivy": "tantivy", "bm25s": "bm25s"}
COLLECTIONS = {"wikipedia-a": "93,369 articles", "wikipedia-a:40": "603,283 passages"}
LOGS = {"terabyte05.efficiency": "Terabyte log", "msmarco-passage.dev-subset": "MS MARCO questions"}


@dataclasses.dataclass(frozen=True)
class Question:
    """What all engines were asked alike."""

    collection: str
    log: str
    threads: int
    mode: str
    k: int  #: 0: how many documents match
    single: bool

    @property
    def head(self) -> str:
        """The task's name."""
        what = f"{self.mode.upper()} {self.k or 'count'}"
        return f"{what}, one at a time" if self.single else what


    @property
    def source(self) -> Source:
        """The run whose rates count: Gannet counts in another way since the first one."""
        return PEERS if self.k else PEER_COUNTS


def document() -> Any:
    """All that the run found which has every figure but the counts."""
    return PEERS.documents[0]


def rates() -> dict[Question, dict[str, float]]:
    """Queries a second of each engine by the fastest of its algorithms."""
    found: dict[Question, dict[str, float]] = {}
    for run in (PEERS, PEER_COUNTS):
        for question, engines in _rates_of(run).items():
            if question.source is run:
                found[question] = engines
    return found


def _rates_of(run: Source) -> dict[Question, dict[str, float]]:
    found: dict[Question, dict[str, float]] = {}
    for series in run.documents[0]["timing"]:
        case, task, engine = series["case"], series["task"], series["engine"]
        if case["collection"] not in COLLECTIONS or case["log"] not in LOGS:
            continue
        if engine != GANNET and engine not in TITLES:
            continue
        question = Question(
            case["collection"],
            case["log"],
            case["threads"],
            task["mode"],
            task["k"],
            task["single"],
        )
        engines = found.setdefault(question, {})
        engines[engine] = max(engines.get(engine, 0.0), series["queries_per_second"])
    return found


def best_peer(engines: dict[str, float]) -> tuple[str, float]:
    """The fastest engine that is not Gannet."""
    return max(
        ((name, rate) for name, rate in engines.items() if name != GANNET), key=lambda p: p[1]
    )
