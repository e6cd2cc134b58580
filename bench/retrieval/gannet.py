"""The gannet command, run as users run it."""

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from retrieval.errors import FAILED, NO_GPU, USAGE, RetrievalError

ROOT = Path(__file__).resolve().parents[2]
PRESETS = ("release", "cuda", "dev", "cpu")


def program(name: str, variable: str) -> Path:
    """A program that the build makes: the one that `variable` names, or that of a preset."""
    if given := os.environ.get(variable):
        found = shutil.which(given)
        if found is None:
            raise RetrievalError(USAGE, f"{variable}={given}: there is no such program")
        return Path(found)
    for preset in PRESETS:
        path = ROOT / "build" / preset / name
        if os.access(path, os.X_OK):
            return path
    raise RetrievalError(
        USAGE,
        f"{name} is not built: cmake --preset release && cmake --build --preset release, or say "
        f"where it is with {variable}",
    )


class Gannet:
    """One build of the command."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or program("gannet", "GANNET")

    def _run(self, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.path), *arguments], capture_output=True, text=True, check=False
        )

    def call(self, *arguments: str) -> str:
        """Its standard output; an error if it ends with one."""
        done = self._run(arguments)
        if done.returncode != 0:
            raise RetrievalError(
                FAILED, f"gannet {' '.join(arguments)} ended with {done.returncode}: {done.stderr}"
            )
        return done.stdout

    def json(self, *arguments: str) -> dict[str, Any]:
        """What it prints with --json."""
        return json.loads(self.call(*arguments, "--json"))

    def has_gpu(self, index: Path, topics: Path) -> bool:
        """Whether one query runs on a GPU."""
        done = self._run(
            ["run", "--index", str(index), "--topics", str(topics), "--limit", "1", "--backend"]
            + ["cuda", "--output", os.devnull, "--quiet"]
        )
        if done.returncode not in (0, NO_GPU):
            raise RetrievalError(FAILED, f"{index}, {topics}: {done.stderr.strip()}")
        return done.returncode == 0


def backends(gannet: Gannet, index: Path, topics: Path) -> list[str]:
    """The back ends that there are here; says so where the GPU is missing."""
    if gannet.has_gpu(index, topics):
        return ["cuda", "cpu"]
    print("no GPU can be used here: the CPU back end alone", flush=True)
    return ["cpu"]
