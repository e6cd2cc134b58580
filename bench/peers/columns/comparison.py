"""Gannet's columns beside those of its peers, step by step."""

import dataclasses
from pathlib import Path
from typing import Any

from peers import machine
from peers.columns import own_ranges
from peers.columns.checks import Check, Checks
from peers.columns.engines import GANNET, PEERS, ColumnIndexes, Logs
from peers.columns.questions import Question, questions
from peers.columns.report import ColumnReport
from peers.columns.timing import ColumnTiming
from peers.comparison import say
from peers.engines.base import read_pairs
from peers.errors import Exit, PeersError
from peers.gannet import Gannet
from peers.options import Options
from peers.text import sources
from peers.text.preparation import Preparation
from peers.work.environment import COLUMNS, open_environment
from peers.work.processes import Runner
from peers.work.workplace import Workplace

#: Queries whose answers are compared, of each log.
CHECKED = 100
#: How often all documents are asked for.
ALL_QUERIES = 32


class ColumnComparison:
    """One run, over the first collection and the first log."""

    def __init__(self, options: Options, workplace: Workplace) -> None:
        if not options.collections or not options.logs:
            raise PeersError(
                Exit.USAGE, "--columns: it takes a collection and a log; name them"
            )
        busy = machine.load()
        self.options = options
        self.workplace = workplace
        self.runner = Runner(workplace)
        self.gannet = Gannet(self.runner, options.gannet)
        self.peers = [peer for peer in PEERS if peer in options.peers]
        if not self.peers:
            raise PeersError(
                Exit.USAGE, f"--columns: its peers are {' and '.join(PEERS)}; name one: --peers"
            )
        say(f"the peers' environment in {workplace.folder}")
        self.environment = open_environment(self.runner, COLUMNS, "lucene" in self.peers)
        self.preparation = Preparation(workplace, self.environment, self.gannet, options.data)
        versions = {"Gannet": self.gannet.version["gannet_version"], **self.environment.versions}
        facts = {field.name: getattr(options, field.name) for field in dataclasses.fields(options)}
        self.timing = ColumnTiming(
            self.environment, self.gannet, options.repeats, options.settle, options.only
        )
        self.report = ColumnReport(
            machine.description(), versions, facts, self.timing, busy, self.peers
        )

    def run(self) -> ColumnReport:
        """Does everything."""
        collection = self.options.collections[0]
        say(f"{collection.name}: analysed text, columns, indexes")
        text = self.preparation.text(collection)
        indexes = ColumnIndexes(
            self.workplace, self.environment, self.gannet, self.options, text, self.peers
        ).build()
        self.report.collection, self.report.indexes = collection.name, indexes
        logs = self._logs(text)
        asked = questions(text.statistics.documents, self.options.only)
        self._check(asked, indexes, logs)
        for number in range(self.options.rounds):
            for threads in dict.fromkeys([1, self.options.threads]):
                engines = [GANNET, *self.peers]
                for engine in engines if number % 2 == 0 else reversed(engines):
                    say(f"round {number + 1}: {engine}, threads: {threads}")
                    self.timing.measure(engine, indexes, logs, asked, threads)
        return self.report

    def _logs(self, text: Any) -> Logs:
        log = self.options.logs[0]
        path, queries = self.preparation.log(
            text, log, sources.log_file(self.options.data, log), self.options.queries
        )
        if queries == 0:
            raise PeersError(
                Exit.USAGE, f"--logs {log}: no query has all its words in the collection"
            )
        self.report.log, self.report.queries = log, queries
        texts = [words for _, words in read_pairs(path)]
        copies = own_ranges.copies(text.statistics.documents, len(texts))
        made = {
            "words": texts,
            "own": list(own_ranges.with_ranges(texts * copies)),
            "all": [own_ranges.ALL] * ALL_QUERIES,
        }
        folder = self.workplace.scratch("column-logs")
        return Logs({name: write_log(folder / f"{name}.tsv", made[name]) for name in made}, {
            name: len(made[name]) for name in made
        })

    def _check(self, asked: list[Question], indexes: dict[str, Any], logs: Logs) -> None:
        say("answers of all engines")
        checks = Checks(self.workplace, self.environment, self.gannet, self.options.only)
        first = {
            name: write_log(
                path.with_name(f"{name}-checked.tsv"),
                [text for _, text in read_pairs(path)][: 1 if name == "all" else CHECKED],
            )
            for name, path in logs.paths.items()
        }
        for peer in self.peers:
            found: list[Check] = checks.compare(peer, asked, indexes, first)
            self.report.checks += found


def write_log(path: Path, texts: list[str]) -> Path:
    """Writes a log whose ids are numbers."""
    lines = [f"{number}\t{text}\n" for number, text in enumerate(texts)]
    path.write_text("".join(lines), encoding="utf-8")
    return path
