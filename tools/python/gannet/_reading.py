"""What an open index holds: statistics, texts, values, dictionary and postings."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from gannet import _gannet, _html, _options
from gannet._arguments import checked, checking, whole
from gannet._described import described
from gannet._gannet import UsageError
from gannet._types import Memory, PathLike, Uint32Array


@described(
    text="str: its characters, as the analyzer made them",
    document_frequency="int: documents that have it",
    collection_frequency="int: how often it occurs, over all documents",
)
class Term(NamedTuple):
    """A term of the dictionary."""

    text: str
    document_frequency: int
    collection_frequency: int


@described(
    text="str: what was typed, with the term for its last word",
    term="str: as the dictionary has it: a stem, where terms are stems",
    document_frequency="int: documents that have it",
)
class Completion(NamedTuple):
    """A term that begins with the last word of what is being typed."""

    text: str
    term: str
    document_frequency: int


@described(
    name="str: as filters, facets and `fields` name it",
    type="str: as in schemas: 'i32', 'decimal(2)', 'keyword'",
    multi="bool: documents may have several values",
    codec="str: the codec of its values",
)
class Field(NamedTuple):
    """A field of the documents, kept as a column."""

    name: str
    type: str
    multi: bool
    codec: str


@checking
class Reading:
    """An open index, to be looked into. Immutable and thread-safe."""

    @checked("open")
    def __init__(
        self,
        path: PathLike,
        *,
        backend: str = "auto",
        device: int = 0,
        devices: Sequence[int] | None = None,
        spread: str = "auto",
        device_budget: Memory | None = None,
        device_memory: Memory | None = None,
        threads: int = 0,
        bounds_bits: float = 2.5,
        candidate_filters: float = 0.015625,
        synonyms: PathLike | None = None,
    ) -> None:
        options = _options.open_options(locals())
        self._path: str | None = os.fspath(path)
        self._handle = _gannet.IndexHandle(self._path, options)
        if synonyms is not None:
            self._handle.use_synonyms(os.fspath(synonyms))
        self._build_report: dict[str, Any] | None = None
        for warning in self._handle.warnings():
            warnings.warn(warning, stacklevel=4)

    @property
    def build_report(self) -> dict[str, Any] | None:
        """dict: what a build says of itself: documents, terms, postings, tokens, text_bytes, how
        many were skipped, seconds, ...; None of an index that was opened."""
        return self._build_report

    @property
    def path(self) -> str | None:
        """str: the index's folder; None of an index in memory."""
        return self._path

    @property
    def backend(self) -> str:
        """str: 'cpu' or 'cuda': what runs the queries."""
        return self._handle.backend

    @property
    def stats(self) -> dict[str, Any]:
        """dict: documents, terms, postings, tokens, average_length (in terms), segments,
        deleted_documents, docid_codec, freq_codec, BM25's k1 and b, impacts, and positions: a dict of
        number, bytes (of their files) and bits_per_position, None in an index without. Deleted
        documents count among the others until their segment is merged."""
        return self._handle.stats()

    @property
    def analyzer(self) -> dict[str, Any]:
        """dict: how texts were made terms: tokenizer, stemmer, stopwords (a list's name),
        stopword_list (words of one's own), lowercase, fold_accents."""
        return self._handle.analyzer()

    @property
    def schema(self) -> list[Field]:
        """list of Field: the fields of the documents."""
        return [Field(*field) for field in self._handle.schema()]

    def __len__(self) -> int:
        """Documents that are not deleted."""
        return self._handle.documents

    def __repr__(self) -> str:
        stats = self.stats
        return (
            f"<gannet.Index {self._path or 'in memory'!r}: {stats['documents']} documents, "
            f"{stats['terms']} terms, "
            f"{stats['postings']} postings, {self.backend}>"
        )

    def _repr_html_(self) -> str:
        stats = self.stats
        names = ("documents", "terms", "postings", "tokens", "segments", "deleted_documents")
        rows = [(name.replace("_", " "), f"{stats[name]:,}") for name in names]
        rows += [("average length", f"{stats['average_length']:.1f}"), ("back end", self.backend)]
        rows += [
            (f"field {field.name}", f"{field.type}{', several values' if field.multi else ''}")
            for field in self.schema
        ]
        return _html.table(f"Index {self._path or 'in memory'}", None, rows)

    def analyze(self, text: str) -> list[str]:
        """The terms that a text becomes in this index."""
        return self._handle.analyze(text)

    def find(self, id: str) -> int | None:
        """The docid of the document with this id; None if there is none, or it was deleted."""
        docid: int | None = self._handle.find(id)
        return docid

    def document(self, id: str) -> dict[str, Any] | None:
        """The stored document with this id: "id", "docid", "segment" (from 0), "live" (False if it
        is deleted and no merge has removed it yet), "fields" with their values, and "text" (None if
        the index was built without `store`). None if no document has the id. As `gannet get`."""
        place = cast("tuple[int, int, bool] | None", _gannet.locate(self._handle, id))
        if place is None:
            return None
        docid, segment, live = place
        names = [field.name for field in self.schema if field.type != "text"]
        return {
            "id": id,
            "docid": docid,
            "segment": segment,
            "live": live,
            "fields": self.field_values(names, [docid])[0],
            "text": self.text(docid),
        }

    def text(self, docid: int) -> str | None:
        """The stored text of a document; None if the index was built without `store`."""
        if not 0 <= docid < 2**32:
            raise UsageError(f"there is no document {docid}")
        text: str | None = self._handle.stored_text(docid)
        return text

    def ids_of(self, docids: Any) -> list[str]:
        """The documents' own names."""
        return self._handle.document_ids(_docids(docids))

    def field_values(self, fields: Sequence[str], docids: Any) -> list[dict[str, Any]]:
        """Values of fields, a dict a document: lists for fields with several values, None for none.
        Decimals, dates and times are str."""
        return _gannet.field_values(self._handle, list(fields), _docids(docids))

    @property
    def document_lengths(self) -> Uint32Array:
        """uint32 array: the length of every document, in terms."""
        lengths: Uint32Array = self._handle.document_lengths()
        return lengths

    def terms(self, prefix: str = "", limit: int | None = None) -> list[Term]:
        """The terms that begin with `prefix` as they are in the dictionary, in bytewise order; at
        most `limit`. Their counts are those that scores are made of: deleted documents count until
        their segment is merged."""
        most = 2**62 if limit is None else whole("limit", limit, 0, 2**62)
        names, documents, occurrences = self._handle.terms(prefix, most)
        return [Term(*row) for row in zip(names, documents.tolist(), occurrences.tolist())]

    def suggest(self, prefix: str, k: int = 10, *, field: str = "contents") -> list[Completion]:
        """Completions of the last word of `prefix`: the terms of the text `field` that begin so,
        those of most documents first, terms of equally many in bytewise order; at most `k`. The
        word is taken in small letters and folded as the text was, not stemmed. Nothing where no
        word ends `prefix`, as behind a space. Deleted documents count as in :meth:`terms`.

        Raises UsageError for a `field` that is no text of the index."""
        most = whole("k", k, 0, 2**32 - 1)
        return [Completion(*row) for row in self._handle.suggest(prefix, most, field)]

    def postings(
        self, term: str, *, analyze: bool = True, deleted: bool = False
    ) -> tuple[Uint32Array, Uint32Array]:
        """The documents that have a term, ascending, and how often each has it; both empty if none
        has it. `term` is analysed as the documents were, and must be one term, unless `analyze` is
        False: then it is taken as :meth:`terms` gives it. Deleted documents that are still in the
        lists are left out, unless `deleted` is True."""
        if analyze:
            made = self.analyze(term)
            if len(made) != 1:
                raise UsageError(f"postings: '{term}' is {len(made)} terms, not one")
            term = made[0]
        docids, frequencies = self._handle.postings(term, deleted)
        return docids, frequencies


def _docids(docids: Any) -> Uint32Array:
    array = np.asarray(docids)
    if array.size and array.dtype.kind not in "iu":
        raise TypeError(
            f"docids takes whole numbers, as an array, a list or one, not {type(docids).__name__} "
            f"of {array.dtype}"
        )
    if array.size and (array.min() < 0 or array.max() > 0xFFFFFFFF):
        raise UsageError("docids are whole numbers from 0 on")
    return np.ascontiguousarray(array.reshape(-1), dtype=np.uint32)
