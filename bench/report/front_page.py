"""Figures and the plot of the front page."""

import statistics

from report import game, peers
from report.charts import Bar, bars
from report.rates import median
from report.sources import BATCHES, COPIES, DECODE, PASSAGES, REVIEW
from report.table import bullet, rounded, whole

PAGE = "bench/RESULTS.md"  #: from the front page
TERABYTE = "terabyte05.efficiency"
OR_10 = {"threads": 1, "mode": "or", "k": 10, "single": False}


def figures() -> str:
    """Figures, each with a link to what it rests on."""
    shown = (_on_gpus(), _on_a_core(), _game(), _building(), _decoding())
    return "\n".join(bullet(text) for text in shown)


def _on_gpus() -> str:
    one, two = (
        median(source, "queries_per_second", mode="or", k=10) for source in (BATCHES, COPIES)
    )
    p50, p99 = (median(REVIEW, field, mode="or", k=10, batch=1) for field in ("p50", "p99"))
    return (
        f"**{whole(one)} queries a second** on one H200, {whole(two)} on two: the ten best of an "
        f"OR in 25 million documents, in batches of 50,000. One at a time: {p50:.3f} ms, p99 "
        f"{p99:.3f} ms. [How]({PAGE}#queries-on-the-gpu)"
    )


def _on_a_core() -> str:
    rates = peers.rates()[peers.Question("wikipedia-a", TERABYTE, **OR_10)]
    best, rate = peers.best_peer(rates)
    return (
        f"**{rounded(rates[peers.GANNET])} queries a second on one CPU thread**, {rounded(rate)} "
        f"by the fastest other engine here ({peers.TITLES[best]}): the ten best of an OR in "
        f"93,369 Wikipedia articles. {_counting()}. [Where others are ahead]({PAGE}#slower-than-a-peer)"
    )


def _counting() -> str:
    ahead = [
        engines[peers.GANNET] / peers.best_peer(engines)[1]
        for question, engines in peers.rates().items()
        if (question.mode, question.k) == ("or", 0)
    ]
    return (
        f"Gannet counts the matches of an OR {min(ahead):.1f} to {max(ahead):.1f} times as fast as "
        "the fastest of them"
    )


def _game() -> str:
    return (
        f"**{len(game.rows())} classes of the Search Benchmark Game** on one CPU thread, OR and AND, "
        f"2 to 5 terms and more: {game.told()}. [Beside others]({PAGE}#peers-on-the-cpu)"
    )


def _building() -> str:
    (built,) = (
        one
        for one in peers.document()["indexes"]
        if (one["engine"], one["collection"]) == (peers.GANNET, "wikipedia-a")
    )
    return (
        f"**{built['cost']['wall']:.1f} s** to index the words of these articles with two threads, "
        f"in {built['bytes'] / 1e6:.1f} MB. [Beside others]({PAGE}#building-memory-and-disk)"
    )


def _decoding() -> str:
    rates = [
        row["gpu_graph"]["billion_integers_per_second"]
        for document in DECODE.documents
        for row in document["results"]
        if (row["codec"], row["content"]) == ("gpu-bp128", "docids")
    ]
    return (
        f"**{statistics.mean(rates):.0f} billion docids a second** decoded on one H200 by "
        f"`gpu-bp128`. [All codecs]({PAGE}#decoding-on-the-gpu)"
    )


def engines() -> str:
    """All engines on one collection and log."""
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
    rates = peers.rates()[peers.Question("wikipedia-a:40", TERABYTE, **OR_10)]
    titles = {peers.GANNET: "Gannet", **peers.TITLES}
    for engine, rate in sorted(rates.items(), key=lambda pair: -pair[1]):
        name = f"{titles[engine]}, one EPYC core"
        shown.append(Bar(name, rate, rounded(rate), ours=engine == peers.GANNET))
    title = "The 10 best of an OR: 603,283 passages of Wikipedia, TREC 2005 Terabyte log"
    return bars(title, "queries a second", shown)
