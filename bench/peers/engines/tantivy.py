"""tantivy, by its Python package.

The package collects hits through tantivy's MultiCollector, which is given every match with its
score. So block-max WAND, which tantivy has, does not begin; nothing in the package asks for it. It
counts matches beside a search for hits, of which one is the least.
"""

import collections
from collections.abc import Iterable, Sequence
from pathlib import Path

import tantivy

from peers.engines.base import Queries, Setting, read_ids, read_pairs
from peers.errors import Exit, PeersError
from peers.text.postings import Statistics, digest

FIELD = "words"
#: Enough for one segment, which is the fastest to search and keeps the order of documents.
HEAP = 2_000_000_000


def open_index(folder: Path) -> tantivy.Index:
    """An index whose words are what stands between white space."""
    index = tantivy.Index.open(str(folder))
    register(index)
    return index


def register(index: tantivy.Index) -> None:
    """Tokenizers are not stored."""
    index.register_tokenizer(
        FIELD, tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    )


def parse(index: tantivy.Index, text: str, mode: str) -> tantivy.Query:
    """A query for any of some words ("or"), or for all ("and")."""
    return index.parse_query(text, [FIELD], conjunction_by_default=mode == "and")


class TantivyPass:
    """Searches one query after the other."""

    def __init__(self, index: tantivy.Index, setting: Setting, texts: Sequence[str]) -> None:
        self.searcher = index.searcher()
        self.queries = [parse(index, text, setting.mode) for text in texts]
        self.limit = max(setting.k, 1)
        self.count = setting.counted or setting.k == 0

    def run(self, queries: Queries) -> None:
        """Answers the queries; hits that nobody looks at do not become objects of Python."""
        search, limit, count = self.searcher.search, self.limit, self.count
        for query in queries:
            search(query, limit=limit, count=count)


class Engine:
    """See base.py."""

    by_processes = True
    compiles = False

    def __init__(self, folder: Path, documents: Path) -> None:
        self.index = open_index(folder)
        self.documents = documents

    @staticmethod
    def build(documents: Path, folder: Path, threads: int) -> list[Path]:
        schema = tantivy.SchemaBuilder()
        schema.add_text_field(FIELD, stored=False, tokenizer_name=FIELD, index_option="freq")
        index = tantivy.Index(schema.build(), path=str(folder))
        register(index)
        # More threads would each make segments of their own.
        writer = index.writer(heap_size=HEAP, num_threads=1)
        for _, text in read_pairs(documents):
            document = tantivy.Document()
            document.add_text(FIELD, text)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        if (segments := index.searcher().num_segments) != 1:
            raise PeersError(
                Exit.OTHER,
                f"tantivy made {segments} segments of {documents}; raise HEAP in {__file__}",
            )
        return [folder]

    @staticmethod
    def statistics(folder: Path, words: list[str]) -> Statistics:
        searcher = open_index(folder).searcher()
        counts = {word: searcher.doc_freq(FIELD, word) for word in words}
        present = {word: count for word, count in counts.items() if count > 0}
        return Statistics(
            searcher.num_docs, len(present), sum(present.values()), None, digest(present.items())
        )

    @staticmethod
    def algorithms(mode: str) -> Sequence[str]:
        return ("every match",)

    def prepare(self, setting: Setting, texts: Sequence[str], threads: int) -> TantivyPass:
        return TantivyPass(self.index, setting, texts)

    def answers(
        self, setting: Setting, queries: Sequence[str]
    ) -> Iterable[list[tuple[str, float]]]:
        ids, searcher = read_ids(self.documents), self.index.searcher()
        for text in queries:
            # Its parser takes a repeated word once; as often as it is there, that is a weight.
            counts = collections.Counter(text.split())
            weighted = " ".join(f"{word}^{n}" if n > 1 else word for word, n in counts.items())
            query = parse(self.index, weighted, setting.mode)
            found = searcher.search(query, limit=setting.k, count=False).hits
            yield [(ids[address.doc], score) for score, address in found]

    def counts(self, mode: str, queries: Sequence[str], k: int = 0) -> Iterable[int]:
        searcher, limit = self.index.searcher(), max(k, 1)
        for text in queries:
            yield searcher.search(parse(self.index, text, mode), limit=limit, count=True).count
