"""The peers' virtual environment."""

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
from peers.work.processes import Cost, Runner

REQUIREMENTS = Path(__file__).parents[1] / "requirements.txt"


class Environment:
    """A Python with the peers' packages; runs worker.py."""

    def __init__(self, runner: Runner, python: Path, versions: dict[str, str]) -> None:
        self.runner = runner
        self.python = python
        self.versions = versions

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
        cost = self.runner.run(name, command, worker_environment())
        return json.loads(answer.read_text()), cost


def worker_environment() -> dict[str, str]:
    """Variables of a worker, without settings of the user's for what is measured."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("NUMBA_", "PYTHON", "OMP_"))
    }
    return kept | {
        "PYTHONPATH": str(ROOT / "bench"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
    }


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


def make(runner: Runner, folder: Path) -> None:
    """Fills a folder with the environment, of wheels alone: nothing is compiled."""
    require_venv()
    runner.run("venv", [sys.executable, "-m", "venv", str(folder / "venv")])
    install = ["-m", "pip", "install", "--only-binary", ":all:", "--disable-pip-version-check"]
    try:
        runner.run("pip", [str(folder / "venv/bin/python"), *install, "-r", str(REQUIREMENTS)])
    except PeersError as error:
        raise PeersError(
            Exit.OTHER,
            "the peers could not be installed; they come from PyPI as wheels, for x86-64 Linux and "
            f"some versions of Python (3.11 is one).\n{error}",
        ) from error


def open_environment(runner: Runner) -> Environment:
    """The environment, installed if it is not there."""
    key = [REQUIREMENTS.read_text(), sys.version, sys.executable, sysconfig.get_platform()]
    folder, _ = runner.workplace.part("environment", key, lambda path: make(runner, path))
    environment = Environment(runner, folder / "venv/bin/python", {})
    answer, _ = environment.work("versions", {"do": "versions"})
    environment.versions.update(answer)
    return environment
