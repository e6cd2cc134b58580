"""The blocks of a page, one after the other in a temporary folder, as a reader types them."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import compare
from blocks import Block, Page
from command_lines import calls, simple_commands
from machine import NEEDS, Machine
from options import Help

#: Seconds for one block.
LONGEST = 300
#: Options in the text that are of other programs.
OTHERS = frozenset(
    "bind-to map-by ntasks-per-node gpus-per-node cpus-per-task nodes time config-settings "
    "help version build install preset strict cflags libs".split()
)

RunPython = Callable[[Block], str]


class Session:
    """Runs the blocks of pages, counts, and gathers what is wrong. `run_python` runs a block of
    Python and gives what it prints; without it such blocks are left to the tests of the package."""

    def __init__(self, machine: Machine, run_python: RunPython | None = None) -> None:
        self.machine = machine
        self.help = Help(str(machine.gannet))
        self.problems: list[str] = []
        self.ran: list[str] = []
        self.not_run: dict[str, list[str]] = {}
        self._run_python = run_python

    def run_page(self, page: Page, folder: Path, before: Page | None = None) -> None:
        """Runs the blocks of `before`, whose problems are its own, and those of the page. Those of
        `before` that need something (programs to be compiled, a GPU) are left out."""
        if before is not None:
            kept = self.problems, self.ran, self.not_run
            self.problems, self.ran, self.not_run = [], [], {}
            plain = [block for block in before.blocks if block.language == "sh" and not block.needs]
            self._run_blocks(Page(before.name, plain, []), folder)
            self.problems, self.ran, self.not_run = kept
        self._run_blocks(page, folder)
        self._check_text(page)

    def _run_blocks(self, page: Page, folder: Path) -> None:
        written: dict[str, Block] = {}
        for block in page.blocks:
            try:
                self._take(block, folder, written)
            except (ValueError, OSError) as error:
                self._fail(block, str(error))
        for block in written.values():
            if block.language == "cpp":
                self._fail(block, "no block compiles this program")

    def _take(self, block: Block, folder: Path, written: dict[str, Block]) -> None:
        unknown = [need for need in block.needs if need not in NEEDS]
        if unknown:
            raise ValueError(f"'{unknown[0]}' is nothing that a block may need: {list(NEEDS)}")
        if "file" in block.marks:
            (folder / block.marks["file"]).write_text(block.text, encoding="utf-8")
            written[block.marks["file"]] = block
            return
        if block.language == "cpp":
            self._compile(block, folder)
        elif block.language == "python":
            self._python(block)
        elif block.language == "sh":
            for name in [name for name in written if name in block.text]:
                del written[name]
            if "cmake" in block.text:
                written.clear()
            self._shell(block, folder)
        elif block.language == "text" and calls(block.text):
            raise ValueError("commands stand in blocks of sh")

    def _fail(self, block: Block, why: str) -> None:
        self.problems.append(f"{block.place}: {why}")

    def _leave_out(self, block: Block, why: str) -> None:
        self.not_run.setdefault(why, []).append(block.place)

    def _missing(self, block: Block) -> str | None:
        return next((need for need in block.needs if not self.machine.has(need)), None)

    # Shell ------------------------------------------------------------------------------------

    def _shell(self, block: Block, folder: Path) -> None:
        missing = self._missing(block)
        refused = block.marks.get("exit") == "2" and missing is None  # wrong on purpose
        for words in calls(block.text):
            problem = self.help.problem(words)
            if problem and not refused:
                self._fail(block, problem)
        self._check_paths(block)
        if missing is not None:
            self._leave_out(block, NEEDS[missing])
            self._try_calls(block, folder)
            return
        run = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", block.text],
            cwd=folder,
            env=self.machine.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LONGEST,
            check=False,
        )
        wanted = int(block.marks.get("exit", 0))
        if run.returncode != wanted:
            self._fail(block, f"exit code {run.returncode}, not {wanted}\n{run.stdout}")
        self._compare(block, run.stdout)
        self.ran.append(block.place)

    def _check_paths(self, block: Block) -> None:
        """Scripts of the tree that a block names are there."""
        for word in re.findall(r"(?:^|[\s(])((?:tools|bench|tests)/[\w./-]+)", block.text):
            if not (self.machine.root / word).exists():
                self._fail(block, f"there is no {word} in the tree")

    def _try_calls(self, block: Block, folder: Path) -> None:
        """Calls that cannot do their work here: gannet must take the command line as it is and miss
        nothing but a file, or a GPU."""
        for words in calls(block.text):
            arguments = [word for word in words[1:] if word != "--mpi"]
            if arguments[0] == "bench":
                continue
            run = subprocess.run(
                [self.machine.gannet, *arguments],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=LONGEST,
                check=False,
            )
            if run.returncode not in (0, 3, 4, 5):
                self._fail(block, f"{' '.join(words)}: exit code {run.returncode}\n{run.stderr}")

    def _compare(self, block: Block, printed: str) -> None:
        if block.output is not None and not compare.matches(block.output, printed):
            self._fail(block, f"other output\n{compare.difference(block.output, printed)}")

    # Python and C++ ----------------------------------------------------------------------------

    def _python(self, block: Block) -> None:
        if self._run_python is None:
            compile(block.text, block.place, "exec")
            self._leave_out(block, "the Python package (tools/python_test.sh runs it)")
            return
        if missing := self._missing(block):
            self._leave_out(block, NEEDS[missing])
            return
        try:
            printed = self._run_python(block)
        except Exception as error:  # whatever a block raises is a problem of the page
            self._fail(block, f"{type(error).__name__}: {error}")
            return
        self._compare(block, printed)
        for comment in re.findall(r"# -> (.*)", block.text):
            if not any(compare.matches(comment, line) for line in printed.splitlines()):
                self._fail(block, f"does not print '{comment}', but\n{printed}")
        self.ran.append(block.place)

    def _compile(self, block: Block, folder: Path) -> None:
        if not self.machine.has("package"):
            self._leave_out(block, NEEDS["package"])
            return
        source = folder / f"block_{block.line}.cpp"
        source.write_text(block.text, encoding="utf-8")
        run = subprocess.run(
            [
                "bash",
                "-c",
                f"$CXX -std=c++20 -Wall -Wextra -fsyntax-only {source.name} "
                "$(pkg-config --cflags gannet-query gannet-corpora)",
            ],
            cwd=folder,
            env=self.machine.environment(),
            capture_output=True,
            text=True,
            timeout=LONGEST,
            check=False,
        )
        if run.returncode != 0:
            self._fail(block, f"does not compile\n{run.stderr}")
        self.ran.append(block.place)

    # Text --------------------------------------------------------------------------------------

    def _check_text(self, page: Page) -> None:
        for line, code in page.code:
            self._check_code(f"{page.name}:{line}", code)

    def _check_code(self, place: str, code: str) -> None:
        if code.startswith(("gannet ", "mpirun ")):
            try:
                found = calls(code) or simple_commands(code)
            except ValueError as error:
                self.problems.append(f"{place}: `{code}`: {error}")
                return
            for words in found:
                problem = self.help.problem(words) if words[0] == "gannet" else None
                if problem:
                    self.problems.append(f"{place}: `{code}`: {problem}")
        elif option := re.match(r"--([a-z0-9-]+)", code):
            if option[1] not in self.help.all_options() | OTHERS:
                self.problems.append(f"{place}: `{code}`: no command of gannet has this option")
