"""An engine that needs no package, for tests of the pool."""

from collections.abc import Sequence
from pathlib import Path

from peers.engines.base import Queries, Times


class Echo:
    """Writes down how many queries it was given."""

    def __init__(self, folder: Path, setting: object, texts: Sequence[str]) -> None:
        self.file = folder / f"{setting}.count"
        self.queries = texts

    def run(self, queries: Queries) -> Times | None:
        """Counts the queries; in the setting "clock" it says that this took 3 seconds."""
        count = sum(1 for _ in queries)
        with self.file.open("a") as file:
            file.write(f"{count}\n")
        return Times(2.0, 5.0, 0.5) if self.file.stem == "clock" else None


class Engine:
    """See base.py."""

    by_processes = True

    def __init__(self, folder: Path, documents: Path) -> None:
        self.folder = folder

    def prepare(self, setting: object, texts: Sequence[str], threads: int) -> Echo:
        """A pass that counts."""
        return Echo(self.folder, setting, texts)
