"""What help() says of attributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

_T = TypeVar("_T")


def described(**attributes: str) -> Callable[[type[_T]], type[_T]]:
    """Gives the fields of a named tuple, or of a data class with slots, their descriptions: pydoc
    reads those of slots from a dict `__slots__`, which other classes have of their own."""

    def decorate(cls: type[_T]) -> type[_T]:
        if issubclass(cls, tuple):
            for name, text in attributes.items():
                getattr(cls, name).__doc__ = text
        else:
            made: Any = cls
            made.__slots__ = attributes
        return cls

    return decorate
