"""What the tests share: a small collection, and an index of it."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import gannet
import pytest

# A shell that starts this in the background has it ignore SIGINT, which the tests of Ctrl-C send.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parents[2]
TINY = ROOT / "corpora" / "tiny"

DOCUMENTS: list[dict[str, Any]] = [
    {
        "id": "sun",
        "contents": "Solar power from panels. The sun shines on solar cells.",
        "year": 1999,
        "tag": ["a", "b"],
        "price": 1.5,
    },
    {
        "id": "wind",
        "contents": "Wind power, and some solar power too.",
        "year": 2004,
        "tag": ["b"],
        "price": 2.5,
    },
    {
        "id": "coal",
        "contents": "Coal burns. No <b>sun</b> here.",
        "year": 2004,
        "tag": [],
        "price": None,
    },
    {
        "id": "sea",
        "contents": "Tidal power stations by the sea.",
        "year": None,
        "tag": ["c"],
        "price": 4.0,
    },
]
SCHEMA = {"year": "i32", "tag": "keyword:multi", "price": "f64"}


@pytest.fixture(scope="session")
def documents() -> list[dict[str, Any]]:
    return DOCUMENTS


@pytest.fixture(scope="session")
def index(tmp_path_factory: pytest.TempPathFactory) -> gannet.Index:
    path = tmp_path_factory.mktemp("index") / "idx"
    return gannet.Index.build(DOCUMENTS, path, schema=SCHEMA, store=True, backend="cpu")


@pytest.fixture(scope="session")
def command() -> str:
    """The command, to be compared with."""
    path = os.environ.get("GANNET_COMMAND", "")
    if not path:
        pytest.skip("GANNET_COMMAND does not name the command gannet (tools/python_test.sh does)")
    return path
