"""The work folder: whose it is, who works in it, and which of its parts are made."""

import contextlib
import fcntl
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from peers.errors import Exit, PeersError

MARK = "gannet-peers.json"
MADE_BY = {"made by": "bench/peers.sh of Gannet", "version": 2}
FACTS = "facts.json"


class Workplace:
    """A work folder that is ours, and locked."""

    def __init__(self, folder: Path, lock: int) -> None:
        self.folder = folder
        #: Its descriptor is inherited: the folder stays locked while any process works in it.
        self.lock = lock

    def path(self, *parts: str) -> Path:
        """A path in the folder whose parent exists."""
        path = self.folder.joinpath(*parts)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def scratch(self, name: str) -> Path:
        """An empty folder for what is not kept."""
        path = self.path("scratch", name)
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir()
        return path

    def part(
        self, name: str, key: Any, make: Callable[[Path], Any], anew: bool = False
    ) -> tuple[Path, Any]:
        """A folder that `make` fills, and the facts that it returns; made once a key.

        It gets its name when it is complete, so an interrupted run leaves nothing that looks made.
        """
        folder = self.path("parts", name)
        key = json.loads(json.dumps(key))
        if not anew:
            with contextlib.suppress(OSError, ValueError, KeyError):
                made = json.loads((folder / FACTS).read_text())
                if made["key"] == key:
                    return folder, made["facts"]
        unfinished = folder.with_name(folder.name + ".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir()
        facts = json.loads(json.dumps(make(unfinished)))
        (unfinished / FACTS).write_text(json.dumps({"key": key, "facts": facts}, indent=1))
        shutil.rmtree(folder, ignore_errors=True)
        unfinished.rename(folder)
        return folder, facts


def stamp(path: Path) -> list[Any]:
    """What tells one version of a file from another."""
    status = path.stat()
    return [str(path), status.st_size, status.st_mtime_ns]


def claim(folder: Path) -> None:
    """Makes the folder ours; refuses one with something in it that is not."""
    mark = folder / MARK
    if mark.is_file():
        with contextlib.suppress(ValueError):
            if json.loads(mark.read_text()) == MADE_BY:
                return
        raise PeersError(
            Exit.USAGE,
            f"--work {folder}: it was made by another version; name another, or remove this one",
        )
    unfinished = folder / (MARK + ".unfinished")
    if folder.exists() and (not folder.is_dir() or set(folder.iterdir()) - {unfinished}):
        raise PeersError(
            Exit.USAGE,
            f"--work {folder}: it is no work folder of bench/peers.sh, and not empty; nothing was "
            "touched. Name a new or an empty folder",
        )
    folder.mkdir(parents=True, exist_ok=True)
    unfinished.write_text(json.dumps(MADE_BY))
    unfinished.rename(mark)


@contextlib.contextmanager
def opened(folder: Path) -> Iterator[Workplace]:
    """Claims and locks the folder for as long as the context lasts."""
    claim(folder)
    lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PeersError(
                Exit.USAGE,
                f"--work {folder}: another run works in it; wait for it, or name another folder",
            ) from None
        yield Workplace(folder, lock)
        shutil.rmtree(folder / "scratch", ignore_errors=True)
    finally:
        os.close(lock)
