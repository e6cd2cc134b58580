"""Ids that documents of two shards have: a shuffle of hashes, by tasks."""

from __future__ import annotations

from typing import Any

import numpy as np
import ray

from gannet import _gannet
from gannet._gannet import InputError
from gannet._types import Uint64Array
from gannet.ray._waiting import finished

#: Documents a and b, a < b, and the id of both.
Repeated = tuple[int, int, str]


def check_ids(shards: list[str], documents: list[int], ask: dict[str, Any]) -> None:
    """Raises InputError if two documents of different shards have the same id. A task a shard makes
    hashes of its ids, and a task a part of the hashes compares them; 16 bytes a document."""
    number = len(shards)
    if number == 1:
        return
    bases = [sum(documents[:i]) for i in range(number)]
    hashed = ray.remote(**ask, num_returns=number)(_hashed)
    pieces = [hashed.remote(one, bases[i], number) for i, one in enumerate(shards)]
    compare = ray.remote(**ask)(_repeated)
    places = ray.put((shards, bases))
    found = finished(
        [
            (f"ids, part {part}", compare.remote(places, *(mine[part] for mine in pieces)))
            for part in range(number)
        ],
        before=[mine[0] for mine in pieces],
    )
    repeated = [one for one in found if one is not None]
    if repeated:
        a, b, name = min(repeated, key=lambda one: (one[1], one[0]))
        raise InputError(
            f"documents {a} and {b} (counted from 0) both have the id {name!r}; ids must be unique"
        )


def _hashed(shard: str, base: int, parts: int) -> tuple[Uint64Array, ...]:
    """Hashes of the ids, beside the documents' numbers in the whole, by parts of the hashes."""
    hashes: Uint64Array = _gannet.id_hashes(shard)
    order = np.argsort(hashes, kind="stable")
    both = np.stack([hashes[order], order.astype(np.uint64) + np.uint64(base)])
    borders = np.array([(part << 64) // parts for part in range(1, parts)], dtype=np.uint64)
    return tuple(np.split(both, np.searchsorted(both[0], borders), axis=1))


def _repeated(places: tuple[list[str], list[int]], *pieces: Uint64Array) -> Repeated | None:
    """The first document of those in `pieces` whose id another one before it has."""
    hashes, documents = np.concatenate(pieces, axis=1)
    order = np.lexsort((documents, hashes))
    hashes, documents = hashes[order], documents[order]
    again = np.flatnonzero(hashes[1:] == hashes[:-1]) + 1
    ids = _Ids(*places)
    for at in again[np.argsort(documents[again], kind="stable")].tolist():
        name = ids.of(int(documents[at]))
        before = at - 1
        while before >= 0 and hashes[before] == hashes[at]:
            if ids.of(int(documents[before])) == name:
                return int(documents[before]), int(documents[at]), name
            before -= 1
    return None


class _Ids:
    """Ids of documents of the whole; shards are opened when they are asked for."""

    def __init__(self, shards: list[str], bases: list[int]) -> None:
        self._shards = shards
        self._bases = np.array(bases)
        self._opened: dict[int, Any] = {}

    def of(self, document: int) -> str:
        shard = int(np.searchsorted(self._bases, document, side="right")) - 1
        if shard not in self._opened:
            self._opened[shard] = _gannet.IndexHandle(
                self._shards[shard], {"backend": "cpu", "threads": 1, "bounds_bits": 0.0}
            )
        docid = np.array([document - int(self._bases[shard])], dtype=np.uint32)
        name: str = self._opened[shard].document_ids(docid)[0]
        return name
