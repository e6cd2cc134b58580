"""What this machine has, that a block of the manual may need."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

#: What `needs=` may say, and what it means. Those that no test has are never run; their command
#: lines are checked all the same.
NEEDS = {
    "gpu": "a GPU",
    "gpus": "two GPUs",
    "no-gpu": "a machine without a GPU",
    "mpi": "mpirun, and gannet-mpi beside gannet",
    "package": "the installed C++ package, and a compiler",
    "network": "packages from the network, or root's rights",
    "collection": "a collection that must be obtained elsewhere",
    "cluster": "several hosts",
    "minutes": "minutes of an idle machine",
    "java": "PyTerrier, which wants Java",
    "torch": "PyTorch",
    "parquet": "pyarrow",
}

#: Of these, the Python modules that they mean.
_MODULES = {"torch": "torch", "parquet": "pyarrow"}


@dataclass(frozen=True)
class Machine:
    """`gannet`: the command's path. `prefix`: where the C++ package is installed, if it is."""

    gannet: Path
    root: Path
    prefix: Path | None = None
    compiler: str = "c++"

    @cache  # noqa: B019 - lives as long as the program
    def has(self, need: str) -> bool:
        if need == "no-gpu":
            return not self.has("gpu")
        if need == "gpu":
            out = subprocess.run(
                [self.gannet, "version", "--json"], capture_output=True, text=True, check=True
            ).stdout
            return bool(json.loads(out)["backends"]["cuda"].get("usable"))
        if need == "gpus":
            listed = shutil.which("nvidia-smi") and subprocess.run(
                ["nvidia-smi", "-L"], capture_output=True, text=True, check=False
            ).stdout.count("\n")
            return self.has("gpu") and bool(listed) and int(listed) > 1
        if need in _MODULES:
            return importlib.util.find_spec(_MODULES[need]) is not None
        if need == "mpi":
            beside = self.gannet.with_name("gannet-mpi").exists()
            return beside and shutil.which("mpirun") is not None
        return need == "package" and self.prefix is not None

    def environment(self) -> dict[str, str]:
        """Of the blocks: gannet is on the PATH, the C++ package where programs look for it."""
        made = dict(os.environ)
        made["PATH"] = f"{self.gannet.parent}:{made['PATH']}"
        made["LC_ALL"] = "C.UTF-8"
        made["CXX"] = self.compiler
        # mpirun as root, and with more ranks than cores, is for tests alone.
        made.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        made.update(OMPI_MCA_rmaps_base_oversubscribe="1")
        if self.prefix is not None:
            made["CMAKE_PREFIX_PATH"] = str(self.prefix)
            folders = [str(f.parent) for f in self.prefix.rglob("gannet-query.pc")]
            made["PKG_CONFIG_PATH"] = ":".join(folders)
        return made
