"""The query file of the Search Benchmark Game: an object {"query": ..., "tags": [...]} a line.

It is queries.txt of https://github.com/quickwit-oss/search-benchmark-game; --game names a copy.
Its queries have Lucene's syntax, which alone says what they are; tags are not read.
"""

import collections
import dataclasses
import json
import re
from pathlib import Path
from typing import Any

from peers.errors import Exit, PeersError

#: What is left out, and why, as reports say it.
PHRASE = "phrases (Gannet has no positions)"
NEGATED = "with words to be left out"
MIXED = "with some words that must occur and others that may"
OTHER = "others"
#: A word without an operator; what the analysis makes of it is another question.
_WORD = r"[^\s+\-\"()*?~^:]\S*"
_KINDS = (
    ("or", rf"{_WORD}(\s+{_WORD})*"),
    ("and", rf"\+{_WORD}(\s+\+{_WORD})*"),
    (PHRASE, r'[^"]*"[^"]*".*'),
    (NEGATED, rf"(.*\s)?-{_WORD}.*"),
    (MIXED, rf"\+?{_WORD}(\s+\+?{_WORD})*"),
)


@dataclasses.dataclass(frozen=True)
class GameFile:
    """What a query file has."""

    queries: dict[str, list[str]]  #: words with spaces between them, by mode: "or", "and"
    skipped: dict[str, int]  #: queries that are left out, by the reason


def kind_of(query: str) -> str:
    """The mode of a query, or why it is left out."""
    text = query.strip()
    return next((kind for kind, form in _KINDS if re.fullmatch(form, text, re.DOTALL)), OTHER)


def read_game(path: Path) -> GameFile:
    """Reads a query file; PeersError if a line is none of its kind or no query is of use."""
    queries: dict[str, list[str]] = {"or": [], "and": []}
    skipped: collections.Counter[str] = collections.Counter()
    for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
        if not line.strip():
            continue
        text = query_of(line, path, number)
        kind = kind_of(text)
        if kind in queries:
            queries[kind].append(" ".join(word.removeprefix("+") for word in text.split()))
        else:
            skipped[kind] += 1
    if not any(queries.values()):
        raise PeersError(
            Exit.MALFORMED,
            f"--game {path}: it has no query like 'a b' or '+a +b'; give it queries.txt of "
            "https://github.com/quickwit-oss/search-benchmark-game",
        )
    return GameFile(queries, dict(skipped))


def query_of(line: bytes, path: Path, number: int) -> str:
    """The query of a line."""
    try:
        found: Any = json.loads(line)
        if isinstance(found, dict) and isinstance(found.get("query"), str):
            return str(found["query"])
    except ValueError:
        pass
    raise PeersError(
        Exit.MALFORMED,
        f'--game {path}: line {number} is not {{"query": "...", "tags": [...]}}; give it '
        "queries.txt of https://github.com/quickwit-oss/search-benchmark-game",
    )
