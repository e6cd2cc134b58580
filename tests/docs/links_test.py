#!/usr/bin/env python3
"""Links of all Markdown documents lead to files that are there, and to headings that they have."""

from __future__ import annotations

import re
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: Folders of the tree that have documents.
FOLDERS = ("bench", "codecs", "corpora", "index", "query", "tests", "tools")

_FENCE = re.compile(r"^( *)```.*?^\1```", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]*`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ +(.+?)\s*$", re.MULTILINE)
_INCLUDE = re.compile(r"^<!-- include: (\S+)", re.MULTILINE)
#: Pages of the manual have headings that are made when it is built; mkdocs checks links to these.
_MADE = re.compile(r"^<!-- (commands|python|headers)\b", re.MULTILINE)
#: Measurements that a text names without a link.
_NAMED = re.compile(r"`(bench/(?:history|results)/[^`\s]+)`")


def documents(root: Path) -> list[Path]:
    found = [*root.glob("*.md")]
    for folder in FOLDERS:
        found += (root / folder).rglob("*.md")
    return sorted(found)


def anchor(heading: str) -> str:
    """A heading as links name it."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*]", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def anchors(path: Path, root: Path) -> set[str] | None:
    """Those of a document; None if not all of them are known."""
    text = path.read_text(encoding="utf-8")
    if _MADE.search(text):
        return None
    texts = [text, *((root / name).read_text(encoding="utf-8") for name in _INCLUDE.findall(text))]
    return {anchor(name) for text in texts for name in _HEADING.findall(_FENCE.sub("", text))}


def problems(path: Path, root: Path) -> list[str]:
    """Links of a document that lead nowhere."""
    text = _FENCE.sub("", path.read_text(encoding="utf-8"))
    found = []
    for target in _LINK.findall(_CODE.sub("", text)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, heading = target.partition("#")
        file = path.parent / name if name else path
        if not file.exists():
            found.append(f"{path.relative_to(root)}: there is no {target}")
        elif heading and file.suffix == ".md":
            known = anchors(file, root)
            if known is not None and heading not in known:
                found.append(f"{path.relative_to(root)}: {name or path.name} has no #{heading}")
    for name in _NAMED.findall(text):
        if not list(root.glob(name.rstrip("/"))):
            found.append(f"{path.relative_to(root)}: there is no {name}")
    return found


class Links(unittest.TestCase):
    def test_links_lead_somewhere(self) -> None:
        paths = documents(ROOT)
        self.assertGreater(len(paths), 60)
        self.assertEqual([text for path in paths for text in problems(path, ROOT)], [])

    def test_history_lists_its_reports(self) -> None:
        folder = ROOT / "bench" / "history"
        listed = (folder / "README.md").read_text(encoding="utf-8")
        for path in folder.glob("2*.md"):
            self.assertIn(f"]({path.name})", listed)
            head = path.read_text(encoding="utf-8").splitlines()[:6]
            for start in ("# ", "- What it was: ", "- Machine: ", "- Superseded by: "):
                self.assertTrue(any(line.startswith(start) for line in head), path)

    def test_what_is_wrong_is_found(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "a.md").write_text(
                "# A `b` c\n[x](b.md) [y](#a-b-c) [z](#d) ![p](p.svg) `[n](n.md)`\n"
                "`bench/history/x.md`\n"
                "```\n[in code](c.md)\n```\n[w](https://w.org)\n"
            )
            self.assertEqual(
                problems(root / "a.md", root),
                [
                    "a.md: there is no b.md",
                    "a.md: a.md has no #d",
                    "a.md: there is no p.svg",
                    "a.md: there is no bench/history/x.md",
                ],
            )


if __name__ == "__main__":
    sys.exit(unittest.main())
