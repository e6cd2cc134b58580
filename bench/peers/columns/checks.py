"""Whether both engines answer the same."""

import dataclasses
import json
from pathlib import Path
from typing import Any

from peers.columns.answers import Answer, difference, of_gannet
from peers.columns.engines import GANNET, TANTIVY, ColumnIndex
from peers.columns.questions import Question
from peers.gannet import Gannet
from peers.systems import SYSTEMS
from peers.work.environment import Environment
from peers.work.workplace import Workplace


@dataclasses.dataclass(frozen=True)
class Check:
    """The answers to a question, compared."""

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
    """Asks both engines."""

    def __init__(
        self, workplace: Workplace, environment: Environment, gannet: Gannet, only: str
    ) -> None:
        self.only = only
        self.workplace = workplace
        self.environment = environment
        self.gannet = gannet

    def compare(
        self, asked: list[Question], indexes: dict[str, ColumnIndex], logs: dict[str, Path]
    ) -> list[Check]:
        """The answers to all questions."""
        job = {
            "do": "answer-columns",
            "index": str(indexes[TANTIVY].path),
            "documents": str(indexes[TANTIVY].documents),
            "logs": {name: str(path) for name, path in logs.items()},
            "count": indexes[TANTIVY].count,
            "only": self.only,
        }
        theirs, _ = self.environment.work("tantivy-columns-answers", job)
        return [
            self._compare(question, indexes[GANNET].path, logs[question.log], answers)
            for question, answers in zip(asked, theirs, strict=True)
        ]

    def _compare(
        self, question: Question, index: Path, log: Path, theirs: list[Answer]
    ) -> Check:
        ours = [of_gannet(question, line) for line in self._lines(question, index, log)]
        tolerance = SYSTEMS[TANTIVY].tolerance
        agreeing, first = 0, ""
        for number, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            differs = difference(question, a, b, tolerance)
            agreeing += differs is None
            if differs and not first:
                first = f"query {number}: {differs}"
        counts = [answer.get("count", 0) for answer in ours]
        return Check(question.name, len(ours), agreeing, sum(counts) / len(counts), first)

    def _lines(self, question: Question, index: Path, log: Path) -> list[dict[str, Any]]:
        output = self.workplace.path("scratch", "gannet-answers.jsonl")
        extra: dict[str, Any] = {}
        if question.kind == "hits":
            extra["stats"] = "row"  # so that matches are told
        elif question.kind == "sort":
            extra["fields"] = question.field
        self.gannet.answers(
            index, log, question.mode, {**question.options, **extra}, SYSTEMS[TANTIVY].scorer, output
        )
        return [json.loads(text) for text in output.read_text(encoding="utf-8").splitlines()]
