"""Methods as coroutines."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

from gannet import _gannet
from gannet._options import STOP

_P = ParamSpec("_P")
_R = TypeVar("_R")


def coroutine_of(
    method: Callable[_P, _R],
) -> Callable[[Callable[..., Any]], Callable[_P, Coroutine[Any, Any, _R]]]:
    """Makes a coroutine that runs `method` on a thread; what is decorated gives its name and its
    description. Its search ends when it is cancelled."""

    def decorate(described: Callable[..., Any]) -> Callable[_P, Coroutine[Any, Any, _R]]:
        @functools.wraps(method)
        async def call(*args: _P.args, **options: _P.kwargs) -> _R:
            stop = _gannet.Stop()
            before = STOP.set(stop)  # the thread has a copy of what holds here
            try:
                return await asyncio.to_thread(method, *args, **options)
            except asyncio.CancelledError:
                stop.request()
                raise
            finally:
                STOP.reset(before)

        call.__name__ = described.__name__
        call.__qualname__ = described.__qualname__
        call.__doc__ = described.__doc__
        return call

    return decorate
