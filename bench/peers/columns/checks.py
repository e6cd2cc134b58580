"""Whether peers answer as Gannet does."""

import dataclasses
import json
from pathlib import Path
from typing import Any

from peers.columns.answers import Answer, difference, of_gannet
from peers.columns.engines import GANNET, ColumnIndex
from peers.columns.questions import Question, asked_of
from peers.gannet import Gannet
from peers.systems import SYSTEMS
from peers.work.environment import Environment
from peers.work.workplace import Workplace


@dataclasses.dataclass(frozen=True)
class Check:
    """The answers of a peer to a question, compared with Gannet's."""

    peer: str
    question: str
    queries: int
    agreeing: int
    matches: float  #: documents that match a query, on average; 0 where that is not told
    first: str  #: a query that does not agree, and what differs

    @property
    def passed(self) -> bool:
        """Whether all answers agree."""
        return self.agreeing == self.queries


class Checks:
    """Asks the engines."""

    def __init__(
        self, workplace: Workplace, environment: Environment, gannet: Gannet, only: str
    ) -> None:
        self.only = only
        self.workplace = workplace
        self.environment = environment
        self.gannet = gannet

    def compare(
        self,
        peer: str,
        asked: list[Question],
        indexes: dict[str, ColumnIndex],
        logs: dict[str, Path],
    ) -> list[Check]:
        """The answers to all questions that a peer is asked."""
        job = {
            "do": "answer-columns",
            "engine": peer,
            "index": str(indexes[peer].path),
            "documents": str(indexes[peer].documents),
            "logs": {name: str(path) for name, path in logs.items()},
            "count": indexes[peer].count,
            "only": self.only,
        }
        theirs, _ = self.environment.work(f"{peer}-columns-answers", job)
        return [
            self._compare(peer, question, indexes[GANNET].path, logs[question.log], answers)
            for question, answers in zip(asked_of(peer, asked), theirs, strict=True)
        ]

    def _compare(
        self, peer: str, question: Question, index: Path, log: Path, theirs: list[Answer]
    ) -> Check:
        ours = self._ours(peer, question, index, log)
        tolerance = SYSTEMS[peer].tolerance
        agreeing, first = 0, ""
        for number, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            differs = difference(question, a, b, tolerance)
            agreeing += differs is None
            if differs and not first:
                first = f"query {number}: {differs}"
        counts = [answer.get("count", 0) for answer in ours]
        return Check(peer, question.name, len(ours), agreeing, sum(counts) / len(counts), first)

    def _ours(self, peer: str, question: Question, index: Path, log: Path) -> list[Answer]:
        if question.kind == "count":
            filtered = {"filter": question.filter.text} if question.filter else {}
            counts = self.gannet.counts(index, log, question.mode, **filtered)
            return [{"count": count} for count in counts]
        output = self.workplace.path("scratch", "gannet-answers.jsonl")
        extra: dict[str, Any] = {}
        if question.kind == "hits":
            extra["stats"] = "row"  # so that matches are told
        elif question.kind == "sort":
            extra["fields"] = question.field
        self.gannet.answers(
            index, log, question.mode, {**question.options, **extra}, SYSTEMS[peer].scorer, output
        )
        lines = output.read_text(encoding="utf-8").splitlines()
        return [of_gannet(question, json.loads(text)) for text in lines]
