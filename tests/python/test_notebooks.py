"""The manual's pages with Python as notebooks: they are notebooks, and run from top to bottom."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "tools" / "docs" / "generate"))

import notebooks  # noqa: E402

PAGES = ROOT / "tools" / "docs" / "pages"


class Kernel:
    """Runs cells as Jupyter does, of all magic but %%bash and %%writefile."""

    def __init__(self, command: str) -> None:
        self.names: dict[str, Any] = {"__name__": "__main__"}
        path = f"{Path(command).parent}:{os.environ['PATH']}"
        self.environment = {**os.environ, "PATH": path}

    def run(self, source: str, where: str) -> None:
        magic, _, body = source.partition("\n")
        if magic == "%%bash":
            subprocess.run(
                ["bash", "-euo", "pipefail", "-c", body],
                env=self.environment,
                check=True,
                capture_output=True,
            )
        elif magic.startswith("%%writefile "):
            Path(magic.split()[1]).write_text(body, encoding="utf-8")
        else:
            exec(compile(source, where, "exec"), self.names)


def test_there_are_notebooks() -> None:
    assert {"python.md", "first-index.md", "codecs.md"} <= set(notebooks.names(PAGES))


@pytest.mark.parametrize("name", notebooks.names(PAGES))
def test_a_notebook_runs(
    name: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ir_measures")
    monkeypatch.chdir(tmp_path)
    made = json.loads(notebooks.written(PAGES, name))
    assert (made["nbformat"], made["metadata"]["kernelspec"]["name"]) == (4, "python3")
    kernel = Kernel(command)
    ran = 0
    for number, cell in enumerate(made["cells"]):
        assert cell["source"] and cell.get("outputs", []) == []
        if cell["cell_type"] == "code":
            kernel.run(cell["source"], f"{name}, cell {number}")
            ran += 1
    assert ran > 2


def test_they_are_notebooks_to_jupyter() -> None:
    nbformat = pytest.importorskip("nbformat")
    for name in notebooks.names(PAGES):
        nbformat.validate(nbformat.reads(notebooks.written(PAGES, name), as_version=4))


def test_text_blocks_and_outputs() -> None:
    page = """# Title
<!-- test: after=x.md -->
Some text.

```python
print(1)
```
```output
1
```
More.
<!-- test: needs=gpu -->
```python
nothing
```
<!-- test: file=a.txt -->
```text
line
```
```sh
cat a.txt
```
"""
    cells = notebooks.cells_of(page, "page.md")
    assert [(cell["cell_type"], cell["source"]) for cell in cells] == [
        ("markdown", "# Title\nSome text."),
        ("code", "print(1)"),
        ("markdown", "More.\n\n```python\nnothing\n```"),
        ("code", "%%writefile a.txt\nline"),
        ("code", "%%bash\ncat a.txt"),
    ]
