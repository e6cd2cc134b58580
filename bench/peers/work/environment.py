"""The peers' virtual environment."""

import dataclasses
import importlib.util
import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from peers.errors import Exit, PeersError
from peers.options import ROOT
from peers.work import java
from peers.work.processes import Cost, Runner


@dataclasses.dataclass(frozen=True)
class Kind:
    """An environment for some of the peers."""

    name: str  #: of its part of the work folder
    requirements: Path


FOLDER = Path(__file__).parents[1]
ALL = Kind("environment", FOLDER / "requirements.txt")
#: tantivy alone, which is small enough to be carried to a machine without a network.
COLUMNS = Kind("environment-columns", FOLDER / "requirements-columns.txt")


class Environment:
    """A Python with the peers' packages; runs worker.py."""

    def __init__(self, runner: Runner, python: Path) -> None:
        self.runner = runner
        self.python = python
        self.java: Path | None = None  #: the folder of work/java.py
        self.versions: dict[str, str] = {}

    def work(self, name: str, job: dict[str, Any]) -> tuple[Any, Cost]:
        """What worker.py makes of a job, and what that cost."""
        scratch = self.runner.workplace
        ask, answer = (
            scratch.path("jobs", f"{name}.json"),
            scratch.path("jobs", f"{name}.answer.json"),
        )
        ask.write_text(json.dumps(job))
        answer.unlink(missing_ok=True)
        command = [str(self.python), "-m", "peers.engines.worker", str(ask), str(answer)]
        cost = self.runner.run(name, command, worker_environment(self.java))
        return json.loads(answer.read_text()), cost


def worker_environment(java: Path | None) -> dict[str, str]:
    """Variables of a worker, without settings of the user's for what is measured."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("NUMBA_", "PYTHON", "OMP_", "JAVA_", "JDK_", "_JAVA_", "PEERS_"))
    }
    return (
        kept
        | {"PYTHONPATH": str(ROOT / "bench"), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"}
        | ({"PEERS_JAVA": str(java)} if java else {})
    )


def require_venv() -> None:
    """Debian's and Ubuntu's python3 comes without what makes virtual environments."""
    if importlib.util.find_spec("ensurepip"):
        return
    subprocess.run([str(ROOT / "tools/setup.sh"), "--peers"], stdout=sys.stderr, check=False)
    importlib.invalidate_caches()
    if not importlib.util.find_spec("ensurepip"):
        raise PeersError(
            Exit.OTHER,
            "this Python makes no virtual environments; install python3-venv, as tools/setup.sh "
            "--peers does",
        )


def make(runner: Runner, folder: Path, kind: Kind) -> None:
    """Fills a folder with the environment; nothing is compiled."""
    require_venv()
    runner.run("venv", [sys.executable, "-m", "venv", str(folder / "venv")])
    pip = [str(folder / "venv/bin/python"), "-m", "pip", "install", "--disable-pip-version-check"]
    try:
        runner.run("pip", [*pip, "--only-binary", ":all:", "-r", str(kind.requirements)])
    except PeersError as error:
        raise PeersError(
            Exit.OTHER,
            "the peers could not be installed; they come from PyPI as wheels, for x86-64 Linux and "
            f"some versions of Python (3.11 is one).\n{error}",
        ) from error


def open_environment(runner: Runner, kind: Kind = ALL, with_java: bool = False) -> Environment:
    """The environment, installed if it is not there."""
    key = [kind.requirements.read_text(), sys.version, sys.executable, sysconfig.get_platform()]
    folder, _ = runner.workplace.part(kind.name, key, lambda path: make(runner, path, kind))
    environment = Environment(runner, folder / "venv/bin/python")
    if with_java:
        environment.java, _ = runner.workplace.part(
            "java", java.key(), lambda path: java.make(runner, environment.python, path)
        )
    answer, _ = environment.work("versions", {"do": "versions"})
    environment.versions.update(answer)
    return environment
