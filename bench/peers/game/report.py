"""What a run over the game's classes found; rows in which Gannet is behind come first."""

import dataclasses
from typing import Any

from peers.game.classes import COMMANDS, COUNT, LONGEST, TOP_10_COUNT, Command, GameLogs, QueryClass
from peers.game.timing import TWO_SEARCHES, GameSeries, GameTiming
from peers.measure.checks import CountCheck, RankingCheck
from peers.measure.indexes import GANNET, Built
from peers.report.markdown import builds, busy_warning, commands, counts, rankings, unsettled
from peers.report.tables import table, title
from peers.systems import SYSTEMS


@dataclasses.dataclass(frozen=True)
class Row:
    """What every engine was asked alike."""

    queries: QueryClass
    command: Command
    number: int  #: of queries
    best: dict[str, GameSeries]  #: of engines that were measured so

    @property
    def head(self) -> str:
        """Its name."""
        return f"{self.queries.head}, {self.command.name}"

    @property
    def ratios(self) -> dict[str, tuple[float, float]]:
        """Gannet beside each peer, by the median query and by all; below 1: it is slower."""
        if GANNET not in self.best:
            return {}
        ours = self.best[GANNET]
        return {
            engine: (one.microseconds / ours.microseconds, ours.rate / one.rate)
            for engine, one in self.best.items()
            if engine != GANNET
        }

    @property
    def least(self) -> float:
        """The worst of the ratios; above all others if there is no peer."""
        return min((min(pair) for pair in self.ratios.values()), default=float("inf"))

    @property
    def ahead(self) -> list[str]:
        """The peers that are faster, by either figure."""
        return [engine for engine, pair in self.ratios.items() if min(pair) < 1]

    def facts(self) -> dict[str, Any]:
        """For the report."""
        return {
            "mode": self.queries.mode,
            "terms": self.queries.terms,
            "or_more": self.queries.terms == LONGEST,
            "command": self.command.name,
            "queries": self.number,
            "engines": {
                engine: {
                    "median_microseconds": one.microseconds,
                    "queries_per_second": one.rate,
                    "algorithm": one.algorithm,
                }
                for engine, one in self.best.items()
            },
            "slower_than": self.ahead,
        }


@dataclasses.dataclass
class GameReport:
    """Everything that a run found."""

    machine: dict[str, Any]
    versions: dict[str, str]
    options: dict[str, Any]
    timing: GameTiming
    busy: float  #: load before anything was done
    engines: list[str]
    collection: str = ""
    logs: GameLogs | None = None
    indexes: list[Built] = dataclasses.field(default_factory=list)
    rankings: list[RankingCheck] = dataclasses.field(default_factory=list)
    counts: list[CountCheck] = dataclasses.field(default_factory=list)
    called: str = ""  #: the command line
    commands: dict[str, str] = dataclasses.field(default_factory=dict)  #: the first of each kind

    @property
    def passed(self) -> bool:
        """Whether all engines agree."""
        return (
            all(built.same for built in self.indexes)
            and all(check.passed for check in self.rankings)
            and all(check.passed for check in self.counts)
        )

    @property
    def rows(self) -> list[Row]:
        """In the order of classes."""
        rows = []
        for queries in self.logs.classes if self.logs else []:
            for command in COMMANDS:
                found = {
                    engine: self.timing.best(engine, queries, command) for engine in self.engines
                }
                best = {engine: series for engine, series in found.items() if series}
                number = self.logs.queries[queries] if self.logs else 0
                rows.append(Row(queries, command, number, best))
        return rows

    @property
    def ordered(self) -> list[Row]:
        """Those in which Gannet is behind first, the worst of them at the top."""
        behind = sorted((row for row in self.rows if row.ahead), key=lambda row: row.least)
        return [*behind, *(row for row in self.rows if not row.ahead)]

    @property
    def skipped(self) -> dict[str, int]:
        """Queries of the file that are left out, by the reason."""
        return self.logs.skipped if self.logs else {}

    def facts(self) -> dict[str, Any]:
        """For --json."""
        return {
            "machine": self.machine,
            "versions": self.versions,
            "options": self.options,
            "load_before": self.busy,
            "loads": self.timing.loads,
            "agree": self.passed,
            "collection": self.collection,
            "skipped": self.skipped,
            "rows": [row.facts() for row in self.ordered],
            "timing": [series.facts() for series in self.timing.series.values()],
            "indexes": [{**built.facts(), "path": built.path.name} for built in self.indexes],
            "rankings": [
                {**dataclasses.asdict(check), "passed": check.passed} for check in self.rankings
            ],
            "counts": [
                {**dataclasses.asdict(check), "passed": check.passed} for check in self.counts
            ],
            "called": self.called,
            "commands": self.commands,
        }

    def markdown(self) -> str:
        """All tables, and what they mean."""
        parts = [
            head(self),
            behind(self),
            rates(self),
            how(self),
            builds(self.indexes),
            rankings(self.rankings),
            counts(self.counts),
            commands(self.called, self.commands),
        ]
        return "\n\n".join(part for part in parts if part) + "\n"


def head(report: GameReport) -> str:
    """Machine, versions, method, and whether to trust it."""
    machine, options = report.machine, report.options
    versions = ", ".join(f"{name} {version}" for name, version in report.versions.items())
    agree = "All engines have the same postings, and agree."
    if not report.passed:
        agree = "**Engines do not agree, see below.**"
    warning = busy_warning(machine["cores"], report.busy, report.timing.loads)
    left_out = "; ".join(f"{reason}: {number}" for reason, number in report.skipped.items())
    return (
        f"# Query classes of the Search Benchmark Game on {report.collection}\n\n"
        f"{machine['cpu']}, {machine['cores']} cores, {machine['system']}; {versions}.\n\n"
        "One query at a time, on one thread; Gannet with its planning. A query counts by the "
        f"median of {options['repeats']} passes after a warm-up, a class by its median query and "
        "by queries a second (all of its queries, one after the other); of "
        f"{options['rounds']} rounds the median. {agree}{warning}"
        f"{unsettled(report.engines, options['settle'])}"
        + (f"\n\nQueries of the file that are left out: {left_out}." if left_out else "")
    )


def behind(report: GameReport) -> str:
    """What is slower, said first."""
    rows, slower = report.rows, [row for row in report.rows if row.ahead]
    if not slower:
        return f"Gannet is slower than no peer in any of {len(rows)} rows."
    peers: dict[str, int] = {}
    for row in slower:
        for engine in row.ahead:
            peers[engine] = peers.get(engine, 0) + 1
    told = ", ".join(f"{title(engine)} in {number}" for engine, number in peers.items())
    return (
        f"Gannet is slower than a peer in {len(slower)} of {len(rows)} rows, by the median query "
        f"or by all: {told}. These rows come first, and the faster peers are named in them."
    )


def rates(report: GameReport) -> str:
    """The table."""
    heads = ["median us / queries a second", "queries", *map(title, report.engines)]
    heads += ["Gannet / best peer: median, all", "slower than"]
    return table(heads, [cells(row, report.engines) for row in report.ordered])


def cells(row: Row, engines: list[str]) -> list[str]:
    """A line of it."""
    found = [row.best.get(engine) for engine in engines]
    figures = [f"{micro(one.microseconds)} / {digits(one.rate)}" if one else "-" for one in found]
    slower = ", ".join(f"**{title(engine)}**" for engine in row.ahead)
    worst = [min(ratio) for ratio in zip(*row.ratios.values(), strict=True)]
    ratios = ", ".join(below(ratio) for ratio in worst) or "-"
    return [row.head, f"{row.number:,}", *figures, ratios, slower]


def how(report: GameReport) -> str:
    """How hits are had with their count, and what is timed of each engine."""
    lines = []
    for engine in report.engines:
        found = {
            row.best[engine].algorithm
            for row in report.rows
            if row.command == TOP_10_COUNT and engine in row.best
        }
        lines.append(f"- {title(engine)}: {timed(engine)}{together(engine, found)}")
    return "\n".join(["What is timed:", "", *lines])


def timed(engine: str) -> str:
    """What is in an engine's times."""
    if engine == GANNET:
        return "the command's `bench query --batch 1`; planning is that of the class, by query."
    return SYSTEMS[engine].timed + "."


def together(engine: str, algorithms: set[str]) -> str:
    """How TOP_10_COUNT is answered."""
    if not algorithms:
        return f" No {TOP_10_COUNT.name}, {COUNT.name}: {SYSTEMS[engine].uncounted}."
    if engine == GANNET:
        return (
            f" {TOP_10_COUNT.name} is not one call: `gannet search --total` makes a search for the "
            "hits and one that counts, and the figure is the sum of both, with one planning."
        )
    if TWO_SEARCHES not in algorithms:
        return f" {TOP_10_COUNT.name} is one call."
    where = "in some rows" if len(algorithms) > 1 else "in all rows"
    return (
        f" {TOP_10_COUNT.name} is one call, or a search for the hits and one that counts where "
        f"their sum is less: {where}."
    )


def micro(value: float) -> str:
    """Microseconds in three digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def digits(rate: float) -> str:
    """A rate in three digits."""
    return f"{round(rate, min(0, 3 - len(str(int(rate))))):,.0f}"


def below(ratio: float) -> str:
    """A ratio that stays below 1 if it is, in bold."""
    text = f"{ratio:.2f}" if ratio >= 1 else f"{min(ratio, 0.99):.2f}"
    return text if ratio >= 1 else f"**{text}**"
