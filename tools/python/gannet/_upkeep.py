"""Work on an index as a whole: checking, repairing, reordering, sharding, merging, exporting; and
changing it by one call. While another process writes to the index, these functions raise UsageError
at once, or after `wait` seconds, where they have this argument."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from inspect import signature
from typing import Any

from gannet import _documents, _gannet, _options, _progress
from gannet._arguments import checked, whole
from gannet._gannet import UsageError
from gannet._index import Index
from gannet._progress import Told
from gannet._reading import Reading
from gannet._types import Memory, PathLike, Texts
from gannet._writer import Writer

__all__ = [
    "add",
    "delete",
    "export",
    "join_shards",
    "merge",
    "reorder",
    "repair",
    "set_codec",
    "shard",
    "verify",
]


#: The arguments of a build as they are if nobody gives them: those of the index count.
_STANDARD = {
    name: parameter.default for name, parameter in signature(Index.build).parameters.items()
}


@checked("upkeep")
def verify(path: PathLike, *, threads: int = 0, progress: bool | Told = False) -> dict[str, Any]:
    """Checks every byte of an index, a set of shards or a column file: "sound", "problems" (a text
    each), and how many files, bytes, lists, postings and values were looked at; "positions" as in
    :attr:`Index.stats`. As `gannet verify`.
    Damage is a finding, no exception; IoError if there is nothing that can be read."""
    with _progress.told_by(progress) as told:
        return _gannet.verify(os.fspath(path), threads, told)


@checked("upkeep")
def repair(
    path: PathLike,
    output: PathLike,
    *,
    overwrite: bool = False,
    wait: float = 0.0,
    memory: Memory = "2G",
    threads: int = 0,
    progress: bool | Told = False,
) -> dict[str, Any]:
    """Writes what can be read of a damaged index to a new one in the folder `output`, and says what
    is lost; "nothing_missing" if nothing is, which is also so where all damage could be put right.
    The damaged index stays as it is. As `gannet repair`."""
    with _progress.told_by(progress) as told:
        return _gannet.repair(
            os.fspath(path), os.fspath(output), overwrite, str(memory), threads, told, wait
        )


@checked("upkeep")
def reorder(
    path: PathLike,
    order: str | Iterable[str],
    output: PathLike | None = None,
    *,
    overwrite: bool = False,
    wait: float = 0.0,
    memory: Memory = "2G",
    threads: int = 0,
    progress: bool | Told = False,
) -> dict[str, Any]:
    """Gives the documents of an index another order, in place, or in the folder `output`. As
    `gannet reorder`.

    `order`: "bisection" (similar documents beside each other: smaller lists, faster searches),
    "id", "url", "url:NAME", "field:NAME", "field:NAME:desc", "random", "random:SEED", or an iterable
    of all ids. Scores stay as they are; deleted documents are left out; the index becomes one
    segment. An open index sees it by :meth:`Index.refresh`."""
    ids = None if isinstance(order, str) else list(order)
    with _progress.told_by(progress) as told:
        return _gannet.reorder(
            os.fspath(path),
            order if isinstance(order, str) else "",
            ids,
            "" if output is None else os.fspath(output),
            overwrite,
            str(memory),
            threads,
            told,
            wait,
        )


@checked("upkeep")
def set_codec(
    path: PathLike,
    field: str,
    codec: str,
    *,
    wait: float = 0.0,
    memory: Memory = "2G",
    threads: int = 0,
    progress: bool | Told = False,
) -> dict[str, Any]:
    """Codes the values of a field by another codec (a name of :func:`codecs`, or "auto"); values,
    docids and scores stay. As `gannet set-codec`."""
    with _progress.told_by(progress) as told:
        return _gannet.set_codec(os.fspath(path), field, codec, str(memory), threads, told, wait)


@checked("upkeep")
def shard(
    path: PathLike,
    output: PathLike,
    shards: int,
    *,
    memory: Memory = "2G",
    threads: int = 0,
    progress: bool | Told = False,
) -> list[str]:
    """Cuts an index into so many shards of as many documents, in the folder `output`, which
    :meth:`Index.open` opens as one index; gives the folders of the shards. The index stays as it
    is. As `gannet shard`."""
    shards = whole("shards", shards, 1, 2**32 - 1)
    folder = os.fspath(output)
    with _progress.told_by(progress) as told:
        made = _gannet.split_index(os.fspath(path), folder, shards, str(memory), threads, told)
    return [os.path.join(folder, record[0]) for record in made]


@checked("upkeep")
def join_shards(
    path: PathLike,
    output: PathLike,
    *,
    memory: Memory = "2G",
    threads: int = 0,
    progress: bool | Told = False,
) -> dict[str, Any]:
    """Writes the documents of a set of shards as one index in the folder `output`. As `gannet shard
    --join`."""
    with _progress.told_by(progress) as told:
        return _gannet.join_shards(os.fspath(path), os.fspath(output), str(memory), threads, told)


@checked("merge")
def merge(
    path: PathLike,
    max_segments: int = 1,
    *,
    tiers: bool = False,
    wait: float = 0.0,
    memory: Memory = "2G",
    threads: int = 0,
    progress: bool | Told = False,
) -> dict[str, Any]:
    """Merges the segments of an index until at most so many are left, without the deleted
    documents; an index that is searched meanwhile sees it by :meth:`Index.refresh`. `tiers` merges
    only where ten segments of like size stand side by side. As `gannet merge`."""
    with _progress.told_by(progress) as told:
        return _gannet.merge(os.fspath(path), max_segments, tiers, str(memory), threads, told, wait)


@checked()
def export(
    index: Reading | PathLike,
    output: PathLike,
    format: str,
    *,
    overwrite: bool = False,
    progress: bool | Told = False,
) -> None:
    """Writes the posting lists of an index for other programs: as "ciff" one file, as "ds2i" five,
    whose names begin with `output`. The index has one segment and no text fields; its positions
    are left out. Raises ExistsError, a FileExistsError, if there is a file already and not
    `overwrite`. As `gannet export`."""
    if format not in ("ds2i", "ciff"):
        raise UsageError(f"format: '{format}' is none of ds2i, ciff")
    opened = index if isinstance(index, Reading) else Reading(index, backend="cpu")
    with _progress.told_by(progress) as told:
        _gannet.export_lists(opened._handle, os.fspath(output), format, overwrite, told)


@checked("delete")
def delete(
    path: PathLike,
    ids: str | Iterable[str] = (),
    *,
    query: str | None = None,
    filter: str | None = None,
    dry_run: bool = False,
    wait: float = 0.0,
) -> dict[str, Any]:
    """Deletes documents of an index, all in one commit: those with the `ids`, or those that match
    `query` and pass `filter`. Gives how many were "deleted", how many "documents" are left, and the
    ids that were "not_found". `dry_run` deletes none. As `gannet delete`; documents without ids are
    deleted by a query or a filter."""
    names = [ids] if isinstance(ids, str) else list(ids)
    if names and (query or filter):
        raise UsageError("ids name documents, query and filter find some: give two calls")
    if not names and not query and not filter:
        raise UsageError("say what to delete: ids, query or filter")
    return _gannet.remove(os.fspath(path), names, query or "", filter or "", dry_run, wait)


@checked("add")
def add(
    path: PathLike,
    documents: Any,
    *,
    update: bool = False,
    merge: bool = True,
    format: str | None = None,
    header: bool = False,
    columns: Texts = None,
    id_field: str = "",
    encoding: str = "",
    page_ids: str = "auto",
    namespaces: Sequence[int] = (0,),
    on_error: str = "stop",
    wait: float = 0.0,
    memory: Memory = "2G",
    threads: int = 0,
    progress: bool | Told = False,
) -> dict[str, Any]:
    """Adds documents to an index in one commit, read and analysed as when it was built. `documents`
    are what :meth:`Index.build` takes; `update` lets them take the place of those with their ids.
    Afterwards segments of like size are merged, unless `merge` is False. Gives how many were
    "added", and what was "merged". As `gannet add` and `gannet update`; :class:`Writer` does the
    same step by step."""
    paths = _documents.paths_of(documents, format)
    kind = format or (None if paths is None else _documents.format_of(paths))
    if paths is None or kind == "parquet":
        return _added(path, documents, paths, update, merge, memory, threads, id_field, wait)
    assert kind is not None
    options = _options.build_options({**_STANDARD, **locals()})
    with _progress.told_by(progress) as told:
        return _gannet.add_from_files(
            paths, kind, os.fspath(path), options, update, merge, told, wait
        )


def _added(
    path: PathLike,
    documents: Any,
    paths: list[str] | None,
    update: bool,
    merge: bool,
    memory: Memory,
    threads: int,
    id_field: str,
    wait: float,
) -> dict[str, Any]:
    """The documents of an iterable, a table or Parquet files, by a writer."""
    if not os.path.isdir(path):
        raise _gannet.IoError(f"{os.fspath(path)}: there is no index")
    if paths is None:
        rows = _documents.rows_of(documents)
    else:
        batches = _documents.parquet_batches(paths, None)
        rows = (row for batch in batches for row in batch.to_pylist())
    tier = 10 if merge else 0
    with Writer(path, memory=memory, threads=threads, merge_tier=tier, wait=wait) as writer:
        for document in rows:
            if id_field and isinstance(document, dict):
                document = {**document, "id": document.get(id_field)}
            if update:
                writer.update(document)
            else:
                writer.add(document)
        return writer.commit()
