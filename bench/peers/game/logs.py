"""The game's queries as analysed text, by class."""

import collections
from pathlib import Path

from peers.game.classes import CLASSES, MODES, GameLogs, QueryClass, class_of
from peers.game.file import GameFile, read_game
from peers.text import analysis
from peers.text.preparation import Preparation, Text
from peers.work.workplace import stamp

#: What is left out after the analysis, and why, as reports say it.
UNKNOWN = "with a word that the collection has not, or asked before"
ONE_TERM = "of one term"
BEYOND = "more than --queries of a class"

Pairs = list[tuple[str, list[str]]]  #: id and words of queries


def make_logs(preparation: Preparation, text: Text, file: Path, limit: int) -> GameLogs:
    """The first `limit` usable queries of each class; made once a file and collection."""

    def make(folder: Path) -> list[dict[str, int]]:
        game = read_game(file)
        skipped = collections.Counter(game.skipped)
        counts: dict[str, int] = {}
        for mode in MODES:
            classes = classified(mode, usable_of(preparation, text, game, mode, skipped), skipped)
            counts |= write(folder, mode, classes, limit, skipped)
        return [counts, {name: number for name, number in skipped.items() if number > 0}]

    folder, (counts, skipped) = preparation.workplace.part(
        f"log-{text.collection.key}-game",
        [stamp(file), text.statistics.frequencies, limit, preparation.gannet.version],
        make,
    )
    queries = {one: counts[one.key] for one in CLASSES if one.key in counts}
    return GameLogs(folder, queries, skipped)


def usable_of(
    preparation: Preparation,
    text: Text,
    game: GameFile,
    mode: str,
    skipped: collections.Counter[str],
) -> Pairs:
    """Analysed queries of a mode."""
    queries = game.queries[mode]
    if not queries:
        return []
    source = preparation.workplace.path("scratch", "game.tsv")
    analysis.write_pairs(((str(n), [query]) for n, query in enumerate(queries)), source)
    found = list(analysis.usable(preparation.export_queries(source), text.words()))
    skipped[UNKNOWN] += len(queries) - len(found)
    return found


def classified(
    mode: str, queries: Pairs, skipped: collections.Counter[str]
) -> dict[QueryClass, Pairs]:
    """Queries by class."""
    classes: dict[QueryClass, Pairs] = {}
    for name, words in queries:
        one = class_of(mode, words)
        if one:
            classes.setdefault(one, []).append((name, words))
        else:
            skipped[ONE_TERM] += 1
    return classes


def write(
    folder: Path,
    mode: str,
    classes: dict[QueryClass, Pairs],
    limit: int,
    skipped: collections.Counter[str],
) -> dict[str, int]:
    """Writes a log for each class and one for all of them; their numbers of queries."""
    kept = {one: classes[one][:limit] for one in CLASSES if one in classes}
    skipped[BEYOND] += sum(len(classes[one]) - len(kept[one]) for one in kept)
    for one, queries in kept.items():
        analysis.write_pairs(queries, folder / f"{one.key}.tsv")
    together = [query for queries in kept.values() for query in queries]
    analysis.write_pairs(together, folder / f"{mode}.tsv")
    return {one.key: len(queries) for one, queries in kept.items()}
