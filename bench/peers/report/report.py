"""Everything that a run found."""

import dataclasses
from typing import Any

from peers.measure.checks import CountCheck, EffectivenessCheck, RankingCheck
from peers.measure.indexes import Built
from peers.measure.timing import Case, Timing


@dataclasses.dataclass
class Report:
    """Everything that a run found."""

    machine: dict[str, Any]
    versions: dict[str, str]
    options: dict[str, Any]
    timing: Timing
    busy: float  #: load before anything was done
    engines: list[str] = dataclasses.field(default_factory=list)
    indexes: list[Built] = dataclasses.field(default_factory=list)
    cases: list[tuple[Case, int]] = dataclasses.field(
        default_factory=list
    )  #: with the log's queries
    rankings: list[RankingCheck] = dataclasses.field(default_factory=list)
    counts: list[CountCheck] = dataclasses.field(default_factory=list)
    effectiveness: list[EffectivenessCheck] = dataclasses.field(default_factory=list)
    defaults: dict[str, dict[str, float]] = dataclasses.field(default_factory=dict)
    called: str = ""  #: the command line
    commands: dict[str, str] = dataclasses.field(default_factory=dict)  #: the first of each kind

    @property
    def passed(self) -> bool:
        """Whether all engines agree."""
        return (
            all(built.same for built in self.indexes)
            and all(check.passed for check in self.rankings)
            and all(check.passed for check in self.counts)
            and all(check.passed for check in self.effectiveness)
        )

    def facts(self) -> dict[str, Any]:
        """For --json."""
        return {
            "machine": self.machine,
            "versions": self.versions,
            "options": self.options,
            "load_before": self.busy,
            "loads": self.timing.loads,
            "agree": self.passed,
            "indexes": [built.facts() for built in self.indexes],
            "timing": [series.facts() for series in self.timing.series.values()],
            "rankings": [
                {**dataclasses.asdict(check), "passed": check.passed} for check in self.rankings
            ],
            "counts": [
                {**dataclasses.asdict(check), "passed": check.passed} for check in self.counts
            ],
            "effectiveness": [
                {**dataclasses.asdict(check), "passed": check.passed}
                for check in self.effectiveness
            ],
            "default_effectiveness": self.defaults,
            "called": self.called,
            "commands": self.commands,
        }
