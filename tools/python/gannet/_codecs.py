"""Codecs for arrays of integers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple, Union

import numpy as np
import numpy.typing as npt

from gannet import _gannet
from gannet._arguments import checked, checking, whole
from gannet._described import described
from gannet._gannet import UsageError
from gannet._types import PathLike

Array = npt.NDArray[Any]
Parameters = Union[str, Mapping[str, int], None]

_DTYPES = {
    "i8": np.int8,
    "u8": np.uint8,
    "i16": np.int16,
    "u16": np.uint16,
    "i32": np.int32,
    "u32": np.uint32,
    "i64": np.int64,
    "u64": np.uint64,
}
_NAMES = {np.dtype(dtype): name for name, dtype in _DTYPES.items()}


@described(
    name="str: as arguments and options name it",
    types="list of str: types of values that it codes: 'i8' .. 'u64'",
    tiles="bool: any 128 values are decoded by themselves",
)
class CodecInfo(NamedTuple):
    """A codec of columns."""

    name: str
    types: list[str]
    tiles: bool


def codecs() -> list[CodecInfo]:
    """The codecs there are; beside them 'auto', the smallest for the values.

    >>> [codec.name for codec in codecs()][:2]
    ['gpu-bp128', 'gpu-bp256']
    """
    return [CodecInfo(*row) for row in _gannet.codec_table()]


def _raw(values: Any) -> tuple[npt.NDArray[np.uint8], str]:
    array = np.asarray(values)
    if array.ndim != 1:
        raise UsageError(f"a column has one dimension, not {array.ndim}")
    array = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    name = _NAMES.get(array.dtype.newbyteorder("="))
    if name is None:
        raise UsageError(f"columns are of 8 to 64-bit integers, not of {array.dtype}")
    return array.view(np.uint8), name


def _parameters(parameters: Parameters) -> str:
    if parameters is None or isinstance(parameters, str):
        return parameters or ""
    return ",".join(f"{name}={number}" for name, number in parameters.items())


@checking
class Column:
    """An encoded array, in memory or a column file: a sequence, of which parts are decoded.

    `column[i]`, `column[a:b]`, and `np.asarray(column)` decode what they need. Thread-safe.
    """

    def __init__(self, handle: Any) -> None:
        self._handle = handle

    def __len__(self) -> int:
        count: int = self._handle.count
        return count

    @property
    def dtype(self) -> np.dtype[Any]:
        """dtype: the type of the values, of int8 to uint64."""
        return np.dtype(_DTYPES[self._handle.type])

    def decode(self, first: int = 0, count: int | None = None) -> Array:
        """Values [first, first + count); by default all that follow. UsageError beyond the end."""
        first, count = part_of(len(self), first, count)
        array: Array = self._handle.decode(first, count).view(self.dtype)
        return array

    def __getitem__(self, i: int | slice) -> Any:
        if isinstance(i, slice):
            begin, end, step = i.indices(len(self))
            if step != 1:
                raise UsageError("parts of a column are of neighbours: step is 1")
            return self.decode(begin, max(end - begin, 0))
        if not -len(self) <= i < len(self):
            raise IndexError(f"the column has {len(self)} values")
        return self.decode(i % len(self), 1)[0]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        array = self.decode()
        return array if dtype is None else array.astype(dtype)

    def __repr__(self) -> str:
        return f"<gannet.Column: {len(self)} values of {self.dtype}>"


def part_of(total: int, first: int, count: int | None) -> tuple[int, int]:
    """A range of a column's values, by default all from `first` on. UsageError beyond the end."""
    if first < 0 or (count is not None and count < 0):
        raise UsageError("first and count are whole numbers from 0 on")
    if count is None:
        count = max(total - first, 0)
    if first + count > total:
        raise UsageError(f"the column has {total} values, and {first} + {count} are asked for")
    return first, count


@checked()
def encode(
    values: Any, codec: str = "auto", parameters: Parameters = None
) -> npt.NDArray[np.uint8]:
    """An array of integers as bytes that say what they are; `decode` takes them.

    `codec`: a name of :func:`codecs`, or 'auto': the smallest. `parameters`: of the codec, {"rles":
    2}. The result supports the buffer protocol: write it to a file as it is.

    >>> import numpy as np
    >>> data = encode(np.arange(1000, dtype=np.int32))
    >>> data.nbytes < 1000
    True
    >>> decode(data, 10, 3).tolist()
    [10, 11, 12]
    """
    raw, name = _raw(values)
    encoded: npt.NDArray[np.uint8] = _gannet.encode(raw, name, codec, _parameters(parameters))
    return encoded


@checked()
def decode(data: Any, first: int = 0, count: int | None = None) -> Array:
    """The array that was encoded, or values [first, first + count) of it. `data`: what
    :func:`encode` gave, as anything with the buffer protocol. It is checked before it is decoded:
    FormatError if it is damaged."""
    return Column(_gannet.ColumnHandle(buffer_of("decode", data))).decode(first, count)


def buffer_of(function: str, data: Any) -> npt.NDArray[np.uint8]:
    """The bytes of what has the buffer protocol; of `function`, the argument `data`."""
    try:
        return np.frombuffer(data, dtype=np.uint8)
    except (TypeError, BufferError):
        raise TypeError(
            f"{function}(): data takes what gannet.encode gave, as anything with the buffer "
            f"protocol, not {type(data).__name__}"
        ) from None


@checked()
def to_file(
    values: Any,
    path: PathLike,
    codec: str = "auto",
    parameters: Parameters = None,
    threads: int = 1,
    *,
    overwrite: bool = False,
) -> dict[str, Any]:
    """Writes an array as a column file (checksummed, in segments, as `gannet encode` does), which
    appears complete or not at all. Says values, segments, file_bytes, and values by codec. Raises
    ExistsError, a FileExistsError, if there is a file already and not `overwrite`."""
    raw, name = _raw(values)
    threads = whole("threads", threads, 0, 4096)
    return _gannet.write_column_file(
        raw, name, os.fspath(path), codec, _parameters(parameters), threads, overwrite
    )


@checked()
def from_file(path: PathLike) -> Column:
    """Opens a column file; values are read and checked when they are asked for.

    >>> import tempfile, numpy as np
    >>> name = tempfile.mkdtemp() + "/squares.column"
    >>> to_file(np.arange(100, dtype=np.uint16) ** 2, name)["values"]
    100
    >>> column = from_file(name)
    >>> int(column[9]), column[10:12].tolist()
    (81, [100, 121])
    """
    return Column(_gannet.ColumnFileHandle(os.fspath(path)))
