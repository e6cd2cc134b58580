"""The classes of the Search Benchmark Game, step by step."""

from peers import machine
from peers.comparison import say, without_paths
from peers.errors import Exit, PeersError
from peers.game.classes import TOP_10, TOP_10_COUNT, TOP_100, GameLogs
from peers.game.logs import make_logs
from peers.game.report import GameReport
from peers.game.timing import GameTiming
from peers.gannet import Gannet
from peers.measure.checks import Asked, Checks
from peers.measure.indexes import GANNET, Built, Indexes
from peers.options import Options
from peers.systems import SYSTEMS
from peers.text.preparation import Preparation, Text
from peers.work.environment import open_environment
from peers.work.processes import Runner
from peers.work.workplace import Workplace


class GameComparison:
    """One run, over the first collection."""

    def __init__(self, options: Options, workplace: Workplace) -> None:
        if not options.collections:
            raise PeersError(Exit.USAGE, "--game: it takes a collection; name one")
        busy = machine.load()
        self.options = options
        self.runner = Runner(workplace)
        self.gannet = Gannet(self.runner, options.gannet)
        say(f"peers' environment in {workplace.folder}")
        environment = open_environment(self.runner, with_java="lucene" in options.peers)
        self.preparation = Preparation(workplace, environment, self.gannet, options.data)
        self.indexes = Indexes(
            workplace, environment, self.gannet, options.threads, options.rebuild
        )
        self.checks = Checks(workplace, environment, self.gannet)
        self.timing = GameTiming(environment, self.gannet, options.repeats, options.settle)
        engines = [GANNET, *options.peers]
        versions = {"Gannet": self.gannet.version["gannet_version"], **environment.versions}
        # What of the options the report is about: no paths of this machine.
        names = ("peers", "threads", "queries", "rounds", "repeats", "settle")
        facts = {name: getattr(options, name) for name in names}
        self.report = GameReport(machine.description(), versions, facts, self.timing, busy, engines)

    def run(self) -> GameReport:
        """Does everything."""
        assert self.options.game
        collection = self.options.collections[0]
        say(f"{collection.name}: analysed text")
        text = self.preparation.text(collection)
        logs = make_logs(self.preparation, text, self.options.game, self.options.queries)
        if not logs.queries:
            raise PeersError(
                Exit.USAGE,
                f"--game {self.options.game}: no query has two words and more, all of them in "
                f"{collection.name}",
            )
        indexes = self._build(text)
        self.report.collection, self.report.logs = collection.name, logs
        self.report.indexes = list(indexes.values())
        for engine in self.options.peers:
            say(f"{SYSTEMS[engine].title}'s hits and counts beside Gannet's")
            self._check(text, indexes[GANNET], indexes[engine], logs)
        for number in range(self.options.rounds):
            first = number % len(indexes)
            for engine in self.report.engines[first:] + self.report.engines[:first]:
                say(f"round {number + 1}: {engine}")
                self.timing.measure(indexes[engine], text, logs)
        for name, command in self.runner.commands.items():
            if name.startswith("gannet-"):
                self.report.commands[name] = without_paths(command, self.options)
        return self.report

    def _build(self, text: Text) -> dict[str, Built]:
        indexes = {}
        for engine in self.report.engines:
            say(f"{text.collection.name}: index of {engine}")
            indexes[engine] = self.indexes.build(engine, text)
        return indexes

    def _check(self, text: Text, ours: Built, theirs: Built, logs: GameLogs) -> None:
        modes = [
            mode
            for mode in SYSTEMS[theirs.engine].modes
            if any(one.mode == mode for one in logs.classes)
        ]

        def asked(ks: list[int]) -> list[Asked]:
            return [Asked("the game", logs.mode_path(mode), mode, k) for mode in modes for k in ks]

        hits, counts = asked([TOP_10.k, TOP_100.k]), asked([0, TOP_10_COUNT.k])
        self.report.rankings += self.checks.rankings_of(text, ours, theirs, hits)
        self.report.counts += self.checks.counts_of(text, ours, theirs, counts)
