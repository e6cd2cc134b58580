"""The index: building and opening."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gannet import _documents, _gannet, _memory, _options, _progress
from gannet._arguments import checked, checking
from gannet._build_options import OPENING, MakingOptions
from gannet._gannet import UsageError
from gannet._hits import Hits
from gannet._searching import Parameters, Searching
from gannet._types import Memory, PathLike, SchemaLike, Texts

if TYPE_CHECKING:
    from typing_extensions import Unpack


@checking
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
        devices: Sequence[int] | None = None,
        spread: str = "auto",
        device_budget: Memory | None = None,
        device_memory: Memory | None = None,
        threads: int = 0,
        bounds_bits: float = 2.5,
        candidate_filters: float = 0.015625,
        synonyms: PathLike | None = None,
    ) -> Index:
        """Opens the index in the folder `path`; takes milliseconds, however large it is.

        `backend`: 'auto' (the GPU `device` if there is one and the index fits), 'cpu' or 'cuda'.
        `devices` [0, 1]: several GPUs that share the work; `spread` over them 'copies' of the index,
        'shards', or 'auto': copies, if they fit. `device_budget` ("8G", or bytes): memory of the GPU
        for all of the search, `device_memory`: for the index; by default what is free.
        `threads`: of the host, 0: one a core. `bounds_bits`: memory for bounds of lists, in bits a
        posting; more is faster. `candidate_filters`: a filter of few searches that at least this
        share of the documents passes, as estimated, is evaluated for the documents that may be among
        the best, others for all (counts choose by cost; 2: always for all); the same results.
        `synonyms`: a file in Solr's format; words of queries then also find their synonyms, scored
        as if all of these were one word.

        Raises IoError, FormatError, VersionError; NoDeviceError for backend='cuda' without a GPU.
        """
        return cls(
            path,
            backend=backend,
            device=device,
            devices=devices,
            spread=spread,
            device_budget=device_budget,
            device_memory=device_memory,
            threads=threads,
            bounds_bits=bounds_bits,
            candidate_filters=candidate_filters,
            synonyms=synonyms,
        )

    def refresh(self) -> Index:
        """The index as it is now; this one, if nothing was committed since, or if it is in memory.
        Costs what is new: unchanged segments are shared. This one stays what it is."""
        handle: Any = None if self._path is None else self._handle.refreshed()
        if handle is None:
            return self
        index = Index.__new__(Index)
        index._path = self._path
        index._handle = handle
        index._build_report = None
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
        positions: bool = True,
        codec: str = "gpu-bp128",
        freq_codec: str | None = None,
        memory: Memory = "2G",
        threads: int = 0,
        tokenizer: str = "unicode",
        stemmer: str | None = None,
        stop_words: PathLike | Iterable[str] = "none",
        keep_case: bool = False,
        fold_accents: bool = False,
        header: bool = False,
        columns: Texts = None,
        id_field: str = "",
        encoding: str = "",
        page_ids: str = "auto",
        namespaces: Sequence[int] = (0,),
        rows: PathLike | Sequence[PathLike] | None = None,
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
          of strings; or of pairs (id, text). Without ids documents are named by their numbers;
          dicts that have "docno", "docid", "doc_id" or "_id" instead are refused (`id_field`).
          A text that is None, null or missing is none: a document without any of its texts is
          malformed, unless `schema` has fields of type text; "" is an empty text
        * a table: a DataFrame of pandas or Polars, a Table, Dataset or RecordBatchReader of Arrow,
          each row as such a dict. Of Polars and Arrow (all that has ``__arrow_c_stream__``) texts
          are taken where they are, without a copy or a Python object, by the builder's threads
          (string, large_string, string_view, dictionaries of them; fields also of whole numbers,
          floats, booleans, days, and lists of these); if there are columns of other types, rows go
          through Python
        * vectors of a learned sparse model: dicts with "id" and "vector", {term: weight}
        * paths: a str or Path of a file or folder, a list of Paths, or with `format` a list of str.
          Formats: jsonl, tsv, csv, trectext, json-vectors, dir, warc, arc, trecweb, wikipedia, ds2i,
          ciff; gzip, bzip2 and zstd as they are; and parquet, by pyarrow, a few thousand rows at a
          time and only the columns that are looked at

        `schema` names fields with values, to filter, sort and count by: ``{"year": "i32", "tag":
        "keyword:multi", "city": {"type": "keyword", "path": "address.city"}}``. Values are numbers,
        booleans, strings, dates and times, or sequences of them; None and NaN are none.

        `id_field` names the member, column or key that has the id, if it is not "id"; a document
        without it is malformed then; `columns` the
        columns of tsv and csv files without a line that does. `encoding` is what files of text are
        written in that are not UTF-8: "windows-1252", "utf-16le", "shift_jis" (a label of the WHATWG
        Encoding standard); pages of the web say it themselves. `page_ids`: what names a page of
        warc, arc and trecweb ("record", "url") or of wikipedia ("url", "title"); `namespaces` of
        wikipedia: which pages, by number. `rows`: files (csv, tsv with a header, jsonl) whose
        record i has the values of `schema` for document i, which then has none itself.

        All other arguments are the options of `gannet index`, which explains them: `store` keeps
        texts, `positions` where words stand, which phrases need (texts have them, vectors and
        posting lists have none), `memory` ("512M", "8G", at least "64M") bounds the build,
        `stemmer` is a Snowball
        language or "none" (default: english), `stop_words` "none", "english", the path of a file of
        words or the words themselves, `on_error` "stop" or "skip" malformed documents.
        `progress`: True for a bar (needs tqdm), or a callable ``progress(stage, done, total)``.

        What the iterable raises, and Ctrl-C, end the build and leave in `path` what was there
        before. The iterable runs on the calling thread, beside the builder's.

        Raises UsageError, InputError, IoError; ExistsError, a FileExistsError, if there is an index
        and not `overwrite`.
        """
        options = _options.build_options(locals())
        with _progress.told_by(progress) as told:
            report = _build(documents, os.fspath(path), format, options, told)
        index = cls.open(path, backend=backend)
        index._build_report = report
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

    @classmethod
    def from_documents(
        cls,
        documents: Any,
        path: PathLike | None = None,
        *,
        folder: PathLike | None = None,
        backend: str = "auto",
        **options: Unpack[MakingOptions],
    ) -> Index:
        """Builds an index in memory, or in the folder `path`, if there is one.

        `documents` are those of :meth:`build`, `options` those of :meth:`build` and, of what
        searches it, of :meth:`open` (but `threads`, which are the build's): ``devices=[0, 1],
        device_budget="8G"``. An index in memory has no path and
        goes with the object, or with the process, whatever ends it; it can be searched as any
        other, but not written to. Its files have no name once it is open. They lie in /dev/shm,
        which is memory, if that has 1 GiB free, else among temporary files, on a disk that mostly
        caches them; `folder` says another place. Room is needed for the index and what its build
        sorts. A process that is killed while it builds leaves a folder gannet-* there.

        >>> index = Index.from_documents(["solar power", "wind power"])
        >>> index.search("solar").docids.tolist(), index.path
        ([0], None)
        """
        return cls._made(documents, path, folder, backend, options)

    @classmethod
    def _made(
        cls,
        documents: Any,
        path: PathLike | None,
        folder: PathLike | None,
        backend: str,
        options: Mapping[str, Any],
        **more: Any,
    ) -> Index:
        """Builds an index and opens it, with the options of both."""
        opening = {name: options[name] for name in options.keys() & OPENING}
        building = {name: options[name] for name in options.keys() - OPENING}
        if path is not None and folder is not None:
            raise UsageError("folder is for an index in memory, which has no path")
        with contextlib.ExitStack() as kept:
            where = path
            if where is None:
                where = os.path.join(kept.enter_context(_memory.passing_folder(folder)), "index")
            built = cls.build(documents, where, backend="cpu", **building, **more)
            index = cls.open(where, backend=backend, **opening)
        index._build_report = built.build_report
        if path is None:
            index._path = None
        return index

    @classmethod
    def from_arrow(
        cls,
        table: Any,
        path: PathLike | None = None,
        *,
        folder: PathLike | None = None,
        backend: str = "auto",
        **options: Unpack[MakingOptions],
    ) -> Index:
        """Builds an index of a table of Arrow: a Table, RecordBatch or RecordBatchReader of
        pyarrow, or any object that has ``__arrow_c_stream__``, as those of Polars and DuckDB.
        Texts are not copied on their way into the build. All else is as in :meth:`from_documents`.
        """
        if not hasattr(table, "__arrow_c_stream__") and not hasattr(table, "to_batches"):
            raise TypeError(
                "table takes a table of Arrow, of Polars, or what has __arrow_c_stream__, not "
                f"{type(table).__name__}"
            )
        return cls.from_documents(table, path, folder=folder, backend=backend, **options)

    @classmethod
    def from_polars(
        cls,
        frame: Any,
        path: PathLike | None = None,
        *,
        folder: PathLike | None = None,
        backend: str = "auto",
        **options: Unpack[MakingOptions],
    ) -> Index:
        """Builds an index of a DataFrame or LazyFrame of Polars, as :meth:`from_arrow` does."""
        whole = frame.collect() if hasattr(frame, "collect") else frame
        return cls.from_arrow(whole, path, folder=folder, backend=backend, **options)

    @classmethod
    def from_parquet(
        cls,
        files: PathLike | Sequence[PathLike],
        path: PathLike | None = None,
        *,
        folder: PathLike | None = None,
        backend: str = "auto",
        **options: Unpack[MakingOptions],
    ) -> Index:
        """Builds an index of Parquet files, or of all in a folder: a few thousand rows at a time,
        and only the columns that are looked at. Needs pyarrow. All else is as in
        :meth:`from_arrow`."""
        paths = [files] if isinstance(files, (str, os.PathLike)) else list(files)
        named = [Path(file) for file in paths]
        return cls._made(named, path, folder, backend, options, format="parquet")


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
        return _build_of_parquet(paths, path, options, told)
    if format is None and _of_arrow(documents, options):
        return _gannet.build_from_arrow(iter([documents]), path, options, told)
    vectors, rows = _documents.are_vectors(_documents.rows_of(documents))
    if vectors:
        with _documents.spooled_vectors(rows, path, options) as (spool, skipped):
            report = _gannet.build_from_files([spool], "json-vectors", path, options, told)
        return {**report, "skipped": report["skipped"] + skipped}
    if format is not None:
        raise UsageError("format is for paths, and these are documents")
    return _gannet.build_from_objects(iter(rows), path, options, told)


def _build_of_parquet(
    paths: list[str], path: str, options: dict[str, Any], told: _progress.Told | None
) -> dict[str, Any]:
    batches = _documents.parquet_batches(paths, _documents.columns_of(options))
    first = next(batches, None)
    if first is None:
        return _gannet.build_from_objects(iter(()), path, options, told)
    tables = chain((first,), batches)
    if hasattr(first, "__arrow_c_stream__") and _gannet.arrow_reads(first, options):
        return _gannet.build_from_arrow(tables, path, options, told)
    rows = (row for batch in tables for row in batch.to_pylist())
    return _build(rows, path, None, options, told)


def _of_arrow(documents: Any, options: dict[str, Any]) -> bool:
    """Whether it is a table that the library reads by itself."""
    if type(documents).__module__.partition(".")[0] == "pandas":
        return False  # what is missing there is NaN in floats, and its Arrow tables are copies
    return hasattr(documents, "__arrow_c_stream__") and _gannet.arrow_reads(documents, options)
