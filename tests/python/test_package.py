"""The package itself: types, examples in docstrings and README, what is exported."""

from __future__ import annotations

import doctest
import importlib
import inspect
import json
import pickle
import pkgutil
import pydoc
import re
import subprocess
import sys
from pathlib import Path

import gannet
import pytest
from conftest import ROOT

PACKAGE = Path(gannet.__file__).parent
OPTIONAL = {"gannet.pt": "pyterrier", "gannet.datasets": "ir_datasets", "gannet.ray": "ray"}
MODULES = [
    "gannet",
    *(
        f"gannet.{module.name}"
        for module in pkgutil.iter_modules([str(PACKAGE)])
        if module.name != "_gannet"
    ),
]


def test_the_package_is_the_one_that_was_installed() -> None:
    assert (PACKAGE / "py.typed").is_file() and (PACKAGE / "_gannet.pyi").is_file()
    assert gannet.__version__ in (ROOT / "codecs" / "base" / "version.hpp").read_text()


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings(name: str) -> None:
    if name in OPTIONAL:
        pytest.importorskip(OPTIONAL[name])
    module = importlib.import_module(name)
    failed, _ = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder()
    found = [
        test
        for name in ("gannet", "gannet._index", "gannet._codecs")
        for test in finder.find(importlib.import_module(name))
        if test.examples
    ]
    assert len(found) >= 4


def test_types_are_right(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--config-file",
            str(ROOT / "pyproject.toml"),
            "--cache-dir",
            str(tmp_path),
            "-p",
            "gannet",
        ],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def pyright(folder: Path, *include: Path) -> str:
    """What pyright says, by its fork that PyPI has with all it needs: it asks no network."""
    pytest.importorskip("basedpyright")
    settings = {
        "include": [str(path) for path in include],
        "exclude": [str(PACKAGE / "ray")],  # Ray's types know nothing of its decorators' arguments
        "typeCheckingMode": "standard",
        "pythonVersion": "3.10",
        "reportMissingImports": False,  # extras are installed or not
        "reportMissingModuleSource": False,
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    run = subprocess.run(
        [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable, "--level", "error"],
        capture_output=True,
        text=True,
        cwd=folder,
    )
    assert run.returncode in (0, 1), run.stdout + run.stderr
    return run.stdout


def test_types_are_right_to_pyright(tmp_path: Path) -> None:
    said = pyright(tmp_path, PACKAGE)
    assert said.startswith("0 errors"), said


def test_users_of_pyright_see_types(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import gannet\nindex = gannet.Index.from_documents(['a'], store=True)\n"
        "async def ask() -> list[str]:\n    return (await index.search_async('a', k=5)).ids\n"
        "index.search_async('a', q=5)\n"
        "gannet.Index.from_documents(['a'], stroe=True)\n"
        "name: int = index.search('a')[0].id\n"
    )
    said = pyright(tmp_path, program)
    assert all(f"program.py:{line}:" in said for line in (5, 6, 7)), said
    assert not any(f"program.py:{line}:" in said for line in (1, 2, 3, 4)), said


def test_users_see_types(tmp_path: Path) -> None:
    """What a user's program gets wrong, mypy finds by the package's types."""
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text(
        "import gannet\nindex = gannet.open('idx')\nhits = index.search('a', k=5)\n"
        "name: int = hits[0].id\nindex.search('a', q=5)\n"
    )
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), str(program)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert "program.py:4" in run.stdout and "program.py:5" in run.stdout
    assert "program.py:2" not in run.stdout and "program.py:3" not in run.stdout, run.stdout


def test_public_names_are_documented() -> None:
    for name in gannet.__all__:
        if not name.startswith("__"):
            assert getattr(gannet, name).__doc__, name


def test_readme(tmp_path: Path) -> None:
    """The README's Python block runs as it is typed, and says what stands there."""
    pytest.importorskip("ir_measures")
    pytest.importorskip("pandas")
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.DOTALL)
    assert len(blocks) == 1
    run = subprocess.run(
        [sys.executable, "-c", blocks[0]], capture_output=True, text=True, cwd=tmp_path
    )
    assert run.returncode == 0, run.stderr
    for line in re.findall(r"# (?:prints )?-> (.*)", blocks[0]):
        assert line in run.stdout, line


def test_star_leaves_the_builtins() -> None:
    import builtins

    names = {name for name in dir(builtins) if not name.startswith("_")}
    assert not names & set(gannet.__all__)
    assert gannet.open == gannet.Index.open


def test_a_missing_package_is_named_with_what_installs_it(
    index: gannet.Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ir_measures", "pandas"):
        monkeypatch.setitem(sys.modules, name, None)
    run = index.run({"1": "sun"})
    with pytest.raises(gannet.UsageError, match=r"ir_measures: pip install ir-measures pandas"):
        run.evaluate({"1": {"sun": 1}})
    with pytest.raises(gannet.UsageError, match=r"pip install pandas"):
        run.to_pandas()
    with pytest.raises(gannet.UsageError, match=r"pip install pandas"):
        index.search("sun").to_pandas()
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    monkeypatch.delitem(sys.modules, "gannet.datasets", raising=False)
    with pytest.raises(ModuleNotFoundError, match=r"pip install ir-datasets"):
        importlib.import_module("gannet.datasets")


def test_options_that_are_not_known_are_refused(index: gannet.Index) -> None:
    options = gannet._options.search_options(
        {"k": 1, "mode": "or", "operators": True}, want="everything"
    )
    with pytest.raises(gannet.UsageError, match="everything"):
        gannet._gannet.search(index._handle, "sun", options)


def helped(thing: object) -> str:
    return pydoc.render_doc(thing, renderer=pydoc.plaintext)


def test_help_of_the_package_is_an_overview() -> None:
    text = helped(gannet)
    assert len(text.splitlines()) < 100
    for name in gannet.__all__:
        if not name.startswith("__"):
            assert re.search(rf"\b{name}\b", text), name
            assert len(helped(getattr(gannet, name)).splitlines()) > 2, name


def test_attributes_are_in_help(index: gannet.Index) -> None:
    batch = index.search_batch(["sun"], fields="year", facets="tag")
    made: list[object] = [
        index,
        index.search("sun", fields="year", facets="tag"),
        index.search("sun")[0],
        index.search("sun", group="tag").groups[0],
        batch,
        batch.fields["year"],
        batch.facets["tag"],
        index.search_batch(["sun"], group="tag").groups,
        index.run({"1": "sun"}),
        index.terms()[0],
        index.schema[0],
        gannet.codecs()[0],
    ]
    for one in made:
        text = helped(type(one))
        for name in dir(one):
            if name.startswith("_") or (isinstance(one, tuple) and name in ("count", "index")):
                continue
            said = inspect.getdoc(getattr(type(one), name))
            assert said and not said.startswith("Alias for field"), f"{type(one).__name__}.{name}"
            assert name in text
        inner = None if isinstance(one, tuple) else re.search(r"^ \|  _[a-z]", text, re.MULTILINE)
        assert inner is None, type(one).__name__


def test_hits_and_groups_are_values(index: gannet.Index) -> None:
    group = index.search("sun", group="tag").groups[0]
    assert pickle.loads(pickle.dumps(group.hits[0])) == group.hits[0]
    counts = index.search_batch(["sun"], facets="tag").facets["tag"]
    assert pickle.loads(pickle.dumps(counts)).counts.tolist() == counts.counts.tolist()
    with pytest.raises(AttributeError):
        group.count = 3  # type: ignore[misc]
