"""The commands of the READMEs, each by itself in a folder that has what it names."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import blocks
from command_lines import calls
from machine import Machine
from options import Help

#: Those whose commands do their work here, and those (pages of the manual include them) whose
#: commands name collections and logs of the reader's: these must be taken as they are typed.
RUN = ("README.md",)
TAKEN = (
    "bench/README.md",
    "codecs/README.md",
    "corpora/README.md",
    "query/README.md",
    "tools/mpi/README.md",
)
#: Seconds. Measuring goes on for minutes: so long without an error is enough.
ENOUGH = 3
LONGEST = 120


def _logical_lines(text: str) -> list[str]:
    return [line for line in text.replace("\\\n", " ").splitlines() if calls(line)]


class Readmes:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.help = Help(str(machine.gannet))
        self.problems: list[str] = []
        self.ran = 0

    def check(self, name: str, folder: Path) -> None:
        text = (self.machine.root / name).read_text(encoding="utf-8")
        for line, block in blocks.indented(text):
            for command in _logical_lines(block):
                for words in calls(command):
                    if problem := self.help.problem(words):
                        self.problems.append(f"{name}:{line}: {problem}: {command.strip()}")
                    else:
                        self._run(f"{name}:{line}", command, words, folder, name in RUN)

    def _run(self, place: str, command: str, words: list[str], folder: Path, strict: bool) -> None:
        if "--mpi" in words and not self.machine.has("mpi"):
            return
        if not strict:
            # Variables of the reader's shell are numbers here.
            plain = [re.sub(r"\$\w+", "1", word) for word in words if word != "--mpi"]
            command = " ".join(f"'{word}'" for word in plain)
        with tempfile.TemporaryDirectory() as work:
            own = Path(work) / "folder"
            shutil.copytree(folder, own)
            output = next((words[i + 1] for i, word in enumerate(words) if word in ("-o", "--output")), None)
            if output and "--overwrite" not in words:  # a reader begins without it
                subprocess.run(["rm", "-rf", own / output], check=True)
            code, printed = self._result(command, own)
        measuring = words[1] == "bench"
        allowed = {0} if strict else {0, 1, 3, 4, 5}
        if code is None and measuring:
            code = 0
        if code not in allowed:
            self.problems.append(f"{place}: {command.strip()}: exit code {code}\n{printed}")
        self.ran += 1

    def _result(self, command: str, folder: Path) -> tuple[int | None, str]:
        """Exit code (None: it was not at its end in time) and what it printed."""
        seconds = ENOUGH if " bench" in command or "'bench'" in command else LONGEST
        run = subprocess.run(
            ["timeout", "--signal=INT", "--kill-after=20", str(seconds), "bash", "-c", command],
            cwd=folder,
            env=self.machine.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return (None if run.returncode == 124 else run.returncode), run.stdout
