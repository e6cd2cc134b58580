"""Where collections, query logs and judgements lie in the folder of data."""

import dataclasses
import re
from pathlib import Path

from peers.errors import Exit, PeersError


def require(path: Path, what: str) -> Path:
    """The path of a file that has to be there."""
    if not path.is_file():
        raise PeersError(
            Exit.FILES,
            f"{path} is missing: {what}. Name a folder that has it with --data or GANNET_DATA, or "
            "leave it out (see --help)",
        )
    return path


@dataclasses.dataclass(frozen=True)
class Collection:
    """A folder's docs.jsonl.zst, as it is or cut every so many words: NAME or NAME:40."""

    name: str

    @property
    def folder(self) -> str:
        """Its folder of data."""
        return self.name.partition(":")[0]

    @property
    def words(self) -> int:
        """Words of a passage; 0 for whole documents."""
        return int(self.name.partition(":")[2] or 0)

    @property
    def key(self) -> str:
        """Its name as a folder's."""
        return self.name.replace(":", ".every-")

    def documents(self, data: Path) -> Path:
        """The file of its documents."""
        return require(
            data / self.folder / "docs.jsonl.zst",
            f'the documents of {self.folder}, {{"id", "contents"}} a line',
        )

    def topics(self, data: Path) -> Path:
        """Its queries with judgements."""
        return require(
            data / self.folder / "queries.tsv", f"the queries of {self.folder}, id<TAB>text"
        )

    def qrels(self, data: Path) -> Path:
        """The judgements."""
        return require(
            data / self.folder / "qrels.txt", f"the judgements of {self.folder}, as TREC has them"
        )


def collection(name: str) -> Collection:
    """The collection of that name; ValueError if it cannot be one."""
    if not re.fullmatch(r"[A-Za-z0-9_.-]*[A-Za-z0-9][A-Za-z0-9_.-]*(:[1-9][0-9]{0,6})?", name):
        raise ValueError(
            f"'{name}' is no collection: FOLDER, or FOLDER:40 for passages of 40 words"
        )
    return Collection(name)


def log_file(data: Path, name: str) -> Path:
    """The file of a query log."""
    return require(data / "queries" / f"{name}.tsv", f"the query log {name}, id<TAB>text")
