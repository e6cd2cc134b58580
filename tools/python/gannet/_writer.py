"""Writing to an index: documents come and go, in commits."""

from __future__ import annotations

import os
from collections.abc import Iterable
from types import TracebackType
from typing import Any

from gannet import _documents, _gannet, _options
from gannet._arguments import checked, checking, whole
from gannet._types import Memory, PathLike, SchemaLike, Texts


@checking
class Writer:
    """The one writer of an index: adds, replaces and deletes documents, and commits.

    Opens the index in the folder `path`, or makes an empty one there, with the options of
    :meth:`Index.build`; those of an index that is there are its own. Nobody sees anything before
    :meth:`commit`, which is atomic and durable. As a context manager it commits at the end, or
    rolls back after an exception.

    After a commit, `merge_tier` segments of like size, side by side, are merged into one; 0: never.

    >>> import gannet, tempfile
    >>> path = tempfile.mkdtemp() + "/idx"
    >>> with gannet.Writer(path, store=True) as writer:
    ...     writer.add_all([("a", "solar power"), ("b", "wind power")])
    ...     writer.update(("b", "water power"))
    >>> index = gannet.open(path)
    >>> index.search("power").ids
    ['a', 'b']
    >>> with gannet.Writer(path) as writer:
    ...     writer.delete("a")
    True
    >>> index.refresh().search("power").ids
    ['b']

    While another writer is at work on the index, it waits up to `wait` seconds, then raises
    UsageError.
    """

    @checked("Writer")
    def __init__(
        self,
        path: PathLike,
        *,
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
        k1: float = 0.9,
        b: float = 0.4,
        merge_tier: int = 10,
        wait: float = 0.0,
    ) -> None:
        options = _options.build_options(locals())
        tier = whole("merge_tier", merge_tier, 0, 2**32 - 1)
        self._handle = _gannet.WriterHandle(os.fspath(path), options, tier, wait)

    def add(self, document: Any) -> None:
        """Adds a document: a dict with `id`, texts and values of fields, a pair (id, text), or a
        text. UsageError for an id that is there."""
        self._handle.add(document, False)

    def add_all(self, documents: Any) -> None:
        """Adds the documents of an iterable, or the rows of a table."""
        for document in _documents.rows_of(documents):
            self._handle.add(document, False)

    def update(self, document: Any) -> None:
        """Adds a document in the place of the one with its id, if there is one."""
        self._handle.add(document, True)

    def delete(self, id: str) -> bool:
        """Deletes the document with this id; False if there is none. UsageError if the documents
        have no ids, for their numbers change when segments are merged."""
        deleted: bool = self._handle.remove(id)
        return deleted

    def delete_matching(self, query: str | None = None, *, filter: str | None = None) -> int:
        """Deletes all documents that match a query of the query language and pass the filter; says
        how many. They are found in the index as of the last commit: UsageError if documents were
        added since, and if the documents have no ids (:func:`gannet.delete` deletes such)."""
        deleted: int = self._handle.remove_matches(query or "", filter or "")
        return deleted

    def commit(self) -> dict[str, Any]:
        """Makes all of it visible: how many documents were `added` and `removed`, and what was
        `merged` afterwards, or None. An open index sees it by :meth:`Index.refresh`.

        A merge that cannot be made fails no commit: `merge_problem` says why, else it is None.
        `codec_fallbacks` lists fields whose values their codec does not take, with the codec that
        was `used`; the command `gannet set-codec` gives a field another one."""
        report: dict[str, Any] = self._handle.commit()
        return report

    def rollback(self) -> None:
        """Forgets what was done since the last commit."""
        self._handle.rollback()

    def close(self) -> None:
        """Lets others write; what was not committed is forgotten."""
        self._handle.close()

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self.commit()
        finally:
            self.close()
