"""Indexes without a path."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
from pathlib import Path
from typing import Any

import gannet
import pytest
from conftest import DOCUMENTS, SCHEMA
from gannet import _gannet


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> gannet.Index:
    folder = tmp_path_factory.mktemp("memory")
    made = gannet.Index.from_documents(
        DOCUMENTS, folder=folder, schema=SCHEMA, store=True, backend="cpu"
    )
    assert list(folder.iterdir()) == [], "no file has a name"
    return made


def test_it_answers_as_one_with_a_path(memory: gannet.Index, index: gannet.Index) -> None:
    assert memory.path is None and "in memory" in repr(memory)
    assert memory.stats == index.stats and len(memory) == len(index)
    asked = {"fields": ["year", "tag", "price"], "facets": ["tag"], "stats": ["price"]}
    for query in ("solar power", "+power -solar", "sun", "*:*", "nothing"):
        for more in ({}, {"sort": "year:desc"}, {"filter": "price:>2"}):
            mine = memory.search(query, **asked, **more)  # type: ignore[arg-type]
            wanted = index.search(query, **asked, **more)  # type: ignore[arg-type]
            assert list(mine) == list(wanted) and mine.snippets() == wanted.snippets()
            assert mine.facets == wanted.facets and mine.stats == wanted.stats
    assert memory.document("wind") == index.document("wind")
    assert memory.terms() == index.terms() and memory.find("coal") == index.find("coal")
    assert memory.explain("solar", "sun") == index.explain("solar", "sun")
    assert memory.build_report is not None and memory.build_report["documents"] == 4


def test_it_stays_what_it_is(memory: gannet.Index) -> None:
    assert memory.refresh() is memory


def test_it_takes_the_options_of_a_build() -> None:
    index = gannet.Index.from_documents(["Running runs"], stemmer="none", keep_case=True)
    assert [term.text for term in index.terms()] == ["Running", "runs"]
    with pytest.raises(TypeError, match="stemmre"):
        gannet.Index.from_documents(["x"], stemmre="none")  # type: ignore[call-arg]
    with pytest.raises(gannet.InputError):
        gannet.Index.from_documents([7])


def test_it_takes_the_options_of_opening(tmp_path: Path) -> None:
    opened = {"devices": [0, 1], "device_budget": "1G", "bounds_bits": 0.0}
    index = gannet.Index.from_documents(["a b"], backend="cpu", **opened)  # type: ignore[arg-type]
    assert index.search("a").docids.tolist() == [0] and index.build_report is not None
    for wrong in ({"spread": "copy"}, {"bounds_bits": 2000}):
        with pytest.raises(gannet.UsageError, match=next(iter(wrong))):
            gannet.Index.from_documents(["a"], folder=tmp_path, **wrong)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_a_path_makes_it_stay(tmp_path: Path) -> None:
    index = gannet.Index.from_documents(["x"], tmp_path / "idx")
    assert index.path == str(tmp_path / "idx") and len(gannet.open(tmp_path / "idx")) == 1
    with pytest.raises(gannet.UsageError, match="folder"):
        gannet.Index.from_documents(["x"], tmp_path / "other", folder=tmp_path)


def test_what_fails_leaves_nothing(tmp_path: Path) -> None:
    def documents() -> object:
        yield "x"
        raise KeyError("broken")

    with pytest.raises(KeyError):
        gannet.Index.from_documents(documents(), folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_its_files_go_with_it(tmp_path: Path) -> None:
    def mapped() -> int:
        return Path("/proc/self/maps").read_text().count(str(tmp_path))

    index = gannet.Index.from_documents(["some words"] * 10, folder=tmp_path)
    assert mapped() > 0
    del index
    gc.collect()
    assert mapped() == 0


def test_the_default_is_a_folder_in_memory_if_there_is_room(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from gannet import _memory

    assert os.path.isdir(_memory.folder_in_memory())
    monkeypatch.setattr(_memory, "_ENOUGH", 1 << 62)
    monkeypatch.setattr(_memory.tempfile, "gettempdir", lambda: str(tmp_path))
    assert _memory.folder_in_memory() == str(tmp_path)


def test_coroutines(memory: gannet.Index) -> None:
    async def ask() -> None:
        hits, count, batch, run = await asyncio.gather(
            memory.search_async("solar", k=1, fields="year"),
            memory.count_async("power"),
            memory.search_batch_async(["solar", "coal"]),
            memory.run_async({"a": "sun"}, k=2),
        )
        assert hits.ids == ["sun"] and hits[0].fields == {"year": 1999}
        assert (count, len(batch), run.topics) == (3, 2, ["a"])
        with pytest.raises(gannet.UsageError, match="column"):
            await memory.search_async("(bad")
        with pytest.raises(TypeError, match="did you mean 'fields'"):
            await memory.search_async("x", feilds="year")  # type: ignore[call-arg]

    asyncio.run(ask())


def test_a_cancelled_coroutine_ends_its_search(
    memory: gannet.Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search that is about to run when it is cancelled is told, and gives up."""
    begun, cancelled = threading.Event(), threading.Event()
    search = _gannet.search
    errors: list[BaseException] = []

    def slow(*arguments: Any) -> Any:
        begun.set()
        cancelled.wait(60)
        try:
            return search(*arguments)
        except gannet.CancelledError as error:
            errors.append(error)
            raise

    monkeypatch.setattr(_gannet, "search", slow)

    async def ask() -> None:
        task = asyncio.ensure_future(memory.search_async("solar"))
        while not begun.is_set():
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        cancelled.set()

    asyncio.run(ask())  # which waits for its threads
    assert len(errors) == 1
    assert memory.search("solar").ids, "others go on"
