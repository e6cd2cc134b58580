"""Waiting for what Ray's workers do, and their failures as errors of this package."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ray

from gannet._gannet import Error, UsageError

#: How long tasks that are cancelled may take until their processes are ended.
_PATIENCE = 30.0
#: Ray 2.60 ends this process ("Tried to complete task that was not pending") if a task is cancelled
#: while it is on its way to a worker, as the next one is after a task has failed: it may arrive.
_ON_ITS_WAY = 0.5


class ClusterError(Error):
    """A worker of Ray died, did not start, or is not what the others are."""


class NotInTime(Exception):
    """Some are not done; how many."""


def connect() -> None:
    """Goes to Ray; starts it on this machine if the program has not been connected."""
    if not ray.is_initialized():
        ray.init()


def fitting(num_cpus: float, num_gpus: float, resources: Mapping[str, float] | None) -> int:
    """How many workers that ask for so much have room in the cluster as it is, were it empty."""
    wanted = {"CPU": num_cpus, "GPU": num_gpus, **(resources or {})}
    wanted = {name: amount for name, amount in wanted.items() if amount > 0}
    if not wanted:
        return 2**31
    return sum(
        min(int(node["Resources"].get(name, 0) // amount) for name, amount in wanted.items())
        for node in ray.nodes()
        if node["Alive"]
    )


def amounts(resources: Mapping[str, float]) -> str:
    """What of a cluster workers ask for."""
    named = {n: a for n, a in resources.items() if n != "memory" and not n.startswith("node:")}
    named.pop("object_store_memory", None)
    return ", ".join(f"{amount:g} {name}" for name, amount in sorted(named.items())) or "nothing"


def no_room(worker: str, option: str) -> UsageError:
    """What is wrong if fitting() is 0, and nobody has said by `option` how many there are to be."""
    return UsageError(
        f"no node of the Ray cluster has what {worker} asks for; all of them together have "
        f"{amounts(ray.cluster_resources())}; ask for less, or say {option}= to wait for nodes to "
        "come"
    )


def gathered(
    work: Sequence[tuple[str, Any]],
    timeout: float | None = None,
    done: Callable[[int], None] | None = None,
) -> list[Any]:
    """The results of (where, reference) in their order; the first failure ends it, whichever it is.

    `done` is told how many are finished. Raises NotInTime, ClusterError, and what the library
    raised in the worker, with the place before its message.
    """
    places = {reference: i for i, (_, reference) in enumerate(work)}
    results: list[Any] = [None] * len(work)
    pending = [reference for _, reference in work]
    end = None if timeout is None else time.monotonic() + timeout
    while pending:
        left = None if end is None else max(0.0, end - time.monotonic())
        ready, pending = ray.wait(pending, num_returns=1, timeout=left)
        if not ready:
            raise NotInTime(len(pending))
        place = places[ready[0]]
        results[place] = _result(*work[place])
        if done is not None:
            done(len(work) - len(pending))
    return results


def _result(where: str, reference: Any) -> Any:
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        cause = error.cause
        if isinstance(cause, UsageError):
            raise type(cause)(str(cause)) from None  # as it is in one process
        if isinstance(cause, Error):
            raise type(cause)(f"{where}: {cause}") from None
        raise ClusterError(f"{where}: {type(cause).__name__}: {cause}") from error
    except ray.exceptions.RayError as error:
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise ClusterError(f"{where}: {reason}") from error


def finished(
    work: Sequence[tuple[str, Any]],
    done: Callable[[int], None] | None = None,
    before: Sequence[Any] = (),
) -> list[Any]:
    """As :func:`gathered`, for tasks: after a failure, or Ctrl-C, none of them is running, nor of
    those `before`, whose results they take."""
    try:
        return gathered(work, done=done)
    except BaseException:
        references = _unfinished([*before, *(reference for _, reference in work)], _ON_ITS_WAY)
        for force in (False, True):
            # Those that wait come last and go first: else they would be sent off meanwhile.
            for reference in reversed(references):
                ray.cancel(reference, force=force)
            references = _unfinished(references, _PATIENCE)
        raise


def _unfinished(references: list[Any], timeout: float) -> list[Any]:
    """Those that are not done by then."""
    if not references:
        return []
    left: list[Any] = ray.wait(
        references, num_returns=len(references), timeout=timeout, fetch_local=False
    )[1]
    return left
