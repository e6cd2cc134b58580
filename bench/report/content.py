"""Writes the tables of bench/RESULTS.md and of the front page, and their plots, from the JSON files."""

import statistics

from report import cpu_tables, gpu_tables, peers, rates
from report.charts import Bar, Curve, bars, curves
from report.slower import slower
from report.sources import BATCHES, COPIES, CURVE, DECODE, MACHINES, PASSAGES, REVIEW, SOURCES
from report.table import rounded, table, whole, wrapped

#: From the front page.
PAGE = "bench/RESULTS.md"
#: What the front page shows of the peers: passages, the Terabyte log, the ten best of an OR.
FRONT = peers.Question("wikipedia-a:40", "terabyte05.efficiency", 1, "or", 10, single=False)


def blocks(results: str) -> dict[str, str]:
    """All blocks by name; `results` is where the document finds bench/results."""
    return {
        "machines": wrapped("; ".join(f"**{one}**, {what}" for one, what in MACHINES.items()) + "."),
        "slower": slower(),
        "queries": gpu_tables.queries(),
        "passages": gpu_tables.passages(),
        "filters": wrapped(gpu_tables.filters()),
        "decoding": gpu_tables.decoding(),
        "beside-codecs": gpu_tables.beside_codecs(),
        "versions": wrapped(cpu_tables.versions()),
        "peers": cpu_tables.speeds(),
        "builds": cpu_tables.builds(),
        "columns": cpu_tables.columns(),
        "sources": sources(results),
        "front": front(),
    }


def plots() -> dict[str, str]:
    """SVG files by name."""
    return {"engines": engines(), "batches": batches()}


def sources(results: str) -> str:
    """Where each figure comes from."""
    rows = []
    for one in SOURCES:
        links = " ".join(f"[{number}]({results}{file})" for number, file in enumerate(one.files, 1))
        rows.append([one.name, one.what, one.machine, one.commit, f"`{_cell(one.command)}`", links])
    return table(["", "what", "machine", "commit", "command", "JSON"], rows)


def _cell(command: str) -> str:
    return command.replace("|", "\\|")


def front() -> str:
    """Four figures with what they rest on."""
    one = rates.median(BATCHES, "queries_per_second", mode="or", k=10)
    two = rates.median(COPIES, "queries_per_second", mode="or", k=10)
    single = [rates.median(REVIEW, field, mode="or", k=10, batch=1) for field in ("p50", "p99")]
    question = peers.Question("wikipedia-a", "terabyte05.efficiency", 1, "or", 10, single=False)
    found = peers.rates()[question]
    best, rate = peers.best_peer(found)
    built = {
        one_of["engine"]: one_of
        for one_of in peers.document()["indexes"]
        if one_of["collection"] == "wikipedia-a"
    }
    cost = built[peers.GANNET]["cost"]
    decoded = [
        row["gpu_graph"]["billion_integers_per_second"]
        for document in DECODE.documents
        for row in document["results"]
        if (row["codec"], row["content"]) == ("gpu-bp128", "docids")
    ]
    size = built[peers.GANNET]["bytes"] / 1e6
    ours, theirs = rounded(found[peers.GANNET]), rounded(rate)
    lines = (
        f"- **{whole(one)} queries a second** on one H200, {whole(two)} on two: the ten best of an OR in 25 million documents, in",
        f"  batches of 50,000. One at a time: {single[0]:.3f} ms, p99 {single[1]:.3f} ms. [How]({PAGE}#queries-on-the-gpu)",
        f"- **{ours} queries a second on one CPU thread**, {theirs} by the fastest other engine here ({peers.TITLES[best]}): the ten best of an",
        f"  OR in 93,369 Wikipedia articles. [All, and where others are faster]({PAGE}#slower-than-a-peer)",
        f"- **{cost['wall']:.1f} s** to index the words of these articles with two threads, in {size:.1f} MB. [Beside others]({PAGE}#building-memory-and-disk)",
        f"- **{statistics.mean(decoded):.0f} billion docids a second** decoded on one H200 by `gpu-bp128`. [All codecs]({PAGE}#decoding-on-the-gpu)",
    )
    return "\n".join(lines)


def engines() -> str:
    """Engines on one collection and log."""
    gpu, cores = (
        next(
            row["queries_per_second"]
            for row in PASSAGES.documents[0]
            if (row["backend"], row["mode"], row["k"]) == (backend, "or", 10)
        )
        for backend in ("cuda", "cpu")
    )
    shown = [
        Bar("Gannet, one NVIDIA H200", gpu, rounded(gpu), ours=True),
        Bar("Gannet, the 16 Xeon cores of its host", cores, rounded(cores), ours=True),
    ]
    found = peers.rates()[FRONT]
    titles = {peers.GANNET: "Gannet", **peers.TITLES}
    for engine, rate in sorted(found.items(), key=lambda pair: -pair[1]):
        name = f"{titles[engine]}, one EPYC core"
        shown.append(Bar(name, rate, rounded(rate), ours=engine == peers.GANNET))
    title = "The 10 best of an OR: 603,283 passages of Wikipedia, TREC 2005 Terabyte log"
    return bars(title, "queries a second", shown)


def batches() -> str:
    """Rates over the size of a batch."""
    shown = []
    for mode, k in rates.SETTINGS:
        points = sorted(
            (row["batch"], row["queries_per_second"])
            for row in rates.rows_of(CURVE)
            if (row["mode"], row["k"]) == (mode, k)
        )
        shown.append(Curve(rates.head(mode, k), points))
    title = "Reference collection (25 million documents), one NVIDIA H200, by batch size"
    return curves(title, "queries in a batch", "queries a second", shown)
