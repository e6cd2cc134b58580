"""Tables of what runs on the GPU."""

import re
import statistics

from report.rates import SETTINGS, head, median
from report.sources import (
    BATCHES,
    BM25F,
    CODAG,
    COPIES,
    CORES,
    COUNTS,
    DECODE,
    DEFLATE,
    FACETS,
    FILTERED,
    FILTERS,
    LISTS,
    NVCOMP,
    OWN_FILTERS,
    PASSAGES,
    QUARTER,
    REVIEW,
    SHAPES,
    SHARDS,
    TILES,
    UNIONS,
    load,
)
from report.table import ratio, table, whole

RATE = "queries_per_second"


def queries() -> str:
    """The reference collection, by setting."""
    columns = (
        ("batches of 1,000", REVIEW, {"batch": 1000}),
        ("of 50,000", BATCHES, {}),
        ("two H200", COPIES, {}),
        ("two H100, half each", SHARDS, {}),
        ("a quarter in memory", QUARTER, {}),
        ("CPU, 16 cores", CORES, {}),
    )
    heads = ["queries/s", f"one query: p50 / p99, ms [{REVIEW.name}]"]
    heads += [f"{title} [{source.name}]" for title, source, _ in columns]
    rows = []
    for mode, k in SETTINGS:
        times = [median(REVIEW, field, mode=mode, k=k, batch=1) for field in ("p50", "p99")]
        cells = [_rate(median(source, RATE, mode=mode, k=k, **more)) for _, source, more in columns]
        rows.append([head(mode, k), " / ".join(f"{time:.3f}" for time in times if time), *cells])
    return table(heads, rows)


def passages() -> str:
    """Both processors of one machine."""
    heads = [f"queries/s [{PASSAGES.name}]"]
    for log in ("Terabyte log", "MS MARCO questions"):
        heads += [f"{log}: GPU", "16 cores", "times"]
    rows = []
    for mode, k in SETTINGS:
        cells = [head(mode, k)]
        for document in PASSAGES.documents:
            gpu, cpu = (
                next(
                    row[RATE]
                    for row in document
                    if (row["backend"], row["mode"], row["k"]) == (backend, mode, k)
                )
                for backend in ("cuda", "cpu")
            )
            cells += [_rate(gpu), _rate(cpu), f"{gpu / cpu:.1f}"]
        rows.append(cells)
    return table(heads, rows)


def filters() -> str:
    """OR, the ten best, within filters: a sentence."""
    rates = {
        name: statistics.median(row[RATE] for file in files for row in load(file)["results"])
        for name, files in FILTERS.items()
    }
    plain = rates.pop("all")
    shares = "; ".join(f"{name}: {rate / plain:.2f}" for name, rate in rates.items())
    return (
        f"With a filter (OR, k = 10, batches of 2,000; without one {_rate(plain)} queries/s) the "
        f"rate is this share of it, by what passes: {shares} [{FILTERED.name}]."
    )


def requests() -> str:
    """Filters, counts, columns, several texts and synonyms: the rate of each, in sentences."""

    def rate(file: str, mode: str) -> str:
        rows = load(file)["results"]
        return next(_rate(row[RATE]) for row in rows if row["mode"] == mode)

    def both(file: str) -> str:
        return f"{rate(file, 'or')} / {rate(file, 'and')}"

    own = ", ".join(rate(file, "or") for file in OWN_FILTERS.files)
    return (
        f"Queries/s, OR / AND: a filter of its own for each query, 50, 10 and 1 % pass: {own} "
        f"[{OWN_FILTERS.name}]; counts: {both(COUNTS.files[0])}, a thousandth deleted: "
        f"{both(COUNTS.files[1])} [{COUNTS.name}]; a facet and a sum over all matches: "
        f"{rate(FACETS.files[0], 'or')} [{FACETS.name}]; 179,820 articles, BM25F with titles: "
        f"{both(BM25F.files[0])} [{BM25F.name}], with synonyms: {both(UNIONS.files[0])} "
        f"[{UNIONS.name}]; an OR with a predicate inside: {rate(SHAPES.files[0], 'or')}, with 100 "
        f"terms: {rate(SHAPES.files[1], 'or')} [{SHAPES.name}] ([deletions and segments]"
        "(history/2026-11-28-plans-of-any-shape-gpu.md))."
    )


#: Codecs of lists, then of columns.
CODECS = (
    "gpu-bp128",
    "gpu-bp256",
    "gpu-dfor",
    "gpu-vbyte128",
    "gpu-vbyte1024",
    "gpu-for",
    "gpu-rfor",
    "nsf",
    "nsv",
)


def decoding() -> str:
    """Decoding by codec."""
    heads = ["G values/s (of the memory's limit)"]
    heads += [f"one list of 2^27, to docids [{DECODE.name}]", f"its gaps [{DECODE.name}]"]
    heads += [f"4,096 lists of 2^16 in one launch, to docids [{LISTS.name}]", "bits a docid"]
    heads += [f"column of 2^27 values of 8 bits [{TILES.name}]", "bits a value"]
    rows = []
    for codec in CODECS:
        one_list = [_one_list(codec, content) for content in ("docids", "gaps")]
        rows.append([f"`{codec}`", *one_list, *_list_batch(codec), *_column(codec)])
    return table(heads, rows)


def _one_list(codec: str, content: str) -> str:
    found = [
        row["gpu_graph"]
        for document in DECODE.documents
        for row in document["results"]
        if (row["codec"], row["content"]) == (codec, content)
    ]
    if not found:
        return "-"
    rate = statistics.mean(one["billion_integers_per_second"] for one in found)
    share = statistics.mean(one["share_of_copy_speed"] for one in found)
    return f"{rate:.0f} ({share:.2f})"


def _list_batch(codec: str) -> list[str]:
    """From the text's first table, lists to docids; a line's second figures are the newer code's."""
    line = re.compile(rf"16 +{codec} +\S+ *\S+ +([0-9.]+)/ *([0-9]+) G/s; bits ([0-9.]+)")
    for text in LISTS.documents[0].splitlines():
        if found := line.fullmatch(text.strip()):
            return [f"{found[2]} ({float(found[1]):.2f})", found[3]]
    return ["-", "-"]


def _column(codec: str) -> list[str]:
    for row in TILES.documents[0]["tables"][0]["rows"]:
        if (row["codec"], row["data"]) == (codec, "uniform, 8 bits"):
            rate = f"{row['write G values/s']:.0f} ({row['of the ceiling']:.2f})"
            return [rate, f"{row['bits/int']:.2f}"]
    return ["-", "-"]


def beside_codecs() -> str:
    """nvCOMP's and CODAG's decoders beside ours."""
    heads = ["codec", "data", "peer", "Gannet, GB/s", "peer, GB/s", "times", "bits: Gannet / peer"]
    rows = []
    tables = {one["name"]: one["rows"] for one in NVCOMP.documents[0]["tables"]}
    pairs = [
        (ours["decode"] / theirs["decode"], (ours, theirs))
        for ours, theirs in zip(tables["cascaded"], tables["nvcomp"], strict=True)
    ]
    for how, (_, (ours, theirs)) in (
        ("least", min(pairs, key=_first)),
        ("most", max(pairs, key=_first)),
    ):
        bits = f"{ours['bits/int']:.3g} / {theirs['bits/int']:.3g}"
        data = f"{ours['data']} (ahead {how} of {len(pairs)})"
        cells = ["`cascaded`", data, f"nvCOMP 5.1 [{NVCOMP.name}]"]
        rows.append([*cells, *_pair(ours["decode"], theirs["decode"]), bits])
    for codec in ("rle-v1", "rle-v2"):
        found = [
            (row["ours"] / max(row["CODAG"], row["CODAG, filled"]), row)
            for document in CODAG.documents
            for row in document["tables"][0]["rows"]
            if row["codec"] == codec
        ]
        for how, (_, row) in (("least", min(found, key=_first)), ("most", max(found, key=_first))):
            best = max(row["CODAG"], row["CODAG, filled"])
            bits = f"{row['our bits']:.3g} / {row['CODAG bits']:.3g}"
            data = f"{row['data']} (ahead {how} of {len(found)})"
            cells = [f"`{codec}`", data, f"CODAG's form [{CODAG.name}]"]
            rows.append([*cells, *_pair(row["ours"], best), bits])
    forms = {row["form"]: row["GB/s"] for row in DEFLATE.documents[0]["tables"][0]["rows"]}
    best = max(rate for form, rate in forms.items() if form.startswith("codag"))
    cells = ["`deflate`", "text of Wikipedia", f"CODAG's form [{DEFLATE.name}]"]
    rows.append([*cells, *_pair(forms["deflate"], best), "the same"])
    return table(heads, rows)


def _pair(ours: float, theirs: float) -> list[str]:
    return [whole(ours), whole(theirs), ratio(ours / theirs)]


def _first(pair: tuple[float, object]) -> float:
    return pair[0]


def _rate(rate: float | None) -> str:
    return "-" if rate is None else f"{rate:,.0f}"
