"""Arrays in GPU memory: those of other libraries taken, ours given, both without a copy.

The protocols are DLPack (``__dlpack__``, ``__dlpack_device__``) and CUDA's array interface
(``__cuda_array_interface__``, version 3). Both say which stream has to be waited for; the device
waits, never the host.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Union

import numpy as np
import numpy.typing as npt

from gannet import _gannet
from gannet._codecs import _DTYPES
from gannet._gannet import UsageError

#: A stream: None for CUDA's default stream, what PyTorch and CuPy call one, anything with
#: ``__cuda_stream__``, or the handle as a number.
StreamLike = Union[int, Any, None]

_LEGACY = 1  # CUDA's default stream, as DLPack numbers it
_PER_THREAD = 2
_CUDA, _CUDA_MANAGED = 2, 13  # DLPack's types of devices
_DEVICES = {1: "host memory", 3: "page-locked host memory", 10: "the memory of a ROCm device"}
_OF_DLPACK = {
    (code, 8 * size): f"{'iu'[code]}{8 * size}" for code in (0, 1) for size in (1, 2, 4, 8)
}


class Stream(NamedTuple):
    """A stream's number, and the object that it was named by, which keeps it alive."""

    number: int
    owner: Any


def stream_of(stream: StreamLike) -> Stream:
    """The stream that a user names; UsageError for what is none."""
    number = _number_of(stream)
    if number == _PER_THREAD:
        raise UsageError(
            "memory cannot be bound to the default stream of a thread, which other threads cannot "
            "name; make a stream"
        )
    if number < 0:
        raise UsageError(f"there is no stream {number}")
    return Stream(number or _LEGACY, stream)


def _number_of(stream: StreamLike) -> int:
    if stream is None:
        return _LEGACY
    if isinstance(stream, (int, np.integer)) and not isinstance(stream, bool):
        return int(stream)
    protocol: Any = getattr(stream, "__cuda_stream__", None)
    if protocol is not None:
        answer: Any = protocol() if callable(protocol) else protocol
        _, handle = answer
        return int(handle)
    for name in ("cuda_stream", "ptr"):  # PyTorch, CuPy
        handle = getattr(stream, name, None)
        if handle is not None:
            return int(handle)
    raise UsageError(
        f"{type(stream).__name__} is no stream: give a stream of PyTorch or CuPy, anything with "
        "__cuda_stream__, or a handle as a number"
    )


class Taken(NamedTuple):
    """An array of another library: where its values are, and what keeps them there."""

    address: int
    size: int  # in values
    type: str  # 'i8' .. 'u64'
    device: int
    keeper: Any


def take(array: Any, stream: Stream, writable: bool = False) -> Taken:
    """The values of `array`, for work on `stream`, which waits for them. UsageError for arrays that
    are elsewhere, of another type, or not in one piece."""
    if hasattr(array, "__dlpack__") and hasattr(array, "__dlpack_device__"):
        return _by_dlpack(array, stream, writable)
    if hasattr(array, "__cuda_array_interface__"):
        return _by_interface(array, stream, writable)
    raise UsageError(
        f"{type(array).__name__} is no array of a GPU: it has neither __dlpack__ nor "
        "__cuda_array_interface__ (arrays in host memory: gannet.encode and gannet.decode)"
    )


def _by_dlpack(array: Any, stream: Stream, writable: bool) -> Taken:
    kind, device = (int(number) for number in array.__dlpack_device__())
    if kind not in (_CUDA, _CUDA_MANAGED):
        where = _DEVICES.get(kind, f"the memory of a device of DLPack's type {kind}")
        raise UsageError(
            f"the array is in {where}, not in that of a CUDA GPU (arrays in host memory: "
            "gannet.encode and gannet.decode)"
        )
    _gannet.require_device()
    try:
        with _gannet.CurrentDevice(device):  # PyTorch gives nothing of another
            try:
                capsule = array.__dlpack__(stream=stream.number, max_version=(1, 0))
            except TypeError:  # from before there were versions
                capsule = array.__dlpack__(stream=stream.number)
    except BufferError as error:
        raise UsageError(f"the array cannot be shared by DLPack: {error}") from error
    view = _gannet.DeviceView(capsule, writable)
    code, bits, lanes = view.dtype
    name = _OF_DLPACK.get((code, bits)) if lanes == 1 else None
    if name is None:
        raise _wrong_type(getattr(array, "dtype", f"DLPack's type ({code}, {bits}, {lanes})"))
    count = _count(view.shape, view.strides, 1)
    return Taken(view.address, count, name, device, view)


def _by_interface(array: Any, stream: Stream, writable: bool) -> Taken:
    description = array.__cuda_array_interface__
    address, read_only = description["data"]
    if writable and read_only:
        raise UsageError("the array cannot be written: it is read-only")
    if description.get("mask") is not None:
        raise UsageError("the array has a mask; encode what it selects")
    try:
        dtype = np.dtype(description["typestr"])
    except TypeError as error:
        raise _wrong_type(description["typestr"]) from error
    name = f"{dtype.kind}{8 * dtype.itemsize}"
    if name not in _DTYPES or dtype != np.dtype(_DTYPES[name]):
        raise _wrong_type(dtype)
    count = _count(description["shape"], description.get("strides"), dtype.itemsize)
    before = description.get("stream")
    if before == 0:
        raise UsageError("the array's interface names stream 0, which may be one of two: 1 or 2")
    _gannet.require_device()
    address = int(address or 0)
    device = _gannet.device_of_memory(address) if count else _device_of_empty(array)
    if before is not None and before != stream.number:
        _gannet.device_stream_wait(device, stream.number, int(before))
    return Taken(address, count, name, device, array)


def _device_of_empty(array: Any) -> int:
    device = getattr(array, "device", 0)  # CuPy's has an id, PyTorch's an index
    number = getattr(device, "id", getattr(device, "index", device))
    return number if isinstance(number, int) else 0


def _count(shape: Any, strides: Any, step: int) -> int:
    if len(shape) != 1:
        raise UsageError(f"a column has one dimension, not {len(shape)} (flatten the array)")
    count = int(shape[0])
    if count > 1 and strides is not None and int(strides[0]) != step:
        raise UsageError("the array's values are not behind one another (make a contiguous copy)")
    return count


def _wrong_type(dtype: Any) -> UsageError:
    return UsageError(f"columns are of 8 to 64-bit integers, not of {dtype}")


class DeviceArray:
    """Values in GPU memory: what :func:`gannet.gpu.decode` gives.

    ``torch.from_dlpack(array)`` and ``cupy.from_dlpack(array)`` (or ``cupy.asarray``) share the
    memory, which is there as long as anyone holds it. Streams of theirs wait for the values. It goes
    back to CUDA's pool on the stream that it was made on: who reads it on another stream holds it
    until that is done, as with tensors of PyTorch.
    """

    def __init__(self, memory: _gannet.DeviceMemory, offset: int, count: int, type: str) -> None:
        self._memory, self._offset, self._count, self._type = memory, offset, count, type

    def __len__(self) -> int:
        return self._count

    @property
    def shape(self) -> tuple[int]:
        """tuple: of one number, how many values there are."""
        return (self._count,)

    @property
    def dtype(self) -> np.dtype[Any]:
        """dtype: the type of the values, of int8 to uint64."""
        return np.dtype(_DTYPES[self._type])

    @property
    def nbytes(self) -> int:
        """int: the bytes of GPU memory that the values take."""
        return self._count * self.dtype.itemsize

    @property
    def device(self) -> int:
        """int: the number of its GPU."""
        return self._memory.device

    @property
    def address(self) -> int:
        """int: where its first value is, a pointer of the device; 0 if there is none."""
        return self._memory.address + self._offset if self._count else 0

    def numpy(self) -> npt.NDArray[Any]:
        """A copy in host memory. Waits for the values."""
        raw: npt.NDArray[np.uint8] = self._memory.to_host(self._offset, self.nbytes)
        return raw.view(self.dtype)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (_CUDA, self.device)

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError("the array stays on its device; numpy() copies it to the host")
        if copy:
            raise BufferError("the array is shared, not copied")
        if stream == 0:
            raise BufferError("stream 0 may be one of two: name 1 or 2")
        waiting = _LEGACY if stream is None else None if stream == -1 else int(stream)
        return _gannet.device_capsule(
            self._memory, self._offset, self._count, self._type, waiting, max_version
        )

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.address, False),
            "strides": None,
            "version": 3,
            "stream": self._memory.stream,
        }

    def __repr__(self) -> str:
        return (
            f"<gannet.gpu.DeviceArray: {self._count} values of {self.dtype} on GPU {self.device}>"
        )


def empty(count: int, type: str, device: int, stream: Stream) -> DeviceArray:
    """An array whose values are yet to come."""
    size = count * np.dtype(_DTYPES[type]).itemsize
    return DeviceArray(_gannet.DeviceMemory(size, device, *stream), 0, count, type)
