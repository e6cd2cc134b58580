"""The builder's progress as a bar of tqdm."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from gannet._gannet import UsageError

Told = Callable[[str, int, int], None]


class _Bar:
    def __init__(self, make: Any) -> None:
        self._make = make
        self._stage = ""
        self._bar: Any = None

    def __call__(self, stage: str, done: int, total: int) -> None:
        if stage != self._stage:
            self.close()
            self._stage = stage
            self._bar = self._make(desc=stage, total=total or None, unit_scale=True, unit="")
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


@contextlib.contextmanager
def told_by(progress: bool | Told) -> Iterator[Told | None]:
    """What tells the progress: nothing, a bar, or the user's callable."""
    if not progress:
        yield None
    elif progress is not True:
        yield progress
    else:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise UsageError(
                "progress=True needs tqdm: pip install tqdm, or give a callable "
                "progress(stage, done, total)"
            ) from None
        bar = _Bar(tqdm)
        try:
            yield bar
        finally:
            bar.close()
