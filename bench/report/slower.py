"""What is slower, or larger, than a peer: found in the JSON files, not chosen."""

import dataclasses

from report import game, peers
from report.sources import (
    BITMAPS,
    CODAG,
    DEFLATE,
    GAME,
    NVCOMP,
    PEER_COUNTS,
    PEERS,
    SELECT,
    TANTIVY2,
    TANTIVY16,
    Source,
)
from report.table import ratio, rounded, table, whole

#: Runs beside search engines, which readers want to know of before codecs.
ENGINES = (PEERS, PEER_COUNTS, TANTIVY2, TANTIVY16, GAME)


@dataclasses.dataclass(frozen=True)
class Comparison:
    """One measurement of Gannet and of a peer. `ratio` is above 1 where Gannet is ahead."""

    what: str  #: comparisons of the same name and peer become one line
    peer: str
    ours: str
    theirs: str
    ratio: float
    source: Source


def comparisons() -> list[Comparison]:
    """All that there are."""
    return [
        *_speeds(),
        *_game(),
        *_indexes(),
        *_columns(TANTIVY2),
        *_columns(TANTIVY16),
        *_codecs(),
        *_selection(),
        *_bitmaps(),
    ]


def slower() -> str:
    """A line for each kind of comparison in which Gannet is behind anywhere."""
    kinds: dict[tuple[str, str, str], list[Comparison]] = {}
    for found in comparisons():
        kinds.setdefault((found.what, found.peer, found.source.name), []).append(found)
    lines = []
    for (what, peer, source), group in kinds.items():
        behind = sorted((one for one in group if one.ratio < 1), key=lambda one: one.ratio)
        if behind:
            worst = behind[0]
            cells = [f"{what} [{source}]", peer, f"{len(behind)} of {len(group)}"]
            cells += [ratio(worst.ratio).strip("*"), worst.ours, worst.theirs]
            lines.append((worst.source not in ENGINES, worst.ratio, cells))
    lines.sort()
    heads = ["question", "peer", "behind in", "Gannet / peer at worst", "there: Gannet", "peer"]
    return table(heads, [cells for _, _, cells in lines])


def _speeds() -> list[Comparison]:
    found = []
    for question, engines in peers.rates().items():
        ours = engines[peers.GANNET]
        for engine, rate in engines.items():
            if engine != peers.GANNET:
                what = f"{question.head}, queries/s"
                figures = rounded(ours), rounded(rate), ours / rate
                found.append(Comparison(what, peers.TITLES[engine], *figures, question.source))
    return found


def _game() -> list[Comparison]:
    return [
        Comparison(
            "classes of the Search Benchmark Game",
            peers.TITLES[engine],
            f"{ours} ({game.name_of(row)})",
            theirs,
            ahead,
            GAME,
        )
        for row in game.rows()
        for engine, ours, theirs, ahead in game.pairs(row)
    ]


def _indexes() -> list[Comparison]:
    found = []
    built = {(one["collection"], one["engine"]): one for one in peers.document()["indexes"]}
    for (collection, engine), theirs in built.items():
        if engine not in peers.TITLES:
            continue
        ours = built[collection, peers.GANNET]
        for what, mine, other, unit in (
            ("bytes to serve an index", ours["bytes"] / 1e6, theirs["bytes"] / 1e6, "MB"),
            ("time to build an index", ours["cost"]["wall"], theirs["cost"]["wall"], "s"),
            (
                "memory to build an index",
                ours["cost"]["peak"] / 2**20,
                theirs["cost"]["peak"] / 2**20,
                "MiB",
            ),
        ):
            figures = f"{whole(mine)} {unit}", f"{whole(other)} {unit}", other / mine
            found.append(Comparison(what, peers.TITLES[engine], *figures, PEERS))
    return found


def _columns(source: Source) -> list[Comparison]:
    rates: dict[tuple[str, int], dict[str, float]] = {}
    for series in source.documents[0]["timing"]:
        key = series["question"], series["threads"]
        rates.setdefault(key, {})[series["engine"]] = series["queries_per_second"]
    threads = max(number for _, number in rates)
    return [
        Comparison(
            f"questions to columns, {number} thread{'s' * (number > 1)} of {threads}, queries/s",
            "tantivy",
            rounded(engines["gannet"]),
            rounded(engines["tantivy"]),
            engines["gannet"] / engines["tantivy"],
            source,
        )
        for (_, number), engines in rates.items()
    ]


def _codecs() -> list[Comparison]:
    found = []
    tables = {one["name"]: one["rows"] for one in NVCOMP.documents[0]["tables"]}
    for ours, theirs in zip(tables["cascaded"], tables["nvcomp"], strict=True):
        figures = (
            _speed(ours["decode"]),
            _speed(theirs["decode"]),
            ours["decode"] / theirs["decode"],
        )
        found.append(Comparison("decoding `cascaded`", "nvCOMP 5.1", *figures, NVCOMP))
        size = f"{ours['bits/int']:.3g} bits", f"{theirs['bits/int']:.3g} bits"
        smaller = theirs["bits/int"] / ours["bits/int"]
        found.append(Comparison("size in `cascaded`", "nvCOMP 5.1", *size, smaller, NVCOMP))
    for document in CODAG.documents:
        for row in document["tables"][0]["rows"]:
            best = max(row["CODAG"], row["CODAG, filled"])
            figures = _speed(row["ours"]), _speed(best), row["ours"] / best
            found.append(Comparison(f"decoding `{row['codec']}`", "CODAG's form", *figures, CODAG))
            size = f"{row['our bits']:.3g} bits", f"{row['CODAG bits']:.3g} bits"
            smaller = row["CODAG bits"] / row["our bits"]
            found.append(
                Comparison("size in `rle-v1`, `rle-v2`", "CODAG's form", *size, smaller, CODAG)
            )
    for document in DEFLATE.documents:
        forms = {row["form"]: row["GB/s"] for row in document["tables"][0]["rows"]}
        best = max(rate for form, rate in forms.items() if form.startswith("codag"))
        figures = _speed(forms["deflate"]), _speed(best), forms["deflate"] / best
        found.append(Comparison("decoding `deflate`", "CODAG's form", *figures, DEFLATE))
    return found


def _selection() -> list[Comparison]:
    found = []
    for row in SELECT.documents[0]["tables"][0]["rows"]:
        ahead = row["fastest of CUB / Gannet"]
        figures = f"{row['Gannet us']:.3g} us", f"{ahead * row['Gannet us']:.3g} us", ahead
        found.append(Comparison("selecting the best k", "CUB", *figures, SELECT))
    return found


def _bitmaps() -> list[Comparison]:
    tables = {one["name"]: one["rows"] for one in BITMAPS.documents[0]["tables"]}
    found = []
    for row in tables["wah-cpu"]:
        ours, theirs = row["WAH, 1 thread"], row["CRoaring, 1 thread"]
        figures = f"{whole(ours)} us", f"{whole(theirs)} us", theirs / ours
        found.append(Comparison("bitmaps, one CPU thread", "CRoaring", *figures, BITMAPS))
    for row in tables["wah-fig4"]:
        ours, theirs = row["WAH MB"], row["CRoaring MB"]
        figures = f"{whole(ours)} MB", f"{whole(theirs)} MB", theirs / ours
        found.append(Comparison("size of bitmaps (`wah64`)", "CRoaring", *figures, BITMAPS))
    return found


def _speed(rate: float) -> str:
    return f"{whole(rate)} GB/s"
