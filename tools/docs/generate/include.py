"""Documents of the tree, or sections of them, as parts of pages."""

from __future__ import annotations

import base64
import posixpath
import re
from pathlib import Path

_HEADING = re.compile(r"^(#+) (.+?)\s*$")
_LINK = re.compile(r"\[([^\]\n]+)\]\(([^)\s]+)\)")
_IMAGE = re.compile(r"!\[([^\]\n]+)\]\(([^)\s]+\.svg)\)")


def _headings(lines: list[str]) -> list[tuple[int, int, str]]:
    """Line, level and text of every heading."""
    found, fenced = [], False
    for number, line in enumerate(lines):
        fenced ^= line.startswith("```")
        if not fenced and (match := _HEADING.match(line)):
            found.append((number, len(match[1]), match[2]))
    return found


def section_of(text: str, name: str | None) -> str:
    """The section with this heading, without it; without a name all of the document but its title,
    and of "(beginning)" what stands before the first section. Throws KeyError if there is none."""
    lines = text.splitlines()
    headings = _headings(lines)
    if name == "(beginning)":
        begin = headings[0][0] + 1 if headings and headings[0][1] == 1 else 0
        end = next((line for line, _, _ in headings if line >= begin), len(lines))
        return "\n".join(lines[begin:end]).strip("\n")
    if name is None:
        begin = headings[0][0] + 1 if headings and headings[0][1] == 1 else 0
        return "\n".join(lines[begin:]).strip("\n")
    at = next((i for i, heading in enumerate(headings) if heading[2] == name), None)
    if at is None:
        raise KeyError(
            f"no section is called '{name}'; there are {[heading[2] for heading in headings]}"
        )
    begin, level, _ = headings[at]
    end = next((line for line, other, _ in headings[at + 1 :] if other <= level), len(lines))
    return "\n".join(lines[begin + 1 : end]).strip("\n")


def shifted(text: str, top: int) -> str:
    """With headings so that the highest is of level `top`."""
    lines = text.splitlines()
    headings = _headings(lines)
    if not headings:
        return text
    by = top - min(level for _, level, _ in headings)
    for number, level, name in headings:
        lines[number] = "#" * max(1, level + by) + " " + name
    return "\n".join(lines)


def relinked(text: str, document: str, pages: dict[str, str]) -> str:
    """With links to files of the tree turned into links to the pages that have them (`pages`:
    document to page), or into their paths where none has."""
    folder = posixpath.dirname(document)

    def replaced(match: re.Match[str]) -> str:
        label, target = match[1], match[2]
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        path, _, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(folder, path))
        if path in pages:
            return f"[{label}]({pages[path]}{'#' + anchor if anchor else ''})"
        return f"{label} (`{path}`)" if label != posixpath.basename(path) else f"`{path}`"

    return _LINK.sub(replaced, text)


def with_images(text: str, root: Path, document: str) -> str:
    """With the SVG images of the tree as part of the page, which is built elsewhere."""
    folder = (root / document).parent

    def replaced(match: re.Match[str]) -> str:
        data = base64.b64encode((folder / match[2]).read_bytes()).decode("ascii")
        return f'<img alt="{match[1]}" src="data:image/svg+xml;base64,{data}">'

    return _IMAGE.sub(replaced, text)


def included(root: Path, document: str, name: str | None, top: int, pages: dict[str, str]) -> str:
    """A document of the tree, or its section `name`, for a page."""
    text = (root / document).read_text(encoding="utf-8")
    section = with_images(section_of(text, name), root, document)
    return relinked(shifted(section, top), document, pages)
