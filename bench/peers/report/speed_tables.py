"""Tables of queries a second."""

import dataclasses

from peers.measure.indexes import GANNET
from peers.measure.timing import EMPTY_TASKS, TASKS, Case, Series, Task, tasks_of
from peers.report.report import Report
from peers.report.tables import table, title
from peers.text.preparation import NOTHING


@dataclasses.dataclass(frozen=True)
class Line:
    """What every engine was asked alike."""

    task: Task
    case: Case
    best: dict[str, Series]  #: of engines that were measured so

    @property
    def head(self) -> str:
        """Its name."""
        threads = f"{self.case.threads} thread{'s' * (self.case.threads > 1)}"
        return self.task.head if self.task.single else f"{self.task.head}, {threads}"

    @property
    def cpu_ratio(self) -> str:
        """The same of queries a CPU second."""
        peers = [series.cpu_rate for engine, series in self.best.items() if engine != GANNET]
        ours = self.best[GANNET].cpu_rate if GANNET in self.best else 0.0
        return f"{ours / max(peers):.2f}" if ours > 0 and max(peers, default=0) > 0 else "-"

    @property
    def ratio(self) -> str:
        """Gannet's rate over that of the best peer."""
        peers = [series.rate for engine, series in self.best.items() if engine != GANNET]
        return f"{self.best[GANNET].rate / max(peers):.2f}" if peers else "-"

    def rate(self, engine: str, which: str = "rate") -> str:
        """Queries a second, in three digits; a dash for what was not measured."""
        if engine not in self.best:
            return "-"
        value = getattr(self.best[engine], which)
        return f"{round(value, min(0, 3 - len(str(int(value))))):,.0f}"


def speed_tables(report: Report) -> list[str]:
    """A table for each collection and log."""
    cases: dict[tuple[str, str, int], list[Case]] = {}
    for case, queries in report.cases:
        cases.setdefault((case.collection, case.log, queries), []).append(case)
    tables = []
    for (collection, log, queries), group in cases.items():
        name = f"{collection}, {queries:,} queries of {log}"
        lines = lines_of(report, group)
        tables.append(
            empty_table(name, lines, report) if log == NOTHING else speed_table(name, lines, report)
        )
    return tables


def lines_of(report: Report, cases: list[Case]) -> list[Line]:
    """The lines of a table."""
    lines = []
    for task in dict.fromkeys([*TASKS, *EMPTY_TASKS]):
        for case in cases:
            if task not in tasks_of(case):
                continue
            found = {engine: report.timing.best(engine, case, task) for engine in report.engines}
            best = {engine: series for engine, series in found.items() if series}
            lines.append(Line(task, case, best))
    return lines


def peers_of(report: Report) -> list[str]:
    """All engines but Gannet."""
    return [engine for engine in report.engines if engine != GANNET]


def speed_table(name: str, lines: list[Line], report: Report) -> str:
    """One table, with what is to be known of it."""
    peers = peers_of(report)
    heads = [f"{name}; queries/s", "Gannet, planning included", "its search alone"]
    heads += [*map(title, peers), "Gannet with planning / best peer", "the same by CPU seconds"]
    rows = [
        [
            line.head,
            line.rate(GANNET),
            line.rate(GANNET, "search_rate"),
            *(line.rate(engine) for engine in peers),
            line.ratio,
            line.cpu_ratio,
        ]
        for line in lines
    ]
    notes = [algorithms(lines, engine) for engine in peers]
    return "\n".join([table(heads, rows), "", *filter(None, notes), spread(lines)])


def empty_table(name: str, lines: list[Line], report: Report) -> str:
    """What a query takes that reads no posting."""
    heads = [f"{name}; microseconds a query", *map(title, report.engines)]
    rows = [
        [line.head, *(microseconds(line, engine) for engine in report.engines)] for line in lines
    ]
    return table(heads, rows)


def microseconds(line: Line, engine: str) -> str:
    """What a query takes; a dash for what was not measured."""
    return f"{1e6 / line.best[engine].rate:.1f}" if engine in line.best else "-"


def algorithms(lines: list[Line], engine: str) -> str:
    """Which of an engine's algorithms the figures are of, where it has several."""
    names = [line.best[engine].algorithm for line in lines if engine in line.best]
    modes = {line.task.mode for line in lines if engine in line.best}
    if len(set(names)) <= len(modes):
        return ""
    return f"{title(engine)}'s fastest algorithms, in this order: {', '.join(names)}."


def spread(lines: list[Line]) -> str:
    """How far passes lie apart."""
    spreads = [series.spread for line in lines for series in line.best.values()]
    worst = 100 * max(spreads, default=0.0)
    return f"Passes of one engine differ by at most {worst:.0f} % from the fastest to the slowest."
