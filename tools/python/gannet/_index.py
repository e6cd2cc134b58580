"""The index: building, opening, searching."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Union

import numpy as np

from gannet import _documents, _gannet, _options, _progress
from gannet._batch import BatchHits, Run
from gannet._gannet import UsageError
from gannet._hits import Hits
from gannet._topics import topics_of
from gannet._types import PathLike, SchemaLike, Uint32Array

Texts = Union[str, Sequence[str], None]
Parameters = Union[str, Mapping[str, Any], None]


class Term(NamedTuple):
    """A term of the dictionary."""

    text: str
    document_frequency: int  #: documents that have it
    collection_frequency: int  #: how often it occurs


class Field(NamedTuple):
    """A field of the documents, kept as a column."""

    name: str
    type: str  #: as in schemas: 'i32', 'decimal(2)', 'keyword'
    multi: bool  #: documents may have several values
    codec: str


class Index:
    """An index, opened for searching; :meth:`build` makes one, :meth:`open` opens it.

    Immutable: any number of threads may use one at the same time, and searches do not hold the
    interpreter lock.
    """

    def __init__(self, path: PathLike, *, backend: str = "auto", device: int = 0, threads: int = 0,
                 bounds_bits: float = 2.5) -> None:
        self._path = os.fspath(path)
        self._handle = _gannet.IndexHandle(self._path, backend, device, threads, bounds_bits)
        #: What :meth:`build` says of the build; None of an index that was opened.
        self.build_report: dict[str, Any] | None = None
        for warning in self._handle.warnings():
            warnings.warn(warning, stacklevel=3)

    @classmethod
    def open(cls, path: PathLike, *, backend: str = "auto", device: int = 0, threads: int = 0,
             bounds_bits: float = 2.5) -> Index:
        """Opens the index in the folder `path`; takes milliseconds, however large it is.

        `backend`: 'auto' (the GPU `device` if there is one and the index fits), 'cpu' or 'cuda'.
        `threads`: of the host, 0: one a core. `bounds_bits`: memory for bounds of lists, in bits a
        posting; more is faster.

        Raises IoError, FormatError, VersionError; NoDeviceError for backend='cuda' without a GPU.
        """
        return cls(path, backend=backend, device=device, threads=threads, bounds_bits=bounds_bits)

    @classmethod
    def build(cls, documents: Any, path: PathLike, *, format: str | None = None, fields: Texts = None,
              schema: SchemaLike | None = None, store: bool = False, codec: str = "gpu-bp128",
              freq_codec: str | None = None, memory: str | int = "2G", threads: int = 0,
              tokenizer: str = "unicode", stemmer: str | None = None, stopwords: str = "none",
              keep_case: bool = False, fold_accents: bool = False, header: bool = False,
              impact_bits: int = 8, on_error: str = "stop", k1: float = 0.9, b: float = 0.4,
              overwrite: bool = False, progress: bool | _progress.Told = False,
              backend: str = "auto") -> Index:
        """Builds an index in the folder `path` and opens it.

        `documents` is one of

        * an iterable of dicts, with "id" and the texts that `fields` names ("contents" by default);
          of strings; or of pairs (id, text). Without ids documents are named by their numbers.
        * a table: a DataFrame of pandas or Polars, or a Table of Arrow, each row as such a dict
        * vectors of a learned sparse model: dicts with "id" and "vector", {term: weight}
        * paths: a str or Path of a file or folder, a list of Paths, or with `format` a list of str.
          Formats: jsonl, tsv, csv, trectext, json-vectors, dir, ds2i; gzip and zstd as they are

        `schema` names fields with values, to filter, sort and count by: ``{"year": "i32", "tag":
        "keyword:multi", "city": {"type": "keyword", "path": "address.city"}}``. Values are numbers,
        booleans, strings, dates and times, or sequences of them; None and NaN are none.

        All other arguments are the options of `gannet index`, which explains them: `store` keeps
        texts, `memory` ("512M", "8G", bytes, at least 64M) bounds the build, `stemmer` is a Snowball
        language or "none" (default: english), `on_error` "stop" or "skip" malformed documents.
        `progress`: True for a bar (needs tqdm), or a callable ``progress(stage, done, total)``.

        What the iterable raises, and Ctrl-C, end the build and leave in `path` what was there
        before. The iterable runs on the calling thread, beside the builder's.

        Raises UsageError (also if there is an index and not `overwrite`), InputError, IoError.

        >>> import tempfile
        >>> docs = [{"id": "x", "contents": "a b", "year": 1999}, {"id": "y", "contents": "b c", "year": 2001}]
        >>> index = Index.build(docs, tempfile.mkdtemp() + "/idx", schema={"year": "i32"})
        >>> index.search("b", filter="year:>=2000").ids
        ['y']
        """
        options = _options.build_options(
            memory=memory, fields=fields, schema=schema, store=store, codec=codec, freq_codec=freq_codec,
            threads=threads, tokenizer=tokenizer, stemmer=stemmer, stopwords=stopwords, keep_case=keep_case,
            fold_accents=fold_accents, header=header, impact_bits=impact_bits, on_error=on_error, k1=k1, b=b,
            overwrite=overwrite)
        with _progress.told_by(progress) as told:
            report = _build(documents, os.fspath(path), format, options, told)
        index = cls.open(path, backend=backend)
        index.build_report = report
        return index

    @property
    def path(self) -> str:
        return self._path

    @property
    def backend(self) -> str:
        """'cpu' or 'cuda': what runs the queries."""
        return self._handle.backend

    @property
    def stats(self) -> dict[str, Any]:
        """documents, terms, postings, tokens, average_length, segments, codecs, BM25's k1 and b."""
        return self._handle.stats()

    @property
    def analyzer(self) -> dict[str, Any]:
        """How texts were made terms: tokenizer, stemmer, stopwords, lowercase, fold_accents."""
        return self._handle.analyzer()

    @property
    def schema(self) -> list[Field]:
        """The fields of the documents."""
        return [Field(*field) for field in self._handle.schema()]

    def __len__(self) -> int:
        return self._handle.documents

    def __repr__(self) -> str:
        stats = self.stats
        return (f"<gannet.Index {self._path!r}: {stats['documents']} documents, {stats['terms']} terms, "
                f"{stats['postings']} postings, {self.backend}>")

    def analyze(self, text: str) -> list[str]:
        """The terms that a text becomes in this index."""
        return self._handle.analyze(text)

    def text(self, docid: int) -> str | None:
        """The stored text of a document; None if the index was built without `store`."""
        if docid < 0:
            raise UsageError(f"there is no document {docid}")
        text: str | None = self._handle.stored_text(docid)
        return text

    def ids_of(self, docids: Any) -> list[str]:
        """The documents' own names."""
        return self._handle.document_ids(_docids(docids))

    def field_values(self, fields: Sequence[str], docids: Any) -> list[dict[str, Any]]:
        """Values of fields, a dict a document: a list for fields with several values, None for none.
        Decimals, dates and times are str."""
        return _gannet.field_values(self._handle, list(fields), _docids(docids))

    @property
    def document_lengths(self) -> Uint32Array:
        """The length of every document in terms."""
        lengths: Uint32Array = self._handle.document_lengths()
        return lengths

    def terms(self, prefix: str = "", limit: int | None = None) -> list[Term]:
        """The terms that begin with `prefix` as they are in the dictionary, in bytewise order; at
        most `limit`."""
        names, documents, occurrences = self._handle.terms(prefix, 2**62 if limit is None else limit)
        return [Term(*row) for row in zip(names, documents.tolist(), occurrences.tolist())]

    def postings(self, term: str, *, analyze: bool = True) -> tuple[Uint32Array, Uint32Array]:
        """The documents that have a term, ascending, and how often each has it; both empty if none
        has it. `term` is analysed as the documents were, and must be one term, unless `analyze` is
        False: then it is taken as :meth:`terms` gives it."""
        if analyze:
            made = self.analyze(term)
            if len(made) != 1:
                raise UsageError(f"postings: '{term}' is {len(made)} terms, not one")
            term = made[0]
        docids, frequencies = self._handle.postings(term)
        return docids, frequencies

    def search(self, query: str = "*:*", k: int = 10, *, filter: str | None = None, fields: Texts = None,
               mode: str = "or", scorer: str | None = None, scorer_params: Parameters = None,
               operators: bool = True, expand: str | None = None, expand_params: Parameters = None,
               sort: Texts = None, facets: Texts = None, histograms: Texts = None, stats: Texts = None,
               group: str | None = None, exhaustive: bool = False) -> Hits:
        """The `k` best documents for a query of the query language.

        The language: words; +must, -must_not; AND, OR, NOT; parentheses; word^2.5; year:[2000 TO
        2010]. `operators=False` takes the query for plain words. Arguments as the options of `gannet
        search`: `filter` "year:>=2000 AND tag:(a OR b)"; `fields` to give with hits; `mode` "or" or
        "and"; `scorer` "bm25", "dirichlet", ... with `scorer_params` {"k1": 1.2}; `expand` "rm3";
        `sort` "year:desc,score"; `facets` ["tag:5"], `histograms` ["when:month"], `stats` ["price"],
        counted over all documents that match; `group` "tag:3", the best hits of each value, in `k`
        groups. `exhaustive` scores every match: the same hits, slower.

        Raises UsageError for what makes no sense, with the column in the query.
        """
        names = _options._texts(fields)
        options = _options.search_options(
            k=k, mode=mode, scorer=scorer, scorer_params=scorer_params, filter=filter, operators=operators,
            expand=expand, expand_params=expand_params, exhaustive=exhaustive, sort=sort, facets=facets,
            histograms=histograms, stats=stats, group=group)
        return Hits(self, query, _gannet.search(self._handle, query, options), names)

    def count(self, query: str = "*:*", *, filter: str | None = None, mode: str = "or", operators: bool = True) -> int:
        """How many documents match."""
        options = _options.search_options(k=0, mode=mode, filter=filter, operators=operators, want="count")
        count: int = _gannet.search(self._handle, query, options)["count"]
        return count

    def matches(self, query: str = "*:*", *, filter: str | None = None, mode: str = "or",
                operators: bool = True) -> Uint32Array:
        """The docids of all documents that match, ascending."""
        options = _options.search_options(k=0, mode=mode, filter=filter, operators=operators, want="docids")
        docids: Uint32Array = _gannet.search(self._handle, query, options)["docids"]
        return docids

    def search_batch(self, queries: Iterable[str], k: int = 10, *, filter: str | None = None, mode: str = "or",
                     scorer: str | None = None, scorer_params: Parameters = None, operators: bool = False,
                     expand: str | None = None, expand_params: Parameters = None,
                     exhaustive: bool = False) -> BatchHits:
        """The hits of many queries as arrays; much faster than one by one.

        Unlike in :meth:`search`, queries are plain words unless `operators` is True. Ctrl-C ends it.
        """
        options = _options.search_options(
            k=k, mode=mode, scorer=scorer, scorer_params=scorer_params, filter=filter, operators=operators,
            expand=expand, expand_params=expand_params, exhaustive=exhaustive)
        texts = [queries] if isinstance(queries, str) else list(queries)
        return BatchHits(self, _gannet.search_batch(self._handle, texts, options))

    def run(self, topics: Any, k: int = 1000, *, filter: str | None = None, mode: str = "or",
            scorer: str | None = None, scorer_params: Parameters = None, operators: bool = False,
            expand: str | None = None, expand_params: Parameters = None, exhaustive: bool = False) -> Run:
        """Runs topics: the path of a topics file (TSV, TREC), {id: text}, pairs (id, text), a table
        with the columns qid and query, or a data set or queries of ir_datasets. As `gannet run`."""
        ids, texts = topics_of(topics)
        options = _options.search_options(
            k=k, mode=mode, scorer=scorer, scorer_params=scorer_params, filter=filter, operators=operators,
            expand=expand, expand_params=expand_params, exhaustive=exhaustive)
        return Run(self, _gannet.search_batch(self._handle, texts, options), ids)

    def evaluate(self, topics: Any, qrels: Any, measures: Sequence[Any] = ("AP", "nDCG@10", "P@10"),
                 **options: Any) -> dict[str, float]:
        """Runs topics and evaluates them: :meth:`run` with `options`, then :meth:`Run.evaluate`."""
        return self.run(topics, **options).evaluate(qrels, measures)

    def explain(self, query: str, *, filter: str | None = None, mode: str = "or", scorer: str | None = None,
                scorer_params: Parameters = None, operators: bool = True, expand: str | None = None,
                expand_params: Parameters = None) -> str:
        """What a query becomes: its terms with weights and frequencies, its expression, its scorer."""
        options = _options.search_options(
            k=10, mode=mode, scorer=scorer, scorer_params=scorer_params, filter=filter, operators=operators,
            expand=expand, expand_params=expand_params)
        return _gannet.explain(self._handle, query, options)


def _docids(docids: Any) -> Uint32Array:
    array = np.asarray(docids)
    if array.size and (array.dtype.kind not in "iu" or array.min() < 0 or array.max() > 0xFFFFFFFF):
        raise UsageError("docids are whole numbers from 0 on")
    return np.ascontiguousarray(array.reshape(-1), dtype=np.uint32)


def _build(documents: Any, path: str, format: str | None, options: dict[str, Any],
           told: _progress.Told | None) -> dict[str, Any]:
    paths = _documents.paths_of(documents, format)
    if paths is not None:
        kind = format or _documents.format_of(paths)
        if kind == "ds2i" and options["stemmer"] is None:
            options = {**options, "stemmer": "none"}  # its terms are taken as they are
        return _gannet.build_from_files(paths, kind, path, options, told)
    vectors, rows = _documents.are_vectors(_documents.rows_of(documents))
    if vectors:
        with _documents.spooled_vectors(rows, path) as spool:
            return _gannet.build_from_files([spool], "json-vectors", path, options, told)
    if format is not None:
        raise UsageError("format is for paths, and these are documents")
    return _gannet.build_from_objects(iter(rows), path, options, told)
