"""What `gannet help` says there is: commands, and the options of each."""

from __future__ import annotations

import re
import subprocess
from functools import cache

_COMMAND = re.compile(r"^  ([a-z-]+) {2,}\S", re.MULTILINE)
_OPTION = re.compile(r"^  (?:-\w \[ )?--([a-z0-9-]+)", re.MULTILINE)


class Help:
    """The help of a gannet. Asks it once for each command."""

    def __init__(self, gannet: str) -> None:
        self._gannet = gannet

    @cache  # noqa: B019 - lives as long as the program
    def text(self, *command: str) -> str:
        run = subprocess.run(
            [self._gannet, "help", *command], capture_output=True, text=True, check=False
        )
        return run.stdout if run.returncode == 0 else ""

    def _section(self, name: str, *command: str) -> str:
        return ("\n" + self.text(*command)).partition(f"\n{name}:\n")[2].partition("\n\n")[0]

    @cache  # noqa: B019
    def commands(self) -> list[tuple[str, ...]]:
        """("index",), ..., ("bench", "decode"), ..."""
        found: list[tuple[str, ...]] = []
        for name in _COMMAND.findall("\n" + self._section("Commands")):
            parts = _COMMAND.findall("\n" + self._section("Parts", name))
            found += [(name, part) for part in parts] if parts else [(name,)]
        return found

    @cache  # noqa: B019
    def options(self, command: tuple[str, ...]) -> frozenset[str]:
        return frozenset(_OPTION.findall(self._section("Options", *command)))

    def all_options(self) -> frozenset[str]:
        return frozenset().union(*(self.options(command) for command in self.commands()))

    def problem(self, words: list[str]) -> str | None:
        """What is wrong with a call of gannet, `words[0]` being the program; None: nothing."""
        if words[1] in ("--help", "--version", "-h", "-V", "help"):
            named = [word for word in words[2:] if word.islower() and not word.startswith("-")]  # COMMAND stands for any
            known = {word for command in self.commands() for word in command}
            wrong = [word for word in named if words[1] == "help" and word not in known]
            return f"there is no command '{' '.join(wrong)}'" if wrong else None
        command = next((c for c in self.commands() if tuple(words[1 : 1 + len(c)]) == c), None)
        if command is None:
            return f"there is no command '{' '.join(words[1:3])}'"
        for word in words[1 + len(command) :]:
            if word == "--":
                break
            if not word.startswith("--"):
                continue
            name = word[2:].partition("=")[0]
            if name not in self.options(command):
                return f"'gannet {' '.join(command)}' has no option --{name}"
        return None
