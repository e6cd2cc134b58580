"""Running programs: what they print goes to a log, what they cost is measured."""

import contextlib
import dataclasses
import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from peers.errors import Exit, PeersError
from peers.work.workplace import Workplace

#: How much of a log an error shows.
TAIL = 2000
LAUNCHER = [sys.executable, "-I", "-S", str(Path(__file__).with_name("launcher.py"))]


@dataclasses.dataclass(frozen=True)
class Cost:
    """What a process and those that it waited for took."""

    wall: float  #: seconds
    cpu: float  #: seconds, user and system
    peak: int  #: bytes, resident


class Runner:
    """Runs programs in a work folder, and remembers how."""

    def __init__(self, workplace: Workplace) -> None:
        self.workplace = workplace
        self.commands: dict[str, str] = {}  #: the first of each name

    def run(
        self,
        name: str,
        command: list[str],
        environment: Mapping[str, str] | None = None,
        stdin: Path = Path(os.devnull),
    ) -> Cost:
        """Runs a command to its end; PeersError with the end of its log if it fails."""
        self.commands.setdefault(name, shlex.join(command))
        log = self.workplace.path("logs", name + ".log")
        facts = self.workplace.path("logs", name + ".cost.json")
        with stdin.open("rb") as given, log.open("wb") as output:
            process = subprocess.Popen(
                [*LAUNCHER, str(facts), *command],
                stdin=given,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=None if environment is None else dict(environment),
                # A group of its own, so that what it started can be ended with it.
                start_new_session=True,
                pass_fds=[self.workplace.lock],
            )
            try:
                code = process.wait()
            finally:
                end_group(process)
        if code != 0:
            raise failure(name, command, code, log)
        return Cost(**json.loads(facts.read_text()))

    def output(self, name: str, command: list[str], stdin: Path = Path(os.devnull)) -> str:
        """Runs a command; what it printed."""
        self.run(name, command, stdin=stdin)
        return self.workplace.path("logs", name + ".log").read_text()


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Ends what is left of a process and of all that it started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(5)


def failure(name: str, command: list[str], code: int, log: Path) -> PeersError:
    """The error of a command that failed."""
    how = f"signal {signal.Signals(code - 128).name}" if code > 128 else f"exit code {code}"
    tail = log.read_text(errors="replace")[-TAIL:].strip()
    # The codes of gannet and of worker.py say whose fault it is.
    exit_code = Exit(code) if code in (Exit.MALFORMED, Exit.FILES) else Exit.OTHER
    return PeersError(
        exit_code, f"{name} ended with {how}: {shlex.join(command)}\n{tail}\n(all of it in {log})"
    )
