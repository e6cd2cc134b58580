"""What runs in an actor: some shards of a set, which search for the whole."""

from __future__ import annotations

import os
from typing import Any

import gannet
import ray
from gannet import _gannet
from gannet._types import Uint64Array


class ShardActor:
    """Shards [first, last) of a set. Its methods are called by several threads."""

    def __init__(self, path: str, first: int, last: int) -> None:
        self._path = path
        self._first = first
        self._last = last
        self._base = 0
        self._handle: Any = None
        #: Batches that were planned and are not searched yet; None while one is being planned.
        self._batches: dict[int, Any] = {}

    def open(self, backend: str, threads: int, bounds_bits: float) -> dict[str, Any]:
        """Opens the shards, and says what they are, for the driver to compare."""
        records = _gannet.read_shard_set(self._path)
        self._base = records[self._first][1] if self._first < len(records) else 0
        self._handle = _gannet.open_shards(
            self._path,
            self._first,
            self._last,
            {"backend": backend, "threads": threads, "bounds_bits": bounds_bits},
        )
        return {
            "records": records,
            "version": gannet.__version__,
            "warnings": self._handle.warnings(),
            "documents": self._handle.stats()["documents"],
            "backend": self._handle.backend,
            "node": ray.get_runtime_context().get_node_id(),
            "pid": os.getpid(),
        }

    def plan(
        self, batch: int, queries: list[str], options: dict[str, Any], expansions: bytes | None
    ) -> tuple[int, Uint64Array]:
        """Plans a batch: what tells its queries from others, and what these shards know of them.
        `expansions`: what inexact words of the queries stand for in all shards."""
        self._batches[batch] = None
        try:
            made = _gannet.ShardBatch(self._handle, queries, options, expansions)
        except BaseException:
            self._batches.pop(batch, None)
            raise
        if batch in self._batches:  # else it was dropped meanwhile
            self._batches[batch] = made
        return made.fingerprint, made.numbers

    def search(self, batch: int, numbers: Uint64Array) -> dict[str, Any]:
        """Searches a batch that was planned, with the sums of what all shards know."""
        try:
            made: dict[str, Any] = self._batches[batch].search(numbers, self._base)
            return made
        finally:
            self._batches.pop(batch, None)

    def drop(self, batch: int) -> None:
        """Ends what is done for a batch."""
        made = self._batches.pop(batch, None)
        if made is not None:
            made.stop()
