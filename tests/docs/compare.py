"""Output beside what a page says it is, with wildcards."""

from __future__ import annotations

import difflib
import re


def _pattern(line: str) -> re.Pattern[str]:
    parts = [re.escape(part) for part in line.split("...")]
    return re.compile(".*".join(parts))


def matches(expected: str, actual: str) -> bool:
    """Whether `actual` is `expected`, line by line. In a line, `...` stands for any text; a line
    that is only `...` stands for any lines, also none. White space at the ends of lines, and empty
    lines at the end, do not count."""
    want = [line.rstrip() for line in expected.rstrip().splitlines()]
    have = [line.rstrip() for line in actual.rstrip().splitlines()]
    # reached: the numbers of lines that the pattern so far can have taken
    reached = {0}
    for line in want:
        if line.strip() == "...":
            reached = set(range(min(reached), len(have) + 1)) if reached else set()
            continue
        pattern = _pattern(line)
        reached = {i + 1 for i in reached if i < len(have) and pattern.fullmatch(have[i])}
    return len(have) in reached


def difference(expected: str, actual: str) -> str:
    """Both, for a person to compare."""
    lines = difflib.unified_diff(
        expected.rstrip().splitlines(),
        actual.rstrip().splitlines(),
        "the page",
        "what was printed",
        lineterm="",
    )
    return "\n".join(lines)
