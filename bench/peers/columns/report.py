"""What a run over columns found."""

import dataclasses
from collections.abc import Callable
from typing import Any

from peers.columns.checks import Check
from peers.columns.engines import GANNET, ColumnIndex
from peers.columns.timing import ColumnSeries, ColumnTiming
from peers.report.markdown import busy_warning, verdict
from peers.report.tables import table
from peers.systems import SYSTEMS


@dataclasses.dataclass
class ColumnReport:
    """Everything that a run found."""

    machine: dict[str, Any]
    versions: dict[str, str]
    options: dict[str, Any]
    timing: ColumnTiming
    busy: float  #: load before anything was done
    peers: list[str]
    collection: str = ""
    log: str = ""
    queries: int = 0
    indexes: dict[str, ColumnIndex] = dataclasses.field(default_factory=dict)
    checks: list[Check] = dataclasses.field(default_factory=list)
    called: str = ""  #: the command line

    @property
    def passed(self) -> bool:
        """Whether all answers agree."""
        return all(check.passed for check in self.checks)

    @property
    def threads(self) -> list[int]:
        """How many threads were at work."""
        return list(dict.fromkeys([1, self.options["threads"]]))

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
            "log": self.log,
            "queries": self.queries,
            "indexes": {
                name: {"bytes": index.bytes, "cost": dataclasses.asdict(index.cost)}
                for name, index in self.indexes.items()
            },
            "checks": [
                {**dataclasses.asdict(check), "passed": check.passed} for check in self.checks
            ],
            "timing": [series.facts() for series in self.timing.series.values()],
            "called": self.called,
        }

    def markdown(self) -> str:
        """All tables, and what they mean."""
        return "\n\n".join([head(self), rates(self), sizes(self), f"    {self.called}"]) + "\n"


def head(report: ColumnReport) -> str:
    """Machine, versions, method, and whether to trust it."""
    machine, options = report.machine, report.options
    versions = ", ".join(f"{name} {version}" for name, version in report.versions.items())
    agree = "All answers that were compared agree." if report.passed else "**Answers differ.**"
    warning = busy_warning(machine["cores"], report.busy, report.timing.loads)
    settled = (
        f" Lucene's come after {options['settle']} s of passes for Java's compiler; its cache of "
        "queries is the default one, which keeps filters, but none of more than some hundred "
        "queries."
        if "lucene" in report.peers
        else ""
    )
    return (
        "# Gannet's columns beside those of its peers\n\n"
        f"{machine['cpu']}, {machine['cores']} cores, {machine['system']}; {versions}.\n\n"
        f"{report.collection} with columns, {report.queries:,} queries of {report.log}; rounds: "
        f"{options['rounds']}, passes in each: {options['repeats']}, after a warm-up; medians. By "
        f"the CPU seconds of one thread, other work on the machine matters little.{settled} "
        f"{agree}{warning}"
    )


def rates(report: ColumnReport) -> str:
    """Queries a second of all, and Gannet's in proportion to each peer's."""
    heads = ["queries/s"]
    for threads in report.threads:
        heads.append(f"Gannet, {threads} thread{'s' * (threads > 1)}")
        heads += ratio_heads(report)
    heads += ["a CPU second: Gannet", *ratio_heads(report), "matches", "agree"]
    asked = dict.fromkeys(check.question for check in report.checks)
    return table(heads, [row_of(report, question) for question in asked])


def ratio_heads(report: ColumnReport) -> list[str]:
    """Of the columns that each peer has."""
    titles = (SYSTEMS[peer].title for peer in report.peers)
    return [head for title in titles for head in (title, "ratio")]


def row_of(report: ColumnReport, question: str) -> list[str]:
    """What is known of a question."""
    row = [question]
    for threads in report.threads:
        row += rates_of(report, question, threads, lambda series: series.rate)
    row += rates_of(report, question, 1, lambda series: series.cpu_rate)
    checks = [check for check in report.checks if check.question == question]
    matches = max(check.matches for check in checks)
    failed = [check for check in checks if not check.passed]
    first = "; ".join(f"{SYSTEMS[check.peer].title}, {check.first}" for check in failed)
    return [*row, f"{matches:,.0f}" if matches else "", verdict(not failed, first)]


def rates_of(
    report: ColumnReport, question: str, threads: int, rate: Callable[[ColumnSeries], float]
) -> list[str]:
    """Gannet's rate, then each peer's and the ratio of the two; nothing of what it is not asked."""
    ours = rate(report.timing.series[GANNET, question, threads])
    row = [digits(ours)]
    for peer in report.peers:
        series = report.timing.series.get((peer, question, threads))
        row += [digits(rate(series)), f"{ours / rate(series):.2f}"] if series else ["", ""]
    return row


def sizes(report: ColumnReport) -> str:
    """What building took."""
    rows = [
        [name, f"{index.cost.wall:.1f}", f"{index.cost.cpu:.1f}", f"{index.bytes / 1e6:,.1f}"]
        for name, index in report.indexes.items()
    ]
    return table(["index with columns by", "wall s", "CPU s", "MB"], rows)


def digits(rate: float) -> str:
    """A rate in three digits."""
    return f"{round(rate, min(0, 3 - len(str(int(rate))))):,.0f}"
