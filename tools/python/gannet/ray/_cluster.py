"""Searching a set of shards by actors."""

from __future__ import annotations

import itertools
import os
import time
import warnings
from collections.abc import Mapping
from types import TracebackType
from typing import Any, NamedTuple

import gannet
import numpy as np
import ray
from gannet import _gannet
from gannet._arguments import checked, checking
from gannet._described import described
from gannet._gannet import UsageError
from gannet._searching import Searching
from gannet._types import PathLike
from gannet.ray._actor import ShardActor
from gannet.ray._waiting import (
    ClusterError,
    NotInTime,
    amounts,
    connect,
    fitting,
    gathered,
    no_room,
)

#: Calls of an actor that may run at the same time.
_CALLS = 8
#: Texts of a batch from which on they are handed to all actors by one object.
_MANY = 16
#: What needs more of a shard than its best documents, by the names of arguments.
_REFUSED = ("sort", "facets", "histograms", "stats", "group", "expand", "total", "offset", "after")


@described(
    first="int: its first shard, from 0",
    last="int: behind its last shard",
    documents="int: how many documents its shards have",
    backend="str: 'cpu' or 'cuda'",
    node="str: Ray's name for the machine",
    pid="int: of its process",
)
class Actor(NamedTuple):
    """An actor of a cluster."""

    first: int
    last: int
    documents: int
    backend: str
    node: str
    pid: int


@checking
class Cluster(Searching):
    """A set of shards, searched by actors; answers what one index of all documents answers.

    Documents have the same numbers, scores the same bits. All of :class:`gannet.Index` works, but
    `sort`, `facets`, `histograms`, `stats`, `group`, `total` and `expand` (but "sdm"), which are refused:
    `gannet.open(path)` answers these over the same set, in one process. What is no search
    (statistics, terms, stored texts, fields, explanations) is read from the set by this process.

    Any number of threads may use one. An actor that dies ends all calls under way with
    ClusterError, and the cluster is closed: there is no answer of a part of the shards.
    """

    @checked()
    def __init__(
        self,
        path: PathLike,
        *,
        actors: int | None = None,
        num_gpus: float = 0,
        num_cpus: float = 1,
        resources: Mapping[str, float] | None = None,
        threads: int = 0,
        bounds_bits: float = 2.5,
        timeout: float = 120,
    ) -> None:
        """Starts the actors for the set in the folder `path`, which all nodes see under this name.

        `actors`: how many share the shards, at most one a shard; by default as many as there are
        shards, or as have room in the cluster. `num_gpus`, `num_cpus`, `resources`: what Ray is to
        keep for each; with `num_gpus` of 1 each has a GPU of its own, and its shards lie there;
        with 0 the CPU searches, by `threads` threads (0: `num_cpus`, rounded down, at least 1).
        `timeout`: seconds until all must be ready.

        Raises UsageError for a path that is no set of shards and for a cluster without room for an
        actor, ClusterError for actors that do not start, or that see another set, or have another
        version of this package; else what :meth:`gannet.Index.open` raises.
        """
        whole = os.path.abspath(os.fspath(path))
        self._records: list[tuple[str, int, int, int]] = _gannet.read_shard_set(whole)
        super().__init__(whole, backend="cpu")
        connect()
        starts = self._shares(actors, fitting(num_cpus, num_gpus, resources))
        self._numbers = itertools.count()
        self._closed = ""
        self._actors: list[tuple[str, Any]] = []
        made = ray.remote(
            num_cpus=num_cpus,
            num_gpus=num_gpus,
            resources=dict(resources or {}),
            max_concurrency=_CALLS,
            max_restarts=0,
            scheduling_strategy="SPREAD",
        )(ShardActor)
        for first, last in zip(starts, starts[1:]):
            where = f"shards {first} to {last - 1}" if last - first > 1 else f"shard {first}"
            self._actors.append((where, made.remote(whole, first, last)))
        backend = "cuda" if num_gpus > 0 else "cpu"
        try:
            told = self._opened((backend, threads or max(1, int(num_cpus)), bounds_bits), timeout)
        except BaseException:
            self.close()
            raise
        self._shared_out = [
            Actor(*share, *(about[name] for name in Actor._fields[2:]))
            for share, about in zip(zip(starts, starts[1:]), told)
        ]

    def _shares(self, actors: int | None, room: int) -> list[int]:
        """Where the shards of each actor begin, and the end."""
        shards = len(self._records)
        if actors is None:
            if room == 0:
                raise no_room("an actor", "actors")
            actors = min(shards, room)
        if not 1 <= actors <= shards:
            raise UsageError(
                f"actors: {actors}, each of which takes whole shards, for a set of {shards}"
            )
        starts: list[int] = _gannet.share_out([record[2] for record in self._records], actors)
        return starts

    def _opened(self, options: tuple[Any, ...], timeout: float) -> list[dict[str, Any]]:
        try:
            told = self._ask("open", *options, timeout=timeout)
        except NotInTime as missing:
            raise ClusterError(
                f"{missing} of {len(self._actors)} actors were not ready within {timeout:g} "
                f"seconds; the Ray cluster has {amounts(ray.cluster_resources())}, of which are "
                f"free {amounts(ray.available_resources())}; ask for less, for fewer actors, or "
                "wait longer (timeout=)"
            ) from None
        for (where, _), about in zip(self._actors, told):
            if about["version"] != gannet.__version__:
                raise ClusterError(
                    f"{where}: the node has gannet {about['version']}, this one "
                    f"{gannet.__version__}; install the same on all"
                )
            if about["records"] != self._records:
                raise ClusterError(
                    f"{where}: {self._path} is another set of shards there; all nodes must see "
                    "the same folder, and nobody may replace it meanwhile"
                )
            for warning in about["warnings"]:
                warnings.warn(f"{where}: {warning}", stacklevel=4)
        return told

    @property
    def actors(self) -> list[Actor]:
        """list of Actor: the actors, in the order of their shards."""
        return self._shared_out

    @property
    def backend(self) -> str:
        """str: 'cpu' or 'cuda': what runs the queries in the actors."""
        return self.actors[0].backend

    def _answer(self, query: str, options: dict[str, Any]) -> dict[str, Any]:
        made = self._answers([query], options)
        made["count"] = int(made["counts"][0])
        if options["want"] != "hits" or made["count"] < options["k"]:
            made["total"] = made["count"]
        if options["want"] != "hits":
            made["scores"] = None
        made["plan"] = _gannet.plan(self._handle, query, options)
        return made

    def _answers(self, queries: list[Any], options: dict[str, Any]) -> dict[str, Any]:
        if not all(isinstance(query, str) for query in queries):
            raise UsageError(
                "queries of terms and weights: not on a cluster; "
                f"gannet.open('{self._path}') answers them in one process"
            )
        for name in _REFUSED:
            # Pairs of words are the query's own, and add up as words do.
            if options[name] and (name, options[name]) != ("expand", "sdm"):
                raise UsageError(
                    f"{name}: not on a cluster, which knows the best documents of its shards only; "
                    f"gannet.open('{self._path}') answers it in one process"
                )
        begin = time.monotonic()
        options = {**options, "stop": None}  # which is this process's
        parts = self._searched(queries, options)
        made: dict[str, Any] = _gannet.join_results(self._handle, options, parts)
        made["report"] = _added_up([part["report"] for part in parts])
        made["report"]["seconds"] = time.monotonic() - begin
        return made

    def _searched(self, queries: list[str], options: dict[str, Any]) -> list[dict[str, Any]]:
        """What the shards of each actor have of the hits."""
        batch = next(self._numbers)
        # Terms of all shards: an actor's own would be others.
        expansions = _gannet.expand_words(self._handle, queries, options)
        try:
            texts = ray.put(queries) if len(queries) >= _MANY else queries
            planned = self._ask("plan", batch, texts, options, expansions)
            if len({fingerprint for fingerprint, _ in planned}) > 1:
                raise ClusterError(
                    "the actors have planned different queries: do their nodes have libraries of "
                    "different versions?"
                )
            # Whole numbers, each a sum over documents: added up, they are the whole's.
            numbers = np.sum([known for _, known in planned], axis=0, dtype=np.uint64)
            return self._ask("search", batch, numbers)
        except BaseException:
            for _, actor in self._actors:
                actor.drop.remote(batch)
            raise

    def _ask(self, method: str, *arguments: Any, timeout: float | None = None) -> list[Any]:
        """Calls a method of all actors."""
        actors = self._actors
        if self._closed:  # looked at behind the actors, for another thread may close it just now
            raise ClusterError(self._closed)
        try:
            work = [(where, getattr(actor, method).remote(*arguments)) for where, actor in actors]
            return gathered(work, timeout)
        except ClusterError as error:
            self._close(f"the cluster was closed after a failure ({error}); open another")
            raise

    def _close(self, reason: str) -> None:
        self._closed = self._closed or reason
        actors, self._actors = self._actors, []
        for _, actor in actors:
            ray.kill(actor)

    def close(self) -> None:
        """Ends the actors and gives back what Ray has kept for them. Calls under way end with
        ClusterError."""
        self._close("the cluster is closed")

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return (
            f"<gannet.ray.Cluster {self._path!r}: {len(self)} documents in {len(self._records)} "
            f"shards, {len(self.actors)} actors, {self.backend}>"
        )


def _added_up(reports: list[dict[str, Any]]) -> dict[str, Any]:
    """The report of all actors: counts add up; the queries were the same."""
    made = dict(reports[0])
    for name, value in made.items():
        if isinstance(value, int) and name != "queries":
            made[name] = sum(report[name] for report in reports)
    return made
