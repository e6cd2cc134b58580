"""tantivy with fast fields: filters, aggregations and orders."""

import csv
import datetime
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import tantivy

from peers.columns.fields import FIELDS
from peers.columns.questions import BIN_DAYS, TOP, Filter, Question
from peers.engines.base import Queries, read_ids, read_pairs
from peers.engines.tantivy import FIELD, HEAP, open_index, register
from peers.errors import Exit, PeersError
from peers.columns import own_ranges

DAY_MILLISECONDS = 86_400_000
DAY_NANOSECONDS = DAY_MILLISECONDS * 10**6
NUMBER = tantivy.FieldType.Integer


def schema() -> tantivy.Schema:
    """Words, and a fast field for every column; keywords have posting lists too."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field(FIELD, stored=False, tokenizer_name=FIELD, index_option="freq")
    for field in FIELDS:
        if field.type == "keyword":
            builder.add_text_field(
                field.name, fast=True, tokenizer_name="raw", index_option="basic"
            )
        elif field.type == "date":
            builder.add_date_field(field.name, fast=True)
        else:
            builder.add_integer_field(field.name, fast=True)
    return builder.build()


def add_values(document: tantivy.Document, values: dict[str, str]) -> None:
    """Adds the columns' values of a document."""
    for field in FIELDS:
        text = values[field.name]
        if field.type == "keyword":
            document.add_text(field.name, text)
        elif field.type == "date":
            day = datetime.datetime.fromisoformat(text)
            document.add_date(field.name, day.replace(tzinfo=datetime.UTC))
        else:
            document.add_integer(field.name, int(text))


def aggregation(question: Question) -> dict[str, Any]:
    """What is asked of its aggregations."""
    kinds: dict[str, dict[str, Any]] = {
        "facet": {"terms": {"field": question.field, "size": TOP}},
        "histogram": {
            "date_histogram": {"field": question.field, "fixed_interval": f"{BIN_DAYS}d"}
        },
        "stats": {"stats": {"field": question.field}},
    }
    return {"asked": kinds[question.kind]}


class Asker:
    """Makes queries of texts, and asks what a question asks."""

    def __init__(self, index: tantivy.Index, question: Question) -> None:
        self.index = index
        self.schema = index.schema
        self.searcher = index.searcher()
        self.question = question
        self.filter = self.filter_query(question.filter) if question.filter else None
        self.aggregation = None
        if question.kind in ("facet", "histogram", "stats"):
            self.aggregation = aggregation(question)
        self.order = tantivy.Order.Desc if question.descending else tantivy.Order.Asc

    def filter_query(self, one: Filter) -> tantivy.Query:
        """A query that adds nothing to the score."""
        if one.keywords:
            query = tantivy.Query.term_set_query(self.schema, one.field, list(one.keywords))
            if len(one.keywords) == 1:
                query = tantivy.Query.term_query(
                    self.schema, one.field, one.keywords[0], index_option="basic"
                )
        else:
            query = tantivy.Query.range_query(
                self.schema, one.field, NUMBER, one.low, one.high, include_upper=False
            )
        return tantivy.Query.const_score_query(query, 0.0)

    def query(self, text: str) -> tantivy.Query:
        """A query of the log, with its filter."""
        if text == own_ranges.ALL:
            return tantivy.Query.all_query()
        words, own = own_ranges.parts(text)
        query = self.index.parse_query(
            words, [FIELD], conjunction_by_default=self.question.mode == "and"
        )
        chosen = self.filter_query(own) if own else self.filter
        if chosen is None:
            return query
        must = tantivy.Occur.Must
        return tantivy.Query.boolean_query([(must, query), (must, chosen)])

    def ask(self, text: str, count: bool) -> Any:
        """Its answer: hits, or an aggregation's result."""
        query = self.query(text)
        if self.aggregation:
            return self.searcher.aggregate(query, self.aggregation)
        if self.question.kind == "sort":
            return self.searcher.search(
                query, limit=TOP, count=count, order_by_field=self.question.field, order=self.order
            )
        if self.question.kind == "count":
            # Its package has no other way to count.
            return self.searcher.search(query, limit=1, count=True)
        return self.searcher.search(query, limit=TOP, count=count)


class ColumnPass:
    """Asks one query after the other."""

    def __init__(self, asker: Asker, texts: Sequence[str]) -> None:
        self.asker = asker
        self.queries = texts

    def run(self, queries: Queries) -> None:
        """Parses and answers the queries; nothing is counted that was not asked for."""
        for text in queries:
            self.asker.ask(text, count=False)


class Engine:
    """An open index, for pool.py."""

    by_processes = True
    compiles = False

    def __init__(self, folder: Path, documents: Path) -> None:
        self.index = open_index(folder)
        self.documents = documents

    @staticmethod
    def build(documents: Path, rows: Path, folder: Path) -> None:
        """Indexes id<TAB>words lines with the rows of a CSV file."""
        index = tantivy.Index(schema(), path=str(folder))
        register(index)
        writer = index.writer(heap_size=HEAP, num_threads=1)
        with rows.open(encoding="utf-8", newline="") as file:
            for (_, text), values in zip(read_pairs(documents), csv.DictReader(file), strict=True):
                document = tantivy.Document()
                document.add_text(FIELD, text)
                add_values(document, values)
                writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        if (segments := index.searcher().num_segments) != 1:
            raise PeersError(
                Exit.OTHER,
                f"tantivy made {segments} segments of {documents}; raise HEAP in tantivy.py",
            )

    def prepare(self, question: Question, texts: Sequence[str], threads: int) -> ColumnPass:
        """Makes a pass over a log."""
        return ColumnPass(Asker(self.index, question), texts)

    def answers(self, question: Question, queries: Sequence[str]) -> Iterator[dict[str, Any]]:
        """What is found for every query, in the words of answers.py; not timed."""
        ids, asker = read_ids(self.documents), Asker(self.index, question)
        for text in queries:
            found = asker.ask(text, count=True)
            if asker.aggregation:
                yield counted(question, found["asked"])
            elif question.kind == "count":
                yield {"count": found.count}
            else:
                unit = DAY_NANOSECONDS if question.field == "day" else 1
                hits = [[ids[address.doc], key / unit] for key, address in found.hits]
                yield {"count": found.count, question.kind: hits}


def counted(question: Question, found: dict[str, Any]) -> dict[str, Any]:
    """The answer of an aggregation."""
    if question.kind == "stats":
        return {"stats": [found["count"], found["min"], found["max"], found["sum"]]}
    if question.kind == "facet":
        values = [[bucket["key"], bucket["doc_count"]] for bucket in found["buckets"]]
        return {"facet": values, "others": found["sum_other_doc_count"]}
    bins = [[bucket["key"] / DAY_MILLISECONDS, bucket["doc_count"]] for bucket in found["buckets"]]
    return {"histogram": bins}
