"""Tables of the CPU back end beside other engines."""

import statistics

from report import peers
from report.sources import TANTIVY2, TANTIVY16
from report.table import ratio, rounded, table, whole

TASKS = (("or", 10), ("and", 10))


def speeds() -> str:
    """Queries a second on one thread and on two."""
    rates = peers.rates()
    engines = [name for name in peers.TITLES if any(name in found for found in rates.values())]
    heads = ["queries/s, one thread / two", "", "Gannet", *(peers.TITLES[name] for name in engines)]
    heads.append("Gannet / best peer")
    rows = []
    for collection, documents in peers.COLLECTIONS.items():
        for log, title in peers.LOGS.items():
            name = f"{documents}, {title}"
            for mode, k in TASKS:
                found = [
                    rates.get(peers.Question(collection, log, threads, mode, k, single=False), {})
                    for threads in (1, 2)
                ]
                if not all(found):
                    continue
                shown = [_both(found, engine) for engine in (peers.GANNET, *engines)]
                head = f"{mode.upper()} {k or 'count'}"
                rows.append([name, head, *shown, " / ".join(_ahead(one) for one in found)])
                name = ""
    return table(heads, rows)


def builds() -> str:
    """What building takes, and what serving takes."""
    titles = {peers.GANNET: "Gannet", **peers.TITLES}
    heads = [""]
    for documents in peers.COLLECTIONS.values():
        heads += [f"{documents}: s", "CPU s", "peak MiB", "MB to serve"]
    rows = []
    for engine, title in titles.items():
        cells = [title]
        for collection in peers.COLLECTIONS:
            for one in peers.document()["indexes"]:
                if (one["engine"], one["collection"]) == (engine, collection):
                    cost = one["cost"]
                    cells += [f"{cost['wall']:.1f}", f"{cost['cpu']:.1f}"]
                    cells += [f"{cost['peak'] / 2**20:,.0f}", f"{one['bytes'] / 1e6:.1f}"]
        if len(cells) > 1:
            rows.append(cells)
    return table(heads, rows)


#: Kinds of questions to columns by what their names begin with.
KINDS = {
    "or-": "the ten best of an OR, with filters and without",
    "and-": "the ten best of an AND, with filters and without",
    "all-": "facets, histograms, sums and orders of all documents",
    "words-": "the same of the matches of an OR or an AND",
}


def columns() -> str:
    """Ratios of rates by kind of question."""
    heads = ["questions", "number"]
    for source, threads in ((TANTIVY2, 2), (TANTIVY16, 16)):
        heads += [f"one thread [{source.name}]", f"{threads} threads"]
    rows = []
    for start, title in KINDS.items():
        cells = [title]
        for source in (TANTIVY2, TANTIVY16):
            for threads in (1, max(one["threads"] for one in source.documents[0]["timing"])):
                found = _ratios(source.documents[0]["timing"], start, threads)
                if len(cells) == 1:
                    cells.append(str(len(found)))
                cells.append(
                    f"{statistics.median(found):.2f} ({min(found):.2f} to {max(found):.2f})"
                )
        rows.append(cells)
    return table(heads, rows)


def _ratios(timing: list[dict], start: str, threads: int) -> list[float]:
    rates: dict[str, dict[str, float]] = {}
    for series in timing:
        if series["threads"] == threads and series["question"].startswith(start):
            rates.setdefault(series["question"], {})[series["engine"]] = series[
                "queries_per_second"
            ]
    return [engines["gannet"] / engines["tantivy"] for engines in rates.values()]


def _both(found: list[dict[str, float]], engine: str) -> str:
    rates = [engines[engine] for engines in found if engine in engines]
    return " / ".join(rounded(rate) for rate in rates) if rates else "-"


def _ahead(engines: dict[str, float]) -> str:
    if len(engines) < 2:
        return "-"
    return ratio(engines[peers.GANNET] / peers.best_peer(engines)[1])


def versions() -> str:
    """A line that names what was compared, and where."""
    document = peers.document()
    named = {name.lower(): version for name, version in document["versions"].items()}
    package = {"pisa": "pyterrier-pisa"}
    engines = {one["engine"] for one in document["indexes"]}
    shown = [
        f"{title} {named.get(package.get(engine, engine), '')}".rstrip()
        for engine, title in peers.TITLES.items()
        if engine in engines
    ]
    options = document["options"]
    passes = options["rounds"] * options["repeats"]
    spread = max(series["spread"] for series in document["timing"])
    return (
        f"{', '.join(shown)}; {options['queries']:,} queries of each log, medians of {passes} "
        f"passes after a warm-up, which differ by up to {100 * spread:.0f} percent; load of the "
        f"machine up to {max(document['loads']):.1f}, where two threads are 2."
    )
