"""The blocks of a Markdown page: fenced code, what stands beside it, and code within the text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

#: What the fences of the manual may say. `output` is what the block before it prints.
LANGUAGES = ("sh", "python", "cpp", "cuda", "cmake", "json", "output", "text")
#: What a comment `<!-- test: ... -->` before a fence may say; tools/docs/README.md explains each.
MARKS = ("needs", "exit", "file", "after")

_FENCE = re.compile(r"^( *)```([A-Za-z+-]*)[ \t]*(.*)$")
_MARK = re.compile(r"^ *<!-- test: (.*?) -->\s*$")
_CODE = re.compile(r"`([^`\n]+)`")


class PageError(Exception):
    """A page that says something the harness does not understand; names the page and the line."""


@dataclass
class Block:
    """A fenced block. `output` is the text of the `output` block that follows it, if one does."""

    page: str
    line: int  #: of the fence, from 1
    language: str
    text: str
    marks: dict[str, str] = field(default_factory=dict)
    output: str | None = None

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def needs(self) -> list[str]:
        return [need for need in self.marks.get("needs", "").split(",") if need]


@dataclass
class Page:
    """A page of the manual."""

    name: str
    blocks: list[Block]
    code: list[tuple[int, str]]  #: code within the text: line, text
    after: str | None = None  #: the page whose blocks run first, in the same folder


def _read_marks(text: str, place: str) -> dict[str, str]:
    marks = {}
    for word in text.split():
        name, _, value = word.partition("=")
        if name not in MARKS or not value:
            raise PageError(f"{place}: '{word}' is no mark; there are {', '.join(MARKS)}")
        marks[name] = value
    return marks


def _attach_output(blocks: list[Block], block: Block, last_line: int) -> None:
    """An `output` block belongs to the block that ends right before it."""
    if not blocks or blocks[-1].output is not None or block.line - last_line > 2:
        raise PageError(f"{block.place}: an output block follows the block that prints it")
    blocks[-1].output = block.text


def parse(text: str, name: str) -> Page:
    """The page `name` with this text. Throws PageError."""
    page = Page(name, [], [])
    marks: dict[str, str] = {}
    opened: Block | None = None
    indent, body, end = "", [], 0
    for number, line in enumerate(text.splitlines(), 1):
        fence = _FENCE.match(line)
        if opened is not None:
            if fence and not fence[2] and fence[1] == indent:
                opened.text = "".join(f"{row.removeprefix(indent)}\n" for row in body)
                if opened.language == "output":
                    _attach_output(page.blocks, opened, end)
                else:
                    page.blocks.append(opened)
                opened, end = None, number
            else:
                body.append(line)
            continue
        if fence:
            indent, body = fence[1], []
            opened = Block(name, number, fence[2], "", marks)
            if opened.language not in LANGUAGES:
                raise PageError(
                    f"{opened.place}: '{fence[2]}' is no language of the manual: {LANGUAGES}"
                )
            marks = {}
            continue
        mark = _MARK.match(line)
        if mark:
            marks = _read_marks(mark[1], f"{name}:{number}")
            if "after" in marks:
                page.after = marks.pop("after")
            continue
        if marks:
            raise PageError(f"{name}:{number}: a mark stands right before its block")
        page.code += [(number, found) for found in _CODE.findall(line)]
    if opened is not None:
        raise PageError(f"{opened.place}: the block has no end")
    return page


def read(path: Path, root: Path) -> Page:
    return parse(path.read_text(encoding="utf-8"), str(path.relative_to(root)))


def indented(text: str) -> list[tuple[int, str]]:
    """The indented code blocks of a page (READMEs have their commands in such): line and text."""
    found: list[tuple[int, str]] = []
    begin, body, in_fence, blank = 0, [], False, True
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.startswith("```"):
            in_fence = not in_fence
        code = line.startswith("    ") and not in_fence and line.strip()
        if code and (body or blank):
            begin = begin if body else number
            body.append(line[4:])
        elif body and line.strip():
            found.append((begin, "\n".join(body) + "\n"))
            body = []
        elif body:
            body.append("")
        blank = not line.strip()
    if body:
        found.append((begin, "\n".join(body) + "\n"))
    return found
