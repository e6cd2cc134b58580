"""What a run over columns found."""

import dataclasses
from typing import Any

from peers.columns.checks import Check
from peers.columns.engines import GANNET, TANTIVY, ColumnIndex
from peers.columns.timing import ColumnTiming
from peers.report.markdown import busy_warning, verdict
from peers.report.tables import table


@dataclasses.dataclass
class ColumnReport:
    """Everything that a run found."""

    machine: dict[str, Any]
    versions: dict[str, str]
    options: dict[str, Any]
    timing: ColumnTiming
    busy: float  #: load before anything was done
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
    return (
        "# Gannet's columns beside tantivy's fast fields\n\n"
        f"{machine['cpu']}, {machine['cores']} cores, {machine['system']}; {versions}.\n\n"
        f"{report.collection} with columns, {report.queries:,} queries of {report.log}; rounds: "
        f"{options['rounds']}, passes in each: {options['repeats']}, after a warm-up; medians. By "
        "the CPU seconds of one thread, other work on the machine matters little. "
        f"{agree}{warning}"
    )


def rates(report: ColumnReport) -> str:
    """Queries a second of both, and their ratio."""
    heads = ["queries/s"]
    for threads in report.threads:
        name = f"{threads} thread{'s' * (threads > 1)}"
        heads += [f"Gannet, {name}", f"tantivy, {name}", "ratio"]
    heads += ["a CPU second: Gannet", "tantivy", "ratio", "matches", "agree"]
    return table(heads, [row_of(report, check) for check in report.checks])


def row_of(report: ColumnReport, check: Check) -> list[str]:
    """What is known of a question."""
    row = [check.question]
    of = report.timing.series
    for threads in report.threads:
        ours, theirs = (of[name, check.question, threads] for name in (GANNET, TANTIVY))
        row += [digits(ours.rate), digits(theirs.rate), f"{ours.rate / theirs.rate:.2f}"]
    ours, theirs = (of[name, check.question, 1] for name in (GANNET, TANTIVY))
    row += [digits(ours.cpu_rate), digits(theirs.cpu_rate)]
    row.append(f"{ours.cpu_rate / theirs.cpu_rate:.2f}")
    return [*row, f"{check.matches:,.0f}" if check.matches else "", verdict(check.passed, check.first)]


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
