"""The manual's Python blocks, among the shell blocks of their pages (tests/docs/ runs those)."""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "tests" / "docs"))

import blocks  # noqa: E402
from machine import Machine  # noqa: E402
from session import Session  # noqa: E402

PAGES = ROOT / "tools" / "docs" / "pages"
WITH_PYTHON = sorted(
    path.relative_to(PAGES)
    for path in PAGES.rglob("*.md")
    if any(block.language == "python" for block in blocks.read(path, ROOT).blocks)
)


class Interpreter:
    """The blocks of a page share their names."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"__name__": "__main__"}

    def __call__(self, block: blocks.Block) -> str:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block.text, block.place, "exec"), self.names)
        return printed.getvalue()


def test_there_are_pages() -> None:
    assert {Path("first-index.md"), Path("python.md")} <= set(WITH_PYTHON)


@pytest.mark.parametrize("name", WITH_PYTHON, ids=str)
def test_page(name: Path, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ir_measures")
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    page = blocks.read(PAGES / name, ROOT)
    before = blocks.read(PAGES / page.after, ROOT) if page.after else None
    session = Session(Machine(Path(command), ROOT), Interpreter())
    session.run_page(page, tmp_path, before)
    assert not session.problems, "\n\n".join(session.problems)
    python = [block for block in page.blocks if block.language == "python"]
    left_out = [place for places in session.not_run.values() for place in places]
    assert {block.place for block in python} <= {*session.ran, *left_out}


def test_a_wrong_block_is_found(command: str, tmp_path: Path) -> None:
    page = blocks.parse("```python\nprint(6 * 7)\n```\n```output\n41\n```\n", "page.md")
    session = Session(Machine(Path(command), ROOT), Interpreter())
    session.run_page(page, tmp_path)
    assert len(session.problems) == 1 and "+42" in session.problems[0]
