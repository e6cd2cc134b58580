"""Indexes in memory."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator

from gannet._types import PathLike

_SHARED = "/dev/shm"
#: Bytes that must be free in it: less is what containers have by default, and soon full.
_ENOUGH = 1 << 30


def folder_in_memory() -> str:
    """/dev/shm, the system's folder in memory, if it can be written to and has a gigabyte free;
    else the folder for temporary files (TMPDIR)."""
    if os.access(_SHARED, os.W_OK | os.X_OK):
        free = os.statvfs(_SHARED)
        if free.f_bavail * free.f_frsize >= _ENOUGH:
            return _SHARED
    return tempfile.gettempdir()


@contextlib.contextmanager
def passing_folder(where: PathLike | None) -> Iterator[str]:
    """A folder of a name of its own that is gone afterwards. Files that are mapped live on."""
    folder = tempfile.mkdtemp(prefix="gannet-", dir=where or folder_in_memory())
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
