"""The report in Markdown."""

from peers.measure.checks import MEASURES, CountCheck, RankingCheck
from peers.measure.indexes import GANNET, Built
from peers.options import SETTLED
from peers.report.report import Report
from peers.report.speed_tables import speed_tables
from peers.report.tables import table, title
from peers.systems import SYSTEMS

#: Load of the machine, above this share of its cores more than the run's own, is worth a warning.
BUSY = 0.5


def markdown(report: Report) -> str:
    """All tables, and what they mean."""
    parts = [
        head(report),
        *speed_tables(report),
        builds(report.indexes),
        rankings(report.rankings),
        counts(report.counts),
        effectiveness(report),
        formulas(report),
        commands(report.called, report.commands),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def head(report: Report) -> str:
    """Machine, versions, method, and whether to trust it."""
    machine, options = report.machine, report.options
    memory = f"{machine['memory_bytes'] / 2**30:.0f} GiB"
    versions = ", ".join(f"{name} {version}" for name, version in report.versions.items())
    passes = options["rounds"] * options["repeats"]
    agree = "All engines have the same postings, and agree."
    if not report.passed:
        agree = "**Engines do not agree, see below.**"
    return "\n\n".join(
        [
            "# Gannet's CPU back end beside its peers",
            f"{machine['cpu']}, {machine['cores']} cores, {memory}, {machine['system']}; "
            f"{versions}.",
            f"Medians of {passes} passes (rounds: {options['rounds']}), after a warm-up in each. "
            f"{agree}{warning(report)}"
            f"{unsettled(report.engines, options['settle'])}",
        ]
    )


def warning(report: Report) -> str:
    """What other work on the machine means."""
    return busy_warning(report.machine["cores"], report.busy, report.timing.loads)


def unsettled(engines: list[str], seconds: int) -> str:
    """What too short a warm-up of Lucene means."""
    if "lucene" not in engines or seconds >= SETTLED:
        return ""
    return (
        f" **Lucene's passes began after {seconds} s: Java's compiler was still at work, and its "
        f"figures are too low. Take {SETTLED} s or more (--settle).**"
    )


def busy_warning(cores: int, before: float, loads: list[float]) -> str:
    """The same, of loads before the run and in it."""
    peak = max(loads, default=0.0)
    if before <= BUSY * cores and peak <= (1 + BUSY) * cores:
        return ""
    return (
        f" **The machine was busy with other work (load {before:.1f} before, up to {peak:.1f} "
        "meanwhile): figures are too low, and ratios not to be trusted.**"
    )


def builds(indexes: list[Built]) -> str:
    """What building took, and what came out."""
    heads = "index of,by,wall s,CPU s,peak MiB,MB to serve,bits a posting,documents,postings"
    rows = [
        [
            built.collection,
            title(built.engine),
            f"{built.cost.wall:.1f}",
            f"{built.cost.cpu:.1f}",
            f"{built.cost.peak / 2**20:,.0f}",
            f"{built.bytes / 1e6:,.1f}",
            f"{8 * built.bytes / max(built.statistics.postings, 1):.1f}",
            f"{built.statistics.documents:,}",
            f"{built.statistics.postings:,}",
            verdict(built.same),
        ]
        for built in indexes
    ]
    return table([*heads.split(","), "same postings"], rows)


def rankings(checks: list[RankingCheck]) -> str:
    """The best hits beside Gannet's."""
    heads = "rankings for,by,,queries that agree with Gannet,same hits,scores apart,agree"
    rows = [
        [
            f"{check.collection} - {check.log}",
            f"{title(check.engine)} ({check.algorithm})",
            f"{check.mode.upper()} {check.k}",
            f"{check.agreement.agreeing:,} of {check.agreement.queries:,}",
            f"{100 * check.agreement.overlap:.2f} %",
            f"{check.agreement.farthest:.1e}",
            verdict(check.passed, f"query {check.agreement.first}"),
        ]
        for check in checks
    ]
    return table(heads.split(","), rows) if rows else ""


def counts(checks: list[CountCheck]) -> str:
    """Numbers of matches beside Gannet's."""
    heads = ["counts for", "by", "", "queries that have Gannet's", "agree"]
    rows = [
        [
            f"{check.collection} - {check.log}",
            title(check.engine),
            f"{check.mode.upper()} {check.k or ''}".strip(),
            f"{check.agreeing:,} of {check.queries:,}",
            verdict(check.passed, f"query {check.first}"),
        ]
        for check in checks
    ]
    return table(heads, rows) if rows else ""


def effectiveness(report: Report) -> str:
    """Means over the judged queries."""
    heads = ["judged", "by", "MAP", "nDCG@10", "P@10", "Gannet's MAP by its formula", "agree"]
    rows = []
    for collection, means in report.defaults.items():
        rows.append([collection, "Gannet", *figures(means), "", ""])
        for check in report.effectiveness:
            if check.collection != collection:
                continue
            ours = f"{check.gannet['map']:.4f}"
            peer = [collection, title(check.engine), *figures(check.peer)]
            rows.append([*peer, ours, verdict(check.passed)])
    return table(heads, rows) if rows else ""


def formulas(report: Report) -> str:
    """How the engines score, and what is timed."""
    lines = [
        "Gannet: BM25 with k1 0.9, b 0.4 and idf ln(1 + (N - df + 0.5) / (df + 0.5)), in float32.",
        "",
    ]
    for system in (SYSTEMS[engine] for engine in report.engines if engine != GANNET):
        lines.append(
            f"- {system.title}: {system.formula}. Compared with Gannet's `--scorer-params "
            f"{system.scorer}`; scores may differ by {100 * system.tolerance:g} % "
            f"({system.reason}), MAP by {system.map_tolerance}. Timed: {system.timed}."
            + (f" Counts are not measured: {system.uncounted}." if system.uncounted else "")
        )
    return "\n".join(lines)


def commands(called: str, all_commands: dict[str, str]) -> str:
    """How the comparison was called, and Gannet in it."""
    shown = [command for name, command in all_commands.items() if name.startswith("gannet-")]
    lines = [f"    {command}" for command in [called, *shown]]
    return "\n".join(["Commands; of those of gannet the first of each kind:", "", *lines])


def figures(means: dict[str, float]) -> list[str]:
    """Effectiveness in four digits."""
    return [f"{means[measure]:.4f}" for measure in MEASURES]


def verdict(passed: bool, why: str = "") -> str:
    """Yes, or no and why."""
    return "yes" if passed else f"**no** {why}".strip()
