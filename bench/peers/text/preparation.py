"""Collections and query logs as analysed text, the same for all engines."""

import dataclasses
import itertools
from pathlib import Path

from peers.gannet import Gannet
from peers.text import analysis, postings
from peers.text.sources import Collection
from peers.work.environment import Environment
from peers.work.workplace import Workplace, stamp

#: The log of queries that find nothing.
NOTHING = "words that no document has"
NOTHING_QUERIES = 1000
#: Judged queries of a collection that are used. medquad has 16,406.
JUDGED_QUERIES = 1000


@dataclasses.dataclass(frozen=True)
class Text:
    """A collection's analysed text."""

    collection: Collection
    folder: Path
    statistics: postings.Statistics

    @property
    def documents(self) -> Path:
        """id<TAB>words of every document."""
        return self.folder / "documents.tsv"

    @property
    def vocabulary(self) -> Path:
        """All words, one a line."""
        return self.folder / "words.txt"

    def words(self) -> frozenset[str]:
        """The words of `vocabulary`."""
        return frozenset(postings.read_lines(self.vocabulary))


class Preparation:
    """Makes analysed texts, or finds them made."""

    def __init__(
        self, workplace: Workplace, environment: Environment, gannet: Gannet, data: Path
    ) -> None:
        self.workplace = workplace
        self.environment = environment
        self.gannet = gannet
        self.data = data

    def text(self, collection: Collection) -> Text:
        """The analysed text of a collection."""
        source = collection.documents(self.data)
        folder, facts = self.workplace.part(
            f"text-{collection.key}",
            [stamp(source), collection.name, self.gannet.version],
            lambda path: self._make_text(collection, source, path),
        )
        return Text(collection, folder, postings.Statistics(**facts))

    def _make_text(self, collection: Collection, source: Path, folder: Path) -> dict[str, object]:
        scratch, format_name = self.workplace.scratch("analysis"), "jsonl"
        if collection.words > 0:
            passages = scratch / "passages.tsv"
            job = {
                "do": "cut",
                "source": str(source),
                "words": collection.words,
                "output": str(passages),
            }
            self.environment.work("cut", job)
            source, format_name = passages, "tsv"
        base = self.gannet.analyse(source, format_name, scratch)
        words = analysis.words_of(base)
        analysis.write_documents(base, folder / "documents.tsv")
        (folder / "words.txt").write_text("".join(f"{word}\n" for word in words))
        return dataclasses.asdict(postings.statistics_of(base, words))

    def topics(self, collection: Collection) -> tuple[Path, Path]:
        """The first analysed queries of a judged collection, and their judgements."""
        source, qrels = collection.topics(self.data), collection.qrels(self.data)

        def make(folder: Path) -> int:
            base = self.export_queries(source)
            names = analysis.write_topics(base, JUDGED_QUERIES, folder / "topics.tsv")
            analysis.write_qrels(qrels, names, folder / "qrels.txt")
            return len(names)

        key = [stamp(source), stamp(qrels), JUDGED_QUERIES, self.gannet.version]
        folder, _ = self.workplace.part(f"topics-{collection.key}", key, make)
        return folder / "topics.tsv", folder / "qrels.txt"

    def log(self, text: Text, name: str, source: Path, limit: int) -> tuple[Path, int]:
        """The first usable queries of a log for a collection, and their number."""

        def make(folder: Path) -> int:
            base = self.export_queries(source)
            return analysis.write_log(base, text.words(), limit, folder / "log.tsv")

        folder, count = self.workplace.part(
            f"log-{text.collection.key}-{name}",
            [stamp(source), text.statistics.frequencies, limit, self.gannet.version],
            make,
        )
        return folder / "log.tsv", count

    def nothing(self, text: Text) -> tuple[Path, int]:
        """A log of single words that the collection has not, and its length."""

        def make(folder: Path) -> None:
            vocabulary = text.words()
            words = (f"nothing{number}" for number in itertools.count())
            unknown = (word for word in words if word not in vocabulary)
            lines = (f"{n}\t{word}\n" for n, word in zip(range(NOTHING_QUERIES), unknown))
            (folder / "log.tsv").write_text("".join(lines))

        folder, _ = self.workplace.part(
            f"log-{text.collection.key}-nothing", text.statistics.frequencies, make
        )
        return folder / "log.tsv", NOTHING_QUERIES

    def export_queries(self, source: Path) -> Path:
        """The posting lists of id<TAB>text lines; their base name."""
        return self.gannet.analyse(source, "tsv", self.workplace.scratch("analysis"))
