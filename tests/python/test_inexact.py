"""Words that are inexactly known, held to a loop over all terms that shares no code with the library."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gannet
import pytest

LETTERS = "abcdéñ"
#: Random patterns of each kind; GANNET_ORACLE=100000 tries so many in all (tools/python_test.sh).
NUMBER = int(os.environ.get("GANNET_ORACLE", "1000")) // 5
TITLES = {"title": "text"}


def word(made: random.Random, most: int = 6) -> str:
    return "".join(made.choices(LETTERS, k=made.randrange(1, most + 1)))


def documents(number: int, seed: int) -> list[dict[str, Any]]:
    made = random.Random(seed)
    words = [word(made) for _ in range(400)]
    return [
        {
            "id": f"{seed}-{i}",
            "contents": " ".join(made.choices(words, k=made.randrange(1, 9))),
            "title": " ".join(made.choices(words, k=2)),
        }
        for i in range(number)
    ]


DOCUMENTS = documents(150, 1) + documents(80, 2)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> gannet.Index:
    """Of two segments."""
    path = tmp_path_factory.mktemp("inexact") / "idx"
    gannet.Index.build(
        DOCUMENTS[:150], path, schema=TITLES, stemmer="none", stop_words="none"
    )
    gannet.add(path, DOCUMENTS[150:], merge=False)
    index = gannet.open(path)
    assert index.stats["segments"] == 2
    return index


def terms_of(document: dict[str, Any], text: str) -> list[str]:
    return str(document[text]).lower().split()


TERMS = {
    text: [set(terms_of(document, text)) for document in DOCUMENTS] for text in ("contents", "title")
}


def matching(holds: Callable[[str], bool], text: str = "contents") -> list[int]:
    held = {term for term in set().union(*TERMS[text]) if holds(term)}
    return [i for i, terms in enumerate(TERMS[text]) if not held.isdisjoint(terms)]


def scores_of(hits: gannet.Hits | gannet.BatchHits) -> list[float]:
    assert hits.scores is not None
    return [float(score) for score in hits.scores]


def distance(a: str, b: str) -> int:
    """Damerau-Levenshtein, as optimal string alignment."""
    rows = [list(range(len(b) + 1))]
    for i in range(1, len(a) + 1):
        row = [i]
        for j in range(1, len(b) + 1):
            best = min(rows[-1][j], row[-1]) + 1
            best = min(best, rows[-1][j - 1] + (a[i - 1] != b[j - 1]))
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                best = min(best, rows[-2][j - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]


def test_the_index_has_the_words(index: gannet.Index) -> None:
    known = {term for document in DOCUMENTS for term in terms_of(document, "contents")}
    assert {one.text for one in index.terms(limit=10_000)} == known
    assert all(unicodedata.is_normalized("NFC", term) for term in known)


def test_wildcards(index: gannet.Index) -> None:
    made = random.Random(3)
    found = 0
    for _ in range(NUMBER):
        pattern = "".join(made.choices(LETTERS + "*?", k=made.randrange(1, 6)))
        if not re.search(r"\*", pattern):
            pattern += "*"
        if not re.search(rf"[{LETTERS}]", pattern):
            pattern = "a" + pattern
        spelled = re.compile(pattern.replace("*", ".*").replace("?", "."), re.DOTALL)
        text = made.choice(["contents", "title"])
        expected = matching(lambda term: spelled.fullmatch(term) is not None, text)
        query = f"{text}:{pattern.upper() if made.random() < 0.3 else pattern}"
        assert index.matches(query).tolist() == expected, query
        assert index.count(query) == len(expected), query
        hits = index.search(query, k=5)
        assert hits.docids.tolist() == expected[:5] and set(scores_of(hits)) <= {1.0}, query
        found += len(expected)
    assert found > 2 * NUMBER


def test_regular_expressions(index: gannet.Index) -> None:
    made = random.Random(4)
    parts = ["a", "b", "c", "é", "ñ", ".", "[ab]", "[^a]", "[a-c]", "(ab|d)", "(a|é.|c)"]
    marks = ["", "", "", "*", "+", "?", "{2}", "{1,3}", "{2,}"]
    found = 0
    for _ in range(NUMBER):
        pattern = "".join(
            made.choice(parts) + made.choice(marks) for _ in range(made.randrange(1, 4))
        )
        if not set(pattern) & set(".*+?|()[]{}"):
            pattern += ".*"
        spelled = re.compile(pattern)
        expected = matching(lambda term: spelled.fullmatch(term) is not None)
        query = f"contents:/{pattern}/"
        assert index.matches(query).tolist() == expected, query
        found += len(expected)
    assert found > NUMBER


@pytest.mark.parametrize("prefix", [0, 1, 2])
def test_fuzzy_words(index: gannet.Index, prefix: int) -> None:
    made = random.Random(5)
    found = 0
    for _ in range(NUMBER):
        near = word(made)
        edits = made.choice([0, 1, 2, None])
        most = edits if edits is not None else (0, 1, 2)[(len(near) > 2) + (len(near) > 5)]

        def holds(term: str, near: str = near, most: int = most) -> bool:
            far = distance(near, term)
            same = near[:prefix] == term[:prefix]
            return same and far <= most and far < min(len(near), len(term))

        query = f"contents:{near}~{'' if edits is None else edits}"
        expected = matching(holds)
        assert index.matches(query, fuzzy_prefix=prefix).tolist() == expected, query
        found += len(expected)
    assert found > NUMBER


def test_a_fuzzy_word_is_its_terms_with_weights(index: gannet.Index) -> None:
    made = random.Random(6)
    terms = [one.text for one in index.terms(limit=10_000)]
    for near in made.sample([term for term in terms if len(term) > 2], 40):
        weights = {
            term: 1 - distance(near, term) / min(len(near), len(term))
            for term in terms
            if distance(near, term) <= min(1, len(near) - 1, len(term) - 1)
        }
        a = index.search(f"contents:{near}~1", k=20)
        b = index.search_batch([weights], k=20)
        assert a.docids.tolist() == b.docids.tolist(), near
        assert scores_of(a) == pytest.approx(scores_of(b), rel=1e-6), near


def test_patterns_are_parts_of_queries(index: gannet.Index) -> None:
    def has(start: str, text: str = "contents") -> set[int]:
        return set(matching(lambda term: term.startswith(start), text))

    both = has("a") & has("b", "title")
    assert set(index.matches("contents:a* AND title:b*").tolist()) == both
    assert set(index.matches("+contents:a* -title:b*").tolist()) == has("a") - has("b", "title")
    assert set(index.matches("a*").tolist()) == has("a") | has("a", "title")
    assert set(scores_of(index.search("contents:a*^2.5", k=3))) == {2.5}


def test_too_many_terms_are_an_error_with_their_number(index: gannet.Index) -> None:
    number = len(index.terms(limit=10_000))
    assert number > 100
    with pytest.raises(gannet.UsageError, match=f"stands for {number} terms, and 100 are allowed"):
        index.search("contents:/.*/", max_expansions=100)
    assert index.count("contents:/.*/", max_expansions=number) == len(DOCUMENTS)
    with pytest.raises(gannet.UsageError, match="max_expansions"):
        index.search("a*", max_expansions=0)


@pytest.mark.parametrize("field", ["contents", "title"])
def test_suggestions(index: gannet.Index, field: str) -> None:
    counts: dict[str, int] = {}
    for document in DOCUMENTS:
        for term in set(terms_of(document, field)):
            counts[term] = counts.get(term, 0) + 1
    ordered = sorted(counts, key=lambda term: (-counts[term], term.encode()))
    made = random.Random(7)
    for typed in [*LETTERS, "A", "z", *(word(made, 3) for _ in range(60))]:
        begin = [term for term in ordered if term.startswith(typed.lower())]
        for k in (0, 1, 3, 10, 1000):
            found = index.suggest(f"{typed} über {typed}", k, field=field)
            assert [one.term for one in found] == begin[:k], (typed, k)
            assert [one.document_frequency for one in found] == [counts[t] for t in begin[:k]]
            assert [one.text for one in found] == [f"{typed} über {term}" for term in begin[:k]]
    assert index.suggest("a ") == index.suggest("") == []
    assert len(index.suggest("a")) == 10
    for wrong in ("year", "titel"):
        with pytest.raises(gannet.UsageError):
            index.suggest("a", field=wrong)


def test_corrections(tmp_path: Path, command: str) -> None:
    texts = ["solar power and the sun"] * 300 + ["a dollar in cash"] * 400 + ["sollar powers"]
    index = gannet.Index.build(
        ({"id": str(i), "contents": text} for i, text in enumerate(texts)),
        tmp_path / "idx",
        stemmer="none",
    )
    found = index.did_you_mean("the sollar^2 powwer -sollar")
    assert found == gannet.Correction(
        "the solar^2 power -sollar",
        [
            gannet.CorrectedWord("sollar", "solar", 1, 1, 300),
            gannet.CorrectedWord("powwer", "power", 1, 0, 300),
        ],
        300,
    )
    assert index.did_you_mean("sollar").text == "dollar"  # type: ignore[union-attr]
    assert index.did_you_mean("solar power") is None
    assert index.did_you_mean("NOT sollar") is None
    plain = index.did_you_mean("NOT powwer", operators=False)
    assert plain is not None and plain.text == "NOT power"

    def search(*words: str) -> Any:
        run = subprocess.run(
            [command, "search", tmp_path / "idx", "--json", *words],
            capture_output=True,
            text=True,
            check=True,
        )
        return json.loads(run.stdout)

    assert "did_you_mean" not in search("sollar power")
    asked = search("--did-you-mean", "sollar power")["did_you_mean"]
    assert (asked["query"], asked["documents"]) == ("solar power", 300)
    nothing = search("--mode", "and", "sollar powwer")
    assert nothing["hits"] == []
    assert nothing["did_you_mean"]["query"] == "solar power"


def test_the_command_finds_the_same(index: gannet.Index, command: str) -> None:
    queries = ["a*", "contents:?b*", "abc~1 title:/a.*/", "b*^0.5 -c*"]
    for query in queries:
        run = subprocess.run(
            [command, "search", "--index", str(index.path), "--docids", query],
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout.split() == [DOCUMENTS[i]["id"] for i in index.matches(query)], query
