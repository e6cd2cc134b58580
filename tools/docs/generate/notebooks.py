"""Pages of the manual with Python as notebooks of Jupyter: text, cells, no outputs. Blocks of the
shell become cells of `%%bash`; what needs something that not every machine has is only shown."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests" / "docs"))

from blocks import Block, parse  # noqa: E402

Cell = dict[str, Any]

_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)


def _cell(kind: str, source: str) -> Cell:
    cell: Cell = {"cell_type": kind, "metadata": {}, "source": source.strip("\n")}
    return {**cell, "outputs": [], "execution_count": None} if kind == "code" else cell


def _code_of(block: Block) -> str | None:
    """The cell that a block is; None: it is only shown."""
    if block.language in ("cpp", "cuda", "cmake"):
        return None
    if "file" in block.marks:
        return f"%%writefile {block.marks['file']}\n{block.text}"
    if block.needs or "exit" in block.marks:
        return None
    if block.language == "python":
        return block.text
    return f"%%bash\n{block.text}" if block.language == "sh" else None


def _shown(block: Block) -> str:
    return f"```{block.language}\n{block.text}```\n"


def cells_of(text: str, name: str) -> list[Cell]:
    """Of a page: its text between its blocks, and the blocks."""
    lines = text.splitlines()
    page = parse(text, name)
    cells: list[Cell] = []
    prose: list[str] = []
    at = 0

    def close() -> None:
        made = _COMMENT.sub("", "\n".join(prose)).strip()
        if made:
            cells.append(_cell("markdown", made))
        prose.clear()

    for block in page.blocks:
        prose += lines[at : block.line - 1]
        at = _end(lines, block.line)
        if block.output is not None:
            at = _end(lines, next(i for i in range(at, len(lines)) if "```output" in lines[i]) + 1)
        code = _code_of(block)
        if code is None:
            prose += ["", *_shown(block).splitlines(), ""]
        else:
            close()
            cells.append(_cell("code", code))
    prose += lines[at:]
    close()
    return cells


def _end(lines: list[str], fence: int) -> int:
    """The line behind the block whose fence is line `fence`, from 1."""
    indent = lines[fence - 1].partition("`")[0]
    return next(i for i in range(fence, len(lines)) if lines[i].rstrip() == f"{indent}```") + 1


def notebook(pages: Path, name: str) -> dict[str, Any]:
    """The notebook of the page `name` ("python.md"), with the shell of the page that it goes on
    from before it."""
    text = (pages / name).read_text(encoding="utf-8")
    after = parse(text, name).after
    cells = cells_of(text, name)
    if after is not None:
        before = cells_of((pages / after).read_text(encoding="utf-8"), after)
        files = [cell for cell in before if cell["source"].startswith("%%bash")]
        note = _cell("markdown", f"What this page goes on from: the shell of *{after}*.")
        cells = [note, *files, *cells]
    needed = "It needs the package `gannet`"
    if any(cell["source"].startswith("%%bash") for cell in cells):
        needed += ", and the command `gannet` on PATH for cells of the shell"
    cells = [_cell("markdown", f"A page of Gannet's manual. {needed}."), *cells]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}


def names(pages: Path) -> list[str]:
    """The pages that have Python which runs everywhere."""
    return sorted(
        path.relative_to(pages).as_posix()
        for path in pages.rglob("*.md")
        if any(
            block.language == "python" and not block.needs
            for block in parse(path.read_text(encoding="utf-8"), path.name).blocks
        )
    )


def written(pages: Path, name: str) -> str:
    return json.dumps(notebook(pages, name), ensure_ascii=False, indent=1) + "\n"
