"""Comments and docstrings as Markdown."""

from __future__ import annotations

import re

_CODE = re.compile(r"(`[^`]*`)")
_NAME = re.compile(r"(?<![\w`:.<])((?:[A-Za-z_]\w*::)*[A-Za-z_]\w*\(\)|k[A-Z]\w+)(?![\w`])")


def escaped(text: str) -> str:
    """Text in which < is no markup, outside of code."""
    parts = _CODE.split(text)
    return "".join(
        part
        if part.startswith("`")
        else _NAME.sub(r"`\1`", part).replace("<", "&lt;").replace("*", r"\*")
        for part in parts
    )


def comment_to_markdown(comment: str) -> str:
    """A comment of C++: paragraphs; what is indented, or a table of words, is code."""
    paragraphs = re.split(r"\n\s*\n", comment.strip("\n"))
    return "\n\n".join(_paragraph(text) for text in paragraphs)


def _paragraph(text: str) -> str:
    lines = text.split("\n")
    if all(line.startswith("  ") for line in lines if line.strip()) or re.search(
        r"\S {3,}\S", text
    ):
        width = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
        body = "\n".join(line[width:] for line in lines)
        return f"```text\n{body}\n```"
    if any(re.match(r"[-*] ", line) for line in lines):
        first = next(i for i, line in enumerate(lines) if re.match(r"[-*] ", line))
        head = [escaped(line) for line in lines[:first]]
        rest = [re.sub(r"^[-*] ", "- ", line) for line in lines[first:]]
        return "\n".join([*head, "", *(_list_line(line) for line in rest)]).strip()
    return escaped(text)


def _list_line(line: str) -> str:
    return "- " + escaped(line[2:]) if line.startswith("- ") else escaped(line)
