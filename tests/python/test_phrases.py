"""Phrases and windows, against all choices of places in the texts. Shares no code with the library."""

from __future__ import annotations

import itertools
import math
import os
import random
from pathlib import Path
from typing import Any

import gannet
import numpy as np
import pytest

WORDS = [f"w{n}" for n in range(12)]
#: Random phrases that are tried; a hundred thousand: GANNET_ORACLE=100000 (tools/python_test.sh).
NUMBER = int(os.environ.get("GANNET_ORACLE", "400"))
PER_COLLECTION = 200


def text_of(drawn: random.Random, most: int) -> str:
    weights = [1 / (n + 1) for n in range(len(WORDS))]
    return " ".join(drawn.choices(WORDS, weights, k=drawn.randint(0, most)))


def fits(form: str, n: int, places: tuple[int, ...]) -> bool:
    """Whether these places of words 0, 1, ... are an occurrence."""
    moved = [place - number for number, place in enumerate(places)]
    gaps = [after - before for before, after in itertools.pairwise(places)]
    if form == "phrase":
        return max(moved) - min(moved) <= n
    if form == "#uw":
        return max(places) - min(places) < n
    if form == "NEAR":
        return max(places) - min(places) < n + len(places) - 1
    if form == "#od":
        return all(0 < gap <= n for gap in gaps)
    return all(gap > 0 for gap in gaps) and places[-1] - places[0] < n + len(places) - 1


def frequency(form: str, n: int, words: list[str], text: str) -> int:
    """The number of places where an occurrence begins."""
    tokens = text.split()
    places = [[at for at, token in enumerate(tokens) if token == word] for word in words]
    begins = set()
    for chosen in itertools.product(*places):
        if len(set(chosen)) < len(chosen) or not fits(form, n, chosen):
            continue
        moved = min(place - number for number, place in enumerate(chosen))
        begins.add(moved if form == "phrase" else min(chosen))
    return len(begins)


def written(form: str, n: int, words: list[str]) -> str:
    if form == "phrase":
        return '"' + " ".join(words) + '"' + (f"~{n}" if n > 0 else "")
    if form.startswith("#"):
        return f"{form}{n}({' '.join(words)})"
    return "(" + f" {form}/{n} ".join(words) + ")"


class Collection:
    """Documents with a text and a title, in an index of three segments, some of them deleted."""

    def __init__(self, path: Path, seed: int) -> None:
        self.drawn = random.Random(seed)
        # Some have lists of several tiles, and a text whose codes are long.
        number = self.drawn.choice([40, 100, 160, 700])
        self.documents: list[dict[str, Any]] = [
            {
                "id": f"d{n}",
                "contents": text_of(self.drawn, 300 if n % 100 == 7 and number == 700 else 24),
                "title": text_of(self.drawn, 6),
                "year": self.drawn.randint(0, 9),
            }
            for n in range(number)
        ]
        gone = [one for one in self.documents if self.drawn.random() < 0.1]
        schema = {"title": "text:stemmer=none", "year": "i32"}
        third = number // 3
        gannet.Index.build(self.documents[:third], path, stemmer="none", schema=schema, store=True)
        gannet.add(path, self.documents[third : 2 * third], merge=False)
        gannet.add(path, self.documents[2 * third :], merge=False)
        if gone:
            gannet.delete(path, ids=[one["id"] for one in gone])
        self.index = gannet.Index.open(path)
        self.live = [one for one in self.documents if one not in gone]
        self.tokens = {
            text: [str(one[text]).split() for one in self.documents] for text in ("contents", "title")
        }
        self.number = {one["id"]: n for n, one in enumerate(self.documents)}

    def bm25(self, text: str, words: list[str], tf: int, document: int) -> np.float32:
        """With Lucene's idf, summed over the words: operations rounded as the library documents.

        Deleted documents count; a title's mean length is over the documents that have one.
        """
        tokens = self.tokens[text]
        n = len(tokens)
        having = n if text == "contents" else sum(len(one) > 0 for one in tokens)
        average = sum(map(len, tokens)) / having
        factor = 0.0
        for word in words:
            df = sum(word in one for one in tokens)
            idf = math.log1p((n - df + 0.5) / (df + 0.5))
            factor += float(np.float32(idf * (float(np.float32(0.9)) + 1.0)))
        k1, b = float(np.float32(0.9)), float(np.float32(0.4))
        length = np.float32(len(tokens[document]))
        norm = np.float32(k1 * (1 - b)) + np.float32(k1 * b / average) * length
        return np.float32(factor) * np.float32(tf) / (np.float32(tf) + norm)

    def check(self) -> int:
        """Asks for one random window; the number of documents that have it."""
        drawn = self.drawn
        form = drawn.choice(["phrase", "#od", "#uw", "NEAR", "ONEAR"])
        n = drawn.choice([0, 0, 1, 2, 3, 8]) if form == "phrase" else drawn.randint(1, 8)
        words = drawn.choices(WORDS, k=drawn.choice([2, 2, 2, 3, 4]))
        text = drawn.choice(["contents", "contents", "title"])
        query = f"{text}:{written(form, n, words)}"
        year = drawn.choice([None, None, 3, 7])
        counts = {
            one["id"]: frequency(form, n, words, str(one[text]))
            for one in self.live
            if year is None or one["year"] >= year
        }
        matching = {name: count for name, count in counts.items() if count > 0}
        options = {} if year is None else {"filter": f"year:>={year}"}
        assert self.index.count(query, **options) == len(matching), (query, options)
        k = drawn.choice([1, 10, 200])
        hits = self.index.search(query, k=k, **options)
        assert len(hits) == min(len(matching), k), (query, options)
        scores = {
            name: self.bm25(text, words, tf, self.number[name]) for name, tf in matching.items()
        }
        best = sorted(matching, key=lambda name: (-scores[name], self.number[name]))[:k]
        assert list(hits.ids) == best, (query, options)
        assert [np.float32(hit.score) for hit in hits] == [scores[name] for name in best], query
        return len(matching)


def test_against_brute_force(tmp_path: Path) -> None:
    found = 0
    for seed in range(max(1, NUMBER // PER_COLLECTION)):
        collection = Collection(tmp_path / f"{seed}", seed)
        found += sum(collection.check() > 0 for _ in range(PER_COLLECTION))
    assert found > NUMBER // 4


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> tuple[gannet.Index, list[str]]:
    drawn = random.Random(1)
    made = [text_of(drawn, 24) for _ in range(1500)]
    path = tmp_path_factory.mktemp("phrases") / "idx"
    documents = [{"id": f"d{n}", "contents": text} for n, text in enumerate(made)]
    return gannet.Index.build(documents, path, stemmer="none"), made


def test_with_other_clauses(collection: tuple[gannet.Index, list[str]]) -> None:
    index, made = collection
    has = [frequency("phrase", 1, ["w2", "w5"], text) > 0 for text in made]
    word = ["w3" in text.split() for text in made]
    assert index.count('+"w2 w5"~1 -w3') == sum(a and not b for a, b in zip(has, word))
    assert index.count('"w2 w5"~1 OR w3') == sum(a or b for a, b in zip(has, word))
    assert index.count('w3 AND NOT "w2 w5"~1') == sum(b and not a for a, b in zip(has, word))


def test_without_positions(tmp_path: Path) -> None:
    index = gannet.Index.build([{"id": "a", "contents": "red car"}], tmp_path / "i", positions=False)
    with pytest.raises(gannet.UsageError, match="positions=True"):
        index.search('"red car"')
    assert index.search("red car").ids == ["a"]
