"""The whole comparison, step by step."""

import dataclasses
import json
import os
import sys
import time
from pathlib import Path
from typing import Any, Protocol

from peers import machine
from peers.errors import Exit, PeersError
from peers.gannet import Gannet
from peers.measure.checks import Checks
from peers.measure.indexes import GANNET, Built, Indexes
from peers.measure.timing import Case, Timing
from peers.options import ROOT, Options
from peers.report.plot import require_gnuplot
from peers.report.report import Report
from peers.systems import SYSTEMS
from peers.text import sources
from peers.text.preparation import NOTHING, Preparation, Text
from peers.work.environment import Environment, open_environment
from peers.work.processes import Runner
from peers.work.workplace import Workplace


class Reported(Protocol):
    """A report of any kind."""

    def facts(self) -> dict[str, Any]:
        """Everything that was measured."""
        ...


def say(message: str) -> None:
    """Progress, with the time."""
    print(f"[{time.strftime('%H:%M:%S')}] {message}", file=sys.stderr, flush=True)


class Comparison:
    """One run."""

    def __init__(self, options: Options, workplace: Workplace) -> None:
        busy = machine.load()
        self.options = options
        runner = Runner(workplace)
        self.gannet = Gannet(runner, options.gannet)
        say(f"peers' environment in {workplace.folder}")
        environment: Environment = open_environment(runner, with_java="lucene" in options.peers)
        self.runner = runner
        self.preparation = Preparation(workplace, environment, self.gannet, options.data)
        self.indexes = Indexes(
            workplace, environment, self.gannet, options.threads, options.rebuild
        )
        self.checks = Checks(workplace, environment, self.gannet)
        self.timing = Timing(environment, self.gannet, options.repeats, options.settle)
        self.engines = [GANNET, *options.peers]
        versions = {"Gannet": self.gannet.version["gannet_version"], **environment.versions}
        facts = {field.name: getattr(options, field.name) for field in dataclasses.fields(options)}
        self.report = Report(
            machine.description(), versions, facts, self.timing, busy, self.engines
        )

    def run(self) -> Report:
        """Does everything."""
        cases = [self._prepare(collection) for collection in self.options.collections]
        for collection in self.options.judged:
            self._judge(collection)
        for number in range(self.options.rounds):
            for text, indexes, logs in cases:
                self._round(number, text, indexes, logs)
        for name, command in self.runner.commands.items():
            self.report.commands[name] = without_paths(command, self.options)
        return self.report

    def _prepare(
        self, collection: sources.Collection
    ) -> tuple[Text, dict[str, Built], dict[str, tuple[Path, int]]]:
        """Text, logs and indexes of a collection, and whether rankings agree."""
        text, indexes = self._build(collection)
        logs = {}
        for log in self.options.logs:
            path, queries = self.preparation.log(
                text, log, sources.log_file(self.options.data, log), self.options.queries
            )
            if queries == 0:
                raise PeersError(
                    Exit.USAGE,
                    f"--logs {log}: no query has all its words in {collection.name}; leave one of "
                    "them out",
                )
            logs[log] = (path, queries)
            counts = dict.fromkeys([1, self.options.threads])
            self.report.cases += [
                (Case(collection.name, log, threads), queries) for threads in counts
            ]
        for engine in self.options.peers:
            say(f"{collection.name}: {SYSTEMS[engine].title}'s hits and counts beside Gannet's")
            paths = {log: path for log, (path, _) in logs.items()}
            both = indexes[GANNET], indexes[engine]
            self.report.rankings += self.checks.rankings(text, *both, paths)
            self.report.counts += self.checks.counts(text, *both, paths)
        if logs:
            logs[NOTHING] = self.preparation.nothing(text)
            self.report.cases.append((Case(collection.name, NOTHING, 1), logs[NOTHING][1]))
        return text, indexes, logs

    def _build(self, collection: sources.Collection) -> tuple[Text, dict[str, Built]]:
        say(f"{collection.name}: analysed text")
        text = self.preparation.text(collection)
        indexes = {}
        for engine in self.engines:
            say(f"{collection.name}: index of {engine}")
            indexes[engine] = self.indexes.build(engine, text)
        if not any(known.collection == collection.name for known in self.report.indexes):
            self.report.indexes += indexes.values()
        return text, indexes

    def _judge(self, collection: sources.Collection) -> None:
        text, indexes = self._build(collection)
        topics, qrels = self.preparation.topics(collection)
        say(f"{collection.name}: effectiveness")
        self.report.defaults[collection.name] = self.checks.default_effectiveness(
            indexes[GANNET], topics, qrels
        )
        for engine in self.options.peers:
            check = self.checks.effectiveness(text, indexes[GANNET], indexes[engine], topics, qrels)
            self.report.effectiveness.append(check)

    def _round(
        self, number: int, text: Text, indexes: dict[str, Built], logs: dict[str, tuple[Path, int]]
    ) -> None:
        """All engines in turn, each round beginning with another one."""
        first = number % len(self.engines)
        for case, queries in self.report.cases:
            if case.collection != text.collection.name:
                continue
            for engine in self.engines[first:] + self.engines[:first]:
                what = f"{case.collection}, {case.log}, {engine}, threads: {case.threads}"
                say(f"round {number + 1}: {what}")
                self.timing.measure(
                    indexes[engine], text.documents, case, logs[case.log][0], queries
                )


def require_files(options: Options) -> None:
    """Everything that is missing is told before anything is installed or built."""
    for collection in options.collections + options.judged:
        collection.documents(options.data)
    for collection in options.judged:
        collection.topics(options.data)
        collection.qrels(options.data)
    for log in options.logs:
        sources.log_file(options.data, log)
    if options.game:
        sources.require(options.game, "the query file of the Search Benchmark Game")
    for option, path in (("--json", options.json), ("--plot", options.plot)):
        if path and not os.access(path.parent, os.W_OK):
            raise PeersError(
                Exit.FILES, f"{option} {path}: its folder is missing or cannot be written to"
            )
    if options.plot:
        require_gnuplot()


def without_paths(command: str, options: Options) -> str:
    """A command as the report shows it."""
    for path, name in (
        (options.gannet, "gannet"),
        (options.work, "WORK"),
        (options.data, "GANNET_DATA"),
        (sys.executable, "python3"),
        (f"{ROOT}/", ""),
        *((path, path.name) for path in (options.game, options.json, options.plot) if path),
    ):
        command = command.replace(str(path), name)
    return command


def write_json(report: Reported, path: Path) -> None:
    """Writes everything that was measured."""
    unfinished = path.with_name(path.name + ".unfinished")
    unfinished.write_text(json.dumps(report.facts(), indent=1, default=str) + "\n")
    unfinished.replace(path)
