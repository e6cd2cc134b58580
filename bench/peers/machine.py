"""What the figures were measured on."""

import os
import platform
from pathlib import Path
from typing import Any

from peers.options import cores


def cpu_model() -> str:
    """The processor's name."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    fields: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        fields.setdefault(name.strip(), value.strip())
    return fields.get("model name") or platform.processor() or platform.machine()


def description() -> dict[str, Any]:
    """Processor, cores that may be used, memory and systems."""
    return {
        "cpu": cpu_model(),
        "cores": cores(),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
    }


def load() -> float:
    """Processes that wanted to run in the last minute, on average."""
    return os.getloadavg()[0]
