"""tantivy, by its Python package."""

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
#: Hits that a timed search hands to Python. The others are found all the same.
HANDED = 10


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


class TantivyPass:
    """Searches one query after the other."""

    def __init__(self, index: tantivy.Index, setting: Setting) -> None:
        self.index = index
        self.searcher = index.searcher()
        self.all_words = setting.mode == "and"
        self.limit = min(setting.k, HANDED)
        self.offset = setting.k - self.limit

    def run(self, queries: Queries) -> None:
        """Answers the queries."""
        parse, search = self.index.parse_query, self.searcher.search
        fields, all_words = [FIELD], self.all_words
        limit, offset = self.limit, self.offset
        for _, text in queries:
            # Counting matches would switch pruning off.
            search(
                parse(text, fields, conjunction_by_default=all_words),
                limit=limit,
                offset=offset,
                count=False,
            )


class Engine:
    """See base.py."""

    by_processes = True

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
        return ("block-max WAND",) if mode == "or" else ("intersection",)

    def prepare(self, setting: Setting, capacity: int, threads: int) -> TantivyPass:
        return TantivyPass(self.index, setting)

    def answers(
        self, setting: Setting, queries: Sequence[str]
    ) -> Iterable[list[tuple[str, float]]]:
        ids, searcher = read_ids(self.documents), self.index.searcher()
        all_words = setting.mode == "and"
        for text in queries:
            # Its parser takes a repeated word once; as often as it is there, that is a weight.
            counts = collections.Counter(text.split())
            weighted = " ".join(f"{word}^{n}" if n > 1 else word for word, n in counts.items())
            query = self.index.parse_query(weighted, [FIELD], conjunction_by_default=all_words)
            found = searcher.search(query, limit=setting.k, count=False).hits
            yield [(ids[address.doc], score) for score, address in found]
