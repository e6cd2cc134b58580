"""Building a set of shards by tasks over the files of the input."""

from __future__ import annotations

import hashlib
import inspect
import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ray

from gannet import _documents, _gannet, _options, _progress
from gannet._arguments import checked, whole
from gannet._gannet import InputError, IoError, UsageError
from gannet._index import Index
from gannet._types import PathLike
from gannet.ray._ids import check_ids
from gannet.ray._waiting import connect, finished, fitting, no_room

_OPTIONS = {
    name: parameter.default
    for name, parameter in inspect.signature(Index.build).parameters.items()
    if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    and name not in ("format", "overwrite", "progress", "backend")
}
_IN_ONE_PIECE = "posting lists come in one piece"
#: Formats that tasks do not read, and why.
_NOT_SHARED_OUT = {
    "ds2i": _IN_ONE_PIECE,
    "ciff": _IN_ONE_PIECE,
    "parquet": "rows are read by the program that builds",
}
Files = Sequence[tuple[str, int]]


@checked()
def build(
    inputs: PathLike | Sequence[PathLike],
    path: PathLike,
    *,
    shards: int | None = None,
    format: str | None = None,
    num_cpus: float = 1,
    resources: Mapping[str, float] | None = None,
    progress: bool | _progress.Told = False,
    **options: Any,
) -> Index:
    """Builds a set of shards in the folder `path`, which is new or empty, and opens it.

    `inputs`: files and folders, as for :meth:`gannet.Index.build`. They are shared out in their
    order: whole files, so many for a shard that all have about as many bytes. The set answers what
    one index of them answers; joined (`gannet shard --join`), it is that index. The formats ds2i
    and ciff are one file each: build an index of that, and :func:`shard` it.

    `shards`: how many; by default as many as tasks have room in the cluster, at most one a file.
    Each is built by a task, for which Ray keeps `num_cpus` and `resources`. `options` are those of
    :meth:`gannet.Index.build` but `overwrite` and `backend`; `memory` and `threads` (0: `num_cpus`,
    rounded down, at least 1) are those of a task. `progress` is told of shards that are done.

    A task whose process or node is lost is started again by Ray. Any error, and Ctrl-C, end all
    tasks and leave no set. All nodes must see the input and `path` under the same names.

    Raises what :meth:`gannet.Index.build` raises, also for ids that documents of two shards have;
    ClusterError for tasks that are lost again and again.
    """
    begin = time.monotonic()
    given = [inputs] if isinstance(inputs, (str, os.PathLike)) else inputs
    paths = [os.path.abspath(os.fspath(one)) for one in given]
    if not paths:
        raise UsageError("inputs: there are none")
    kind = format or _documents.format_of(paths)
    if kind in _NOT_SHARED_OUT:
        raise UsageError(
            f"format '{kind}': {_NOT_SHARED_OUT[kind]}; build one index of them with "
            "gannet.Index.build, and cut it with gannet.ray.shard"
        )
    job = _Job(paths, kind, os.path.abspath(os.fspath(path)), _task_options(options, num_cpus))
    connect()
    job.share_out(shards, fitting(num_cpus, 0, resources))
    ask = {"num_cpus": num_cpus, "resources": dict(resources or {})}
    with _progress.told_by(progress) as told:
        report = job.run({**ask, "scheduling_strategy": "SPREAD"}, told)
    index = Index.open(job.path, backend="cpu")
    report["terms"] = index.stats["terms"]
    report["seconds"] = time.monotonic() - begin
    index._build_report = report
    return index


@checked()
def shard(
    index: Index | PathLike,
    path: PathLike,
    shards: int,
    *,
    memory: str | int = "2G",
    threads: int = 0,
    progress: bool | _progress.Told = False,
) -> Index:
    """Cuts an index into `shards` of as many documents, without those that are deleted, as
    `gannet shard` does, and opens the set; `path` is a new or empty folder. The index stays as it
    is. Done by this process, in `memory`, without Ray.

    Raises UsageError for an output that holds something; IoError, FormatError."""
    source = index.path if isinstance(index, Index) else os.fspath(index)
    if source is None:
        raise UsageError("an index in memory cannot be cut into shards; build it with a path")
    shards = whole("shards", shards, 1, 2**32 - 1)
    with _progress.told_by(progress) as told:
        _gannet.split_index(source, os.fspath(path), shards, str(memory), threads, told)
    return Index.open(path, backend="cpu")


def _task_options(options: dict[str, Any], num_cpus: float) -> dict[str, Any]:
    if "overwrite" in options:
        raise UsageError("overwrite: a set of shards is written to a new folder")
    for name in options:
        if name not in _OPTIONS:
            raise UsageError(f"{name}: not an option here; there are {', '.join(_OPTIONS)}")
    # A task that is started again finds what the lost one has left.
    made = _options.build_options({**_OPTIONS, **options}, overwrite=True)
    made["threads"] = made["threads"] or max(1, int(num_cpus))
    return made


class _Job:
    """What tasks of one build share."""

    def __init__(self, paths: list[str], kind: str, path: str, options: dict[str, Any]) -> None:
        self.paths = paths
        self.kind = kind
        self.path = path
        self.options = options
        self.files: Files = _gannet.input_files(paths)
        self.digest = digest_of(self.files)
        self.starts: list[int] = []

    def share_out(self, shards: int | None, room: int) -> None:
        """Says which files are whose."""
        if shards is None and room == 0:
            raise no_room("a task", "shards")
        number = max(1, min(len(self.files), room)) if shards is None else shards
        if not 1 <= number <= len(self.files):
            raise UsageError(
                f"shards: {number} of {len(self.files)} files, of which each shard takes whole "
                "ones; ask for fewer, split the files, or build one index and gannet.ray.shard it"
            )
        self.starts = _gannet.share_out([size for _, size in self.files], number)

    def run(self, ask: dict[str, Any], told: _progress.Told | None) -> dict[str, Any]:
        """Builds the shards and makes them a set."""
        number = len(self.starts) - 1
        writer = _gannet.ShardSetHandle(self.path, number)

        def done(stage: str) -> Callable[[int], None] | None:
            return None if told is None else lambda count: told(stage, count, number)

        try:
            weights = None
            if self.kind == "json-vectors":
                found = self._tasks(ask, _scan, [() for _ in range(number)], done("weights"))
                weights = (max(one[0] for one in found), all(one[1] for one in found))
            shards = [writer.shard(i) for i in range(number)]
            reports = self._tasks(ask, _build, [(one, weights) for one in shards], done("shards"))
            check_ids(shards, [report["documents"] for report in reports], ask)
            writer.commit()
        finally:
            writer.close()
        return _added_up(reports)

    def _tasks(
        self,
        ask: dict[str, Any],
        task: Callable[..., Any],
        arguments: Sequence[tuple[Any, ...]],
        done: Callable[[int], None] | None,
    ) -> list[Any]:
        """Runs a task for the files of each shard."""
        remote = ray.remote(**ask)(task)
        common = ray.put((self.paths, self.digest, self.kind, self.path, self.options))
        work = []
        for i, more in enumerate(arguments):
            share = (self.starts[i], self.starts[i + 1])
            work.append((f"shard {i}", remote.remote(common, share, *more)))
        return finished(work, done)


def digest_of(files: Files) -> str:
    """The same for the same files."""
    return hashlib.sha256(repr([tuple(file) for file in files]).encode()).hexdigest()


def _checked(paths: list[str], digest: str, path: str) -> None:
    """Throws unless this node sees what the driver sees."""
    node = ray.get_runtime_context().get_node_id()
    if not os.path.isdir(path):
        raise IoError(f"{path}: not on node {node}; all nodes must see the same folder")
    if digest_of(_gannet.input_files(paths)) != digest:
        raise InputError(
            f"the input has other files, or of other sizes, on node {node} than where the build "
            "began: all nodes must see the same folders, and nobody may change them meanwhile"
        )


def _scan(common: tuple[Any, ...], share: tuple[int, int]) -> tuple[float, bool]:
    paths, digest, _, path, options = common
    _checked(paths, digest, path)
    weights: tuple[float, bool] = _gannet.scan_vectors(paths, options, share)
    return weights


def _build(
    common: tuple[Any, ...], share: tuple[int, int], shard: str, weights: tuple[float, bool] | None
) -> dict[str, Any]:
    paths, digest, kind, path, options = common
    _checked(paths, digest, path)
    report: dict[str, Any] = _gannet.build_shard(paths, kind, shard, options, share, weights)
    return report


def _added_up(reports: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        name: sum((r[name] for r in reports), start=type(of)()) for name, of in reports[0].items()
    }
