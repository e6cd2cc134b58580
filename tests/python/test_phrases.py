"""Phrases and windows, against all choices of places in the texts. Shares no code with the library."""

from __future__ import annotations

import itertools
import math
import random
from pathlib import Path

import gannet
import numpy as np
import pytest

WORDS = [f"w{n}" for n in range(12)]


def texts(seed: int, documents: int) -> list[str]:
    drawn = random.Random(seed)
    weights = [1 / (n + 1) for n in range(len(WORDS))]
    return [
        " ".join(drawn.choices(WORDS, weights, k=drawn.randint(1, 24))) for _ in range(documents)
    ]


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


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> tuple[gannet.Index, list[str]]:
    made = texts(1, 1500)
    path = tmp_path_factory.mktemp("phrases") / "idx"
    documents = [{"id": f"d{n}", "contents": text} for n, text in enumerate(made)]
    gannet.Index.build(documents[:1000], path, stemmer="none", store=True)
    with gannet.Writer(path) as writer:
        for document in documents[1000:]:
            writer.add(document)
    return gannet.Index.open(path), made


def bm25(index: gannet.Index, made: list[str], words: list[str], tf: int, text: str) -> np.float32:
    """With Lucene's idf, summed over the words: operations rounded as the library documents."""
    n = len(made)
    average = sum(len(text.split()) for text in made) / n
    factor = 0.0
    for word in words:
        df = sum(word in text.split() for text in made)
        idf = math.log1p((n - df + 0.5) / (df + 0.5))
        factor += float(np.float32(idf * (float(np.float32(0.9)) + 1.0)))
    k1, b = float(np.float32(0.9)), float(np.float32(0.4))
    length = np.float32(len(text.split()))
    norm = np.float32(k1 * (1 - b)) + np.float32(k1 * b / average) * length
    return np.float32(factor) * np.float32(tf) / (np.float32(tf) + norm)


@pytest.mark.parametrize("seed", range(8))
def test_against_brute_force(collection: tuple[gannet.Index, list[str]], seed: int) -> None:
    index, made = collection
    drawn = random.Random(seed)
    for _ in range(25):
        form = drawn.choice(["phrase", "#od", "#uw", "NEAR", "ONEAR"])
        n = drawn.choice([0, 0, 1, 2, 3, 8]) if form == "phrase" else drawn.randint(1, 8)
        words = drawn.choices(WORDS, k=drawn.choice([2, 2, 2, 3, 4]))
        query = written(form, n, words)
        counts = {d: frequency(form, n, words, text) for d, text in enumerate(made)}
        matching = {d: count for d, count in counts.items() if count > 0}
        assert index.count(query) == len(matching), query
        hits = index.search(query, k=2000)
        assert sorted(hits.ids) == sorted(f"d{d}" for d in matching), query
        for hit in list(hits)[:20]:
            d = int(hit.id[1:])
            score = bm25(index, made, words, matching[d], made[d])
            assert np.float32(hit.score) == score, (query, hit.id)


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
