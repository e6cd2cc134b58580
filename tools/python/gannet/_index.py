"""The index: building and opening."""

from __future__ import annotations

import os
from typing import Any

from gannet import _documents, _gannet, _options, _progress
from gannet._gannet import UsageError
from gannet._hits import Hits
from gannet._options import checked
from gannet._searching import Parameters, Searching
from gannet._types import PathLike, SchemaLike, Texts


class Index(Searching):
    """An index, opened for searching; :meth:`build` makes one, :meth:`open` opens it.

    Immutable: any number of threads may use one at the same time, and searches do not hold the
    interpreter lock.

    >>> import tempfile
    >>> docs = [{"id": "x", "contents": "a b", "year": 1999},
    ...         {"id": "y", "contents": "b c", "year": 2001}]
    >>> index = Index.build(docs, tempfile.mkdtemp() + "/idx", schema={"year": "i32"})
    >>> index.search("b", filter="year:>=2000").ids
    ['y']
    """

    @classmethod
    @checked("open")
    def open(
        cls,
        path: PathLike,
        *,
        backend: str = "auto",
        device: int = 0,
        threads: int = 0,
        bounds_bits: float = 2.5,
    ) -> Index:
        """Opens the index in the folder `path`; takes milliseconds, however large it is.

        `backend`: 'auto' (the GPU `device` if there is one and the index fits), 'cpu' or 'cuda'.
        `threads`: of the host, 0: one a core. `bounds_bits`: memory for bounds of lists, in bits a
        posting; more is faster.

        Raises IoError, FormatError, VersionError; NoDeviceError for backend='cuda' without a GPU.
        """
        return cls(path, backend=backend, device=device, threads=threads, bounds_bits=bounds_bits)

    def refresh(self) -> Index:
        """The index as it is now; this one, if nothing was committed since. Costs what is new:
        unchanged segments are shared. This one stays what it is."""
        handle: Any = self._handle.refreshed()
        if handle is None:
            return self
        index = Index.__new__(Index)
        index._path = self._path
        index._handle = handle
        index.build_report = None
        return index

    @classmethod
    @checked("build")
    def build(
        cls,
        documents: Any,
        path: PathLike,
        *,
        format: str | None = None,
        fields: Texts = None,
        schema: SchemaLike | None = None,
        store: bool = False,
        codec: str = "gpu-bp128",
        freq_codec: str | None = None,
        memory: str | int = "2G",
        threads: int = 0,
        tokenizer: str = "unicode",
        stemmer: str | None = None,
        stopwords: str = "none",
        keep_case: bool = False,
        fold_accents: bool = False,
        header: bool = False,
        columns: Texts = None,
        id_field: str = "",
        encoding: str = "",
        impact_bits: int = 8,
        on_error: str = "stop",
        k1: float = 0.9,
        b: float = 0.4,
        overwrite: bool = False,
        progress: bool | _progress.Told = False,
        backend: str = "auto",
    ) -> Index:
        """Builds an index in the folder `path` and opens it.

        `documents` is one of

        * an iterable of dicts, with "id" and the texts that `fields` names ("contents" by default);
          of strings; or of pairs (id, text). Without ids documents are named by their numbers.
        * a table: a DataFrame of pandas or Polars, a Table, Dataset or RecordBatchReader of Arrow,
          each row as such a dict
        * vectors of a learned sparse model: dicts with "id" and "vector", {term: weight}
        * paths: a str or Path of a file or folder, a list of Paths, or with `format` a list of str.
          Formats: jsonl, tsv, csv, trectext, json-vectors, dir, warc, arc, trecweb, wikipedia, ds2i,
          ciff; gzip, bzip2 and zstd as they are; and parquet, by pyarrow, a few thousand rows at a
          time and only the columns that are looked at

        `schema` names fields with values, to filter, sort and count by: ``{"year": "i32", "tag":
        "keyword:multi", "city": {"type": "keyword", "path": "address.city"}}``. Values are numbers,
        booleans, strings, dates and times, or sequences of them; None and NaN are none.

        `id_field` names the member, column or key that has the id, if it is not "id"; `columns` the
        columns of tsv and csv files without a line that does. `encoding` is what files of text are
        written in that are not UTF-8: "windows-1252", "utf-16le", "shift_jis" (a label of the WHATWG
        Encoding standard); pages of the web say it themselves.

        All other arguments are the options of `gannet index`, which explains them: `store` keeps
        texts, `memory` ("512M", "8G", at least "64M") bounds the build, `stemmer` is a Snowball
        language or "none" (default: english), `on_error` "stop" or "skip" malformed documents.
        `progress`: True for a bar (needs tqdm), or a callable ``progress(stage, done, total)``.

        What the iterable raises, and Ctrl-C, end the build and leave in `path` what was there
        before. The iterable runs on the calling thread, beside the builder's.

        Raises UsageError (also if there is an index and not `overwrite`), InputError, IoError.
        """
        options = _options.build_options(locals())
        with _progress.told_by(progress) as told:
            report = _build(documents, os.fspath(path), format, options, told)
        index = cls.open(path, backend=backend)
        index.build_report = report
        return index

    @checked("search")
    def more_like_this(
        self,
        id: str | None = None,
        *,
        text: str | None = None,
        k: int = 10,
        filter: str | None = None,
        fields: Texts = None,
        scorer: str | None = None,
        scorer_params: Parameters = None,
        sort: Texts = None,
        facets: Texts = None,
        histograms: Texts = None,
        stats: Texts = None,
        group: str | None = None,
        exhaustive: bool = False,
        timeout: float | None = None,
    ) -> Hits:
        """The `k` best documents like the one with this id, or like a text.

        The query is an OR of up to 25 terms: those with the largest frequency in the text times
        inverse document frequency (Lucene's MoreLikeThis is the model). With `id` it is the text
        that the index keeps (``store=True``), and the document itself is neither among the hits nor
        counted. All other arguments are as in :meth:`search`.

        Raises UsageError if no document has the id, and if the index keeps no texts.
        """
        if (id is None) == (text is None):
            raise UsageError("more_like_this: give an id or a text")
        options = _options.search_options(locals(), mode="or", operators=True)
        names = _options._texts(fields)
        if names:
            self.field_values(names, [])  # as in search()
        made: dict[str, Any] = _gannet.more_like_this(self._handle, id, text or "", options)
        return Hits(self, f"like {id or 'a text'}", made, names)


def _build(
    documents: Any,
    path: str,
    format: str | None,
    options: dict[str, Any],
    told: _progress.Told | None,
) -> dict[str, Any]:
    paths = _documents.paths_of(documents, format)
    if paths is not None:
        kind = format or _documents.format_of(paths)
        if kind in ("ds2i", "ciff") and options["stemmer"] is None:
            options = {**options, "stemmer": "none"}  # its terms are taken as they are
        if kind != "parquet":
            return _gannet.build_from_files(paths, kind, path, options, told)
        documents = _documents.parquet_rows(paths, _documents.columns_of(options))
        format = None
    vectors, rows = _documents.are_vectors(_documents.rows_of(documents))
    if vectors:
        with _documents.spooled_vectors(rows, path, options) as (spool, skipped):
            report = _gannet.build_from_files([spool], "json-vectors", path, options, told)
        return {**report, "skipped": report["skipped"] + skipped}
    if format is not None:
        raise UsageError("format is for paths, and these are documents")
    return _gannet.build_from_objects(iter(rows), path, options, told)
