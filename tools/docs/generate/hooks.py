"""What mkdocs does with the pages of the manual (tools/docs/mkdocs.yml names this file): parts of
other documents are put in, and the reference is made of the command's help, the package's
docstrings and the public headers. A line of a page says so:

    <!-- include: corpora/README.md # Formats -->       a section of a document of the tree
    <!-- include: index/FORMAT.md -->                   all of it
    <!-- code: tools/examples/search.cpp -->            a file, as a block of code
    <!-- commands -->                                   help of all commands (of $GANNET_COMMAND)
    <!-- python: gannet -->                             a module's public names
    <!-- headers: query -->                             the public headers of a component
    <!-- parity -->                                     the command against Python
    <!-- notebooks -->                                  links to the pages as notebooks, made here, too

Comments `<!-- test: ... -->` are for the tests (tests/docs/) and vanish.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import notebooks  # noqa: E402
import parity  # noqa: E402
from commands import commands_page  # noqa: E402
from cpp_page import component_page  # noqa: E402
from include import included  # noqa: E402
from python_api import Package  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
PAGES = ROOT / "tools" / "docs" / "pages"
_DIRECTIVE = re.compile(
    r"^<!-- (include|code|commands|python|headers|parity|notebooks)(?:: (.*?))? -->$", re.MULTILINE
)
_TEST = re.compile(r"^ *<!-- test: .*? -->\n", re.MULTILINE)
_LANGUAGES = {".cpp": "cpp", ".cu": "cpp", ".sh": "sh", ".py": "python", ".jsonl": "json"}
#: Documents of the tree, and the pages that have all of them.
WHOLE = {
    "index/FORMAT.md": "reference/index-format.md",
    "index/COLUMN_FORMAT.md": "reference/column-format.md",
    "bench/RESULTS.md": "reference/results.md",
    "CHANGELOG.md": "reference/changelog.md",
}


def _pages_from(page: str) -> dict[str, str]:
    """The pages of WHOLE as links from a page."""
    folder = Path(page).parent
    return {document: os.path.relpath(target, folder) for document, target in WHOLE.items()}


def _level_at(markdown: str, position: int) -> int:
    """The level of headings that an included part may have at most: below the one before it."""
    levels = re.findall(r"^(#+) ", markdown[:position], re.MULTILINE)
    return len(levels[-1]) + 1 if levels else 2


def _made(kind: str, argument: str, level: int, page: str) -> str:
    if kind == "include":
        document, _, section = (part.strip() for part in argument.partition("#"))
        return included(ROOT, document, section or None, level, _pages_from(page))
    if kind == "code":
        path = ROOT / argument
        return f"```{_LANGUAGES[path.suffix]}\n{path.read_text(encoding='utf-8').rstrip()}\n```"
    if kind == "commands":
        return commands_page(Path(os.environ["GANNET_COMMAND"]))
    if kind == "parity":
        return parity.page(ROOT)
    if kind == "notebooks":
        return _notebook_links(page)
    if kind == "python":
        return Package(ROOT).module_section(argument)
    return component_page(ROOT, argument)


def _notebook_links(page: str) -> str:
    up = os.path.relpath("notebooks", Path(page).parent)
    links = [(name, str(Path(name).with_suffix(".ipynb"))) for name in notebooks.names(PAGES)]
    return (
        "\n".join(
            f"- [{notebook}]({up}/{notebook}), of [{name}]({os.path.relpath(name, Path(page).parent)})"
            for name, notebook in links
        )
        + "\n"
    )


def expanded(markdown: str, page: str) -> str:
    """The text of a page with its directives carried out. Throws what they throw."""
    text = _TEST.sub("", markdown)
    return _DIRECTIVE.sub(
        lambda found: _made(found[1], found[2] or "", _level_at(text, found.start()), page), text
    )


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    return expanded(markdown, page.file.src_uri)


def on_files(files: Any, config: Any, **_: Any) -> Any:
    """Adds the notebooks, which are no files of the tree."""
    from mkdocs.structure.files import File  # the tests of this module have no mkdocs

    for name in notebooks.names(PAGES):
        path = str(Path("notebooks", name).with_suffix(".ipynb"))
        files.append(File.generated(config, path, content=notebooks.written(PAGES, name)))
    return files
