"""Tables of queries a second."""

import dataclasses

from peers.measure.indexes import GANNET
from peers.measure.timing import TASKS, Case, Series, Task, tasks_of
from peers.report.report import Report
from peers.report.tables import table, title


@dataclasses.dataclass(frozen=True)
class Column:
    """What a column shows of every engine."""

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


def speed_tables(report: Report) -> list[str]:
    """A table for each collection and log."""
    cases: dict[str, list[Case]] = {}
    for case, queries in report.cases:
        name = f"{case.collection}, {queries:,} queries of {case.log}"
        cases.setdefault(name, []).append(case)
    return [speed_table(name, columns_of(report, group), report) for name, group in cases.items()]


def columns_of(report: Report, cases: list[Case]) -> list[Column]:
    """The columns of a table."""
    columns = []
    for task in TASKS:
        for case in cases:
            if task not in tasks_of(case):
                continue
            found = {engine: report.timing.best(engine, case, task) for engine in report.engines}
            best = {engine: series for engine, series in found.items() if series}
            columns.append(Column(task, case, best))
    return columns


def speed_table(name: str, columns: list[Column], report: Report) -> str:
    """One table, with what is to be known of it."""
    rows = [
        ["Gannet, planning included", *rates(columns, GANNET, "rate")],
        ["Gannet, search only", *rates(columns, GANNET, "search_rate")],
    ]
    peers = [engine for engine in report.engines if engine != GANNET]
    rows += [[title(engine), *rates(columns, engine, "rate")] for engine in peers]
    rows.append(["Gannet, planning included / best peer", *(column.ratio for column in columns)])
    rows.append(["the same by CPU seconds", *(column.cpu_ratio for column in columns)])
    heads = [f"{name}; queries/s", *(column.head for column in columns)]
    notes = [algorithms(columns, engine) for engine in peers]
    return "\n".join([table(heads, rows), "", *filter(None, notes), spread(columns)])


def rates(columns: list[Column], engine: str, which: str) -> list[str]:
    """Queries a second, in three digits; a dash for what was not measured."""
    texts = []
    for column in columns:
        if engine not in column.best:
            texts.append("-")
            continue
        value = getattr(column.best[engine], which)
        texts.append(f"{round(value, min(0, 3 - len(str(int(value))))):,.0f}")
    return texts


def algorithms(columns: list[Column], engine: str) -> str:
    """Which of an engine's algorithms the figures are of, where it has several."""
    names = [column.best[engine].algorithm for column in columns if engine in column.best]
    modes = {column.task.mode for column in columns if engine in column.best}
    if len(set(names)) <= len(modes):
        return ""
    return f"{title(engine)}'s fastest algorithms, in this order: {', '.join(names)}."


def spread(columns: list[Column]) -> str:
    """How far passes lie apart."""
    spreads = [series.spread for column in columns for series in column.best.values()]
    worst = 100 * max(spreads, default=0.0)
    return f"Passes of one engine differ by at most {worst:.0f} % from the fastest to the slowest."
