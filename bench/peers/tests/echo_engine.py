"""An engine that needs no package, for tests of the pool."""

from pathlib import Path

from peers.engines.base import Queries


class Echo:
    """Writes down how many queries it was given."""

    def __init__(self, folder: Path, setting: object) -> None:
        self.file = folder / f"{setting}.count"

    def run(self, queries: Queries) -> None:
        """Counts the queries."""
        count = sum(1 for _ in queries)
        with self.file.open("a") as file:
            file.write(f"{count}\n")


class Engine:
    """See base.py."""

    by_processes = True

    def __init__(self, folder: Path, documents: Path) -> None:
        self.folder = folder

    def prepare(self, setting: object, capacity: int, threads: int) -> Echo:
        """A pass that counts."""
        return Echo(self.folder, setting)
