"""Codecs for arrays in GPU memory, on streams of yours: what PyTorch and CuPy have, without a copy.

>>> import gannet, numpy as np
>>> values = np.arange(1000, dtype=np.int32)
>>> data = gannet.encode(values, "gpu-for")  # on the host
>>> if gannet.gpu.available():
...     column = gannet.gpu.upload(data)
...     array = gannet.gpu.decode(column)  # torch.from_dlpack(array), cupy.from_dlpack(array)
...     assert np.array_equal(array.numpy(), values)
...     again = gannet.gpu.encode(array, "gpu-for")
...     assert again.to_bytes().tobytes() == data.tobytes()

Work is put on the stream that is named (`stream`: of PyTorch, of CuPy, anything with
``__cuda_stream__``, a handle, or None for CUDA's default stream) and nothing waits for it, unless
the description of a function says so. PyTorch's current stream is
``torch.cuda.current_stream()``; it has to be named, too. Arrays that are given must stay as they are
until the stream has come past them: keep them, or work on the stream that they were made on.

The first call of a kind loads its kernels, for which the driver may wait for the device.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gannet import _gannet
from gannet._arguments import checked, checking, whole
from gannet._codecs import _DTYPES, Parameters, _parameters, buffer_of, part_of
from gannet._device_arrays import DeviceArray, Stream, StreamLike, empty, stream_of, take
from gannet._gannet import UsageError

__all__ = [
    "Batch",
    "Column",
    "DeviceArray",
    "available",
    "decode",
    "decode_batch",
    "encode",
    "upload",
]

_ALIGNMENT = 256  # of arrays that share memory, as what CUDA allocates has it


def available() -> bool:
    """Whether there is a GPU that can be used. If not, all else here raises NoDeviceError, which
    says why."""
    found: bool = _gannet.device_availability()[0]
    return found


@checking
class Column:
    """An encoded array in GPU memory: from :func:`encode` or :func:`upload`."""

    def __init__(self, handle: _gannet.DeviceColumn) -> None:
        self._handle = handle

    def __len__(self) -> int:
        count: int = self._handle.count
        return count

    @property
    def dtype(self) -> np.dtype[Any]:
        """dtype: the type of the values, of int8 to uint64."""
        return np.dtype(_DTYPES[self._handle.type])

    @property
    def codec(self) -> str:
        """str: the name of its codec, as in :func:`gannet.codecs`."""
        name: str = self._handle.codec
        return name

    @property
    def device(self) -> int:
        """int: the number of its GPU."""
        number: int = self._handle.device
        return number

    @property
    def nbytes(self) -> int:
        """int: the bytes that it takes. Waits for them when it is first asked for."""
        size: int = self._handle.bytes()
        return size

    @property
    def room(self) -> int:
        """int: the bytes of GPU memory that it holds: after :func:`encode`, as many as the worst values
        would take; see :meth:`compact`."""
        size: int = self._handle.room
        return size

    def compact(self) -> Column:
        """The column in as much memory as it takes; waits for its size. The memory of this one goes
        back when it is no longer held."""
        return Column(self._handle.compact())

    def decode(
        self,
        out: Any = None,
        *,
        first: int = 0,
        count: int | None = None,
        stream: StreamLike = None,
    ) -> Any:
        """As :func:`decode`."""
        return decode(self, out, first=first, count=count, stream=stream)

    def to_bytes(self) -> npt.NDArray[np.uint8]:
        """A copy in host memory, for :func:`gannet.decode`, a file, :func:`upload`. Waits for it."""
        data: npt.NDArray[np.uint8] = self._handle.to_bytes()
        return data

    def __repr__(self) -> str:
        return f"<gannet.gpu.Column: {len(self)} values of {self.dtype}, {self.codec}, GPU {self.device}>"


@checked()
def encode(
    array: Any, codec: str = "cascaded", parameters: Parameters = None, *, stream: StreamLike = None
) -> Column:
    """Encodes an array in GPU memory, there; nothing waits.

    `array`: of integers, one dimension, in one piece, on a multiple of 16 bytes, with DLPack or
    CUDA's array interface; up to 2^29 values. `codec`: 'cascaded' for all types, and for those of
    32 bits gpu-bp128, gpu-bp256, gpu-for, gpu-dfor and gpu-rfor. `parameters`: of cascaded, {"rles":
    2, "deltas": 1, "chunk": 1024}; layers that are not named are left out, since what the host
    chooses by the values cannot be chosen here. Up to 2^28 values give the bytes that
    :func:`gannet.encode` gives with the same codec and parameters.

    >>> import gannet
    >>> try:
    ...     column = encode([1, 2, 3])
    ... except gannet.UsageError as error:
    ...     print("no array of a GPU" in str(error))
    True
    """
    at = stream_of(stream)
    taken = take(array, at)
    handle = _gannet.device_encode(
        taken.address, taken.size, taken.type, codec, _parameters(parameters), taken.device, *at
    )
    return Column(handle)


@checked()
def upload(data: Any, *, device: int = 0, stream: StreamLike = None, check: bool = True) -> Column:
    """An encoded array (what :func:`gannet.encode` or :meth:`Column.to_bytes` gave, as anything
    with the buffer protocol) in GPU memory. Returns when `data` has been read.

    With `check` the device looks at all of it, which is waited for: FormatError if it is damaged.
    Without, that is done, and waited for, whenever it is decoded; :func:`decode_batch` tells it for
    each column. Nothing outside of the memory is touched in either case.
    """
    at = stream_of(stream)
    number = whole("device", device, 0, 2**31 - 1)
    return Column(_gannet.device_upload(buffer_of("upload", data), check, number, *at))


@checked()
def decode(
    column: Column,
    out: Any = None,
    *,
    first: int = 0,
    count: int | None = None,
    stream: StreamLike = None,
) -> Any:
    """Decodes a column, or values [first, first + count) of it, in GPU memory.

    Gives a new :class:`DeviceArray`, of memory of CUDA's pool; or `out`, an array of any library
    (its allocator's memory) of the same type, on the same GPU, with just as many values, on a
    multiple of 16 bytes, which is written without a copy. Work on `out` that is on other streams
    has to wait for `stream`; a DeviceArray tells its consumers itself.

    Nothing waits, except where a fault may come up that could not be seen before (FormatError):
    columns that were uploaded without a check, those of codec deflate, and ranges of rle, rle-v1,
    rle-v2, none (64 bits), wah and wah64. A range of deflate can only be had of chunks that fit a
    thread block's memory (``{"chunk": 16}``, in KiB): FormatError.
    """
    handle = column._handle
    first, count = part_of(handle.count, first, count)
    at = stream_of(stream)
    if out is None:
        array = empty(count, handle.type, handle.device, at)
        wanted = (handle, first, count, array.address)
        _gannet.device_decode(wanted, handle.device, *at, [array._memory])
        return array
    address = _place_for(out, handle, count, at)
    _gannet.device_decode((handle, first, count, address), handle.device, *at, _ours([out]))
    return out


class Batch(Sequence[Any]):
    """Arrays that :func:`decode_batch` decodes, a sequence: DeviceArrays, or those that were given
    as `outs`. What came of each is known when :meth:`statuses` or :meth:`check` has waited."""

    def __init__(self, arrays: list[Any], groups: list[tuple[list[int], Any]]) -> None:
        self._arrays, self._groups = arrays, groups

    def __len__(self) -> int:
        return len(self._arrays)

    def __getitem__(self, i: Any) -> Any:
        return self._arrays[i]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._arrays)

    def statuses(self) -> list[str | None]:
        """None for each column that was decoded, a sentence for each that has a fault, whose array
        holds nothing of use. Waits for the batch."""
        all_of_them: list[str | None] = [None] * len(self)
        for numbers, decoded in self._groups:
            for i, status in zip(numbers, decoded.statuses()):
                all_of_them[i] = status
        return all_of_them

    def check(self) -> Batch:
        """Waits for the batch; FormatError that names the first column with a fault."""
        for i, status in enumerate(self.statuses()):
            if status is not None:
                raise _gannet.FormatError(f"column {i} of the batch: {status}")
        return self


@checked()
def decode_batch(
    columns: Sequence[Column],
    outs: Sequence[Any] | None = None,
    *,
    ranges: Sequence[tuple[int, int]] | None = None,
    stream: StreamLike = None,
) -> Batch:
    """Decodes many columns at once: those of one codec and type by the same launches. All must be
    on one GPU. Nothing waits: what came of each column, the batch tells (:meth:`Batch.statuses`).

    `outs`: an array for each, as `out` of :func:`decode`; else all new arrays share one piece of
    memory. `ranges`: (first, count) for each column.

    >>> import gannet
    >>> if available():
    ...     columns = [upload(gannet.encode(list(range(n)))) for n in (3, 5)]
    ...     batch = decode_batch(columns).check()
    ...     assert [array.numpy().tolist() for array in batch] == [[0, 1, 2], [0, 1, 2, 3, 4]]
    """
    handles = [column._handle for column in columns]
    if not handles:
        return Batch([], [])
    for name, given in (("outs", outs), ("ranges", ranges)):
        if given is not None and len(given) != len(handles):
            raise UsageError(f"there are {len(handles)} columns and {len(given)} {name}")
    device = handles[0].device
    for handle in handles:
        if handle.device != device:
            raise UsageError(
                f"columns of a batch are on one GPU, not on {device} and {handle.device}"
            )
    wanted = [
        part_of(handle.count, *(ranges[i] if ranges else (0, None)))
        for i, handle in enumerate(handles)
    ]
    at = stream_of(stream)
    if outs is None:
        arrays = _arrays_for(handles, [count for _, count in wanted], at)
        addresses = [array.address for array in arrays]
    else:
        arrays = list(outs)
        addresses = [
            _place_for(out, handle, count, at)
            for out, handle, (_, count) in zip(outs, handles, wanted)
        ]
    written = _ours(arrays)
    groups: dict[tuple[str, str], list[int]] = {}
    for i, handle in enumerate(handles):
        groups.setdefault((handle.codec, handle.type), []).append(i)
    decoded = [
        (
            numbers,
            _gannet.device_decode_batch(
                [(handles[i], *wanted[i], addresses[i]) for i in numbers], device, *at, written
            ),
        )
        for numbers in groups.values()
    ]
    return Batch(arrays, decoded)


def _place_for(out: Any, handle: _gannet.DeviceColumn, count: int, at: Stream) -> int:
    taken = take(out, at, writable=True)
    if taken.type != handle.type:
        raise UsageError(f"the column is of {handle.type}, out of {taken.type}")
    if taken.size != count:
        raise UsageError(f"out has room for {taken.size} values, and {count} are decoded")
    if taken.device != handle.device and count:
        raise UsageError(f"the column is on GPU {handle.device}, out on GPU {taken.device}")
    return taken.address


def _arrays_for(
    handles: Sequence[_gannet.DeviceColumn], counts: Sequence[int], at: Stream
) -> list[DeviceArray]:
    """Arrays of one piece of memory, each on a multiple of 256 bytes."""
    offsets, size = [], 0
    for handle, count in zip(handles, counts):
        offsets.append(size)
        bytes_of = count * np.dtype(_DTYPES[handle.type]).itemsize
        size += -(-bytes_of // _ALIGNMENT) * _ALIGNMENT
    memory = _gannet.DeviceMemory(size, handles[0].device, *at)
    return [
        DeviceArray(memory, offset, count, handle.type)
        for handle, offset, count in zip(handles, offsets, counts)
    ]


def _ours(arrays: Sequence[Any]) -> list[_gannet.DeviceMemory]:
    """The memory of those that are DeviceArrays, which is told that it is written; each once."""
    memories = [array._memory for array in arrays if isinstance(array, DeviceArray)]
    return list({id(memory): memory for memory in memories}.values())
