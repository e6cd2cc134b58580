#!/usr/bin/env python3
"""Runs the manual: every block of shell and C++ in the pages, and the commands of the READMEs.

    check.py --gannet build/dev/gannet [--prefix INSTALLED] [--page NAME] [PART]

PART: pages, readmes, help (the examples that commands give of themselves), or all. Prints what ran
and what did not and why; exit code 1 if anything is not as the page says. Python blocks are run by
tests/python/test_manual.py. Needs nothing but Python's standard library.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import blocks  # noqa: E402
from command_lines import calls  # noqa: E402
from machine import Machine  # noqa: E402
from options import Help  # noqa: E402
from readmes import RUN, TAKEN, Readmes  # noqa: E402
from session import RunPython, Session  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "tools" / "docs" / "pages"


def pages() -> list[Path]:
    return sorted(PAGES.rglob("*.md"))


def run_pages(session: Session, names: list[str]) -> None:
    """Runs the pages, or those of them that are named, each in a folder of its own."""
    for path in pages():
        if names and path.stem not in names:
            continue
        page = blocks.read(path, ROOT)
        before = blocks.read(path.parent / page.after, ROOT) if page.after else None
        with tempfile.TemporaryDirectory(prefix="gannet-manual-") as folder:
            session.run_page(page, Path(folder), before)


def check_pages(machine: Machine, names: list[str], python: RunPython | None = None) -> list[str]:
    session = Session(machine, python)
    run_pages(session, names)
    print(f"{len(session.ran)} blocks ran")
    for why, places in session.not_run.items():
        print(f"{len(places)} did not, for they need {why}: {', '.join(places)}")
    if not names and len(session.ran) < 40:
        session.problems.append("the manual has fewer than 40 blocks that run here")
    return session.problems


def check_readmes(machine: Machine, names: list[str]) -> list[str]:
    readmes = Readmes(machine)
    setup = Path(__file__).with_name("readme_files.sh")
    with tempfile.TemporaryDirectory(prefix="gannet-readmes-") as folder:
        subprocess.run(["bash", "-eu", setup], cwd=folder, env=machine.environment(), check=True)
        for name in names or (*RUN, *TAKEN):
            readmes.check(name, Path(folder))
    print(f"{readmes.ran} commands of READMEs ran")
    if not names and readmes.ran < 15:
        readmes.problems.append("the READMEs have fewer than 15 commands")
    return readmes.problems


def check_help(machine: Machine, _: list[str]) -> list[str]:
    """The examples of `gannet help COMMAND` name options that there are."""
    known = Help(str(machine.gannet))
    problems = []
    checked = 0
    for command in known.commands():
        for words in calls(known.text(*command).partition("\nExamples:\n")[2]):
            checked += 1
            if problem := known.problem(words):
                problems.append(f"gannet help {' '.join(command)}: {' '.join(words)}: {problem}")
    print(f"{checked} examples of help checked")
    return problems if checked > 40 else [*problems, "help has fewer than 40 examples"]


PARTS = {"pages": check_pages, "readmes": check_readmes, "help": check_help}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="?", default="all", choices=[*PARTS, "all"])
    parser.add_argument("--gannet", type=Path, required=True)
    parser.add_argument("--prefix", type=Path, help="where the C++ package is installed")
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--page", action="append", default=[], help="only these (without .md)")
    arguments = parser.parse_args()
    machine = Machine(
        arguments.gannet.resolve(strict=True),
        ROOT,
        arguments.prefix.resolve(strict=True) if arguments.prefix else None,
        arguments.compiler,
    )
    problems = []
    for part in PARTS if arguments.part == "all" else [arguments.part]:
        problems += PARTS[part](machine, arguments.page)
    for problem in problems:
        print(f"\n{problem}", file=sys.stderr)
    if problems:
        print(f"\n{len(problems)} problems", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
