"""Arrays that say they are in GPU memory, for tests of the protocols without a GPU."""

from __future__ import annotations

import contextlib
import ctypes
from typing import Any

DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Tensor(ctypes.Structure):
    """DLPack's DLManagedTensor, the form without a version."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
        ("manager", ctypes.c_void_p),
        ("deleter", DELETER),
    ]


def _numbers(values: tuple[int, ...] | None) -> Any:
    return None if values is None else (ctypes.c_int64 * len(values))(*values)


class FakeTensor:
    """An array with DLPack. `streams`: those that it was asked with; `freed`: how often a consumer
    gave it back."""

    def __init__(
        self,
        shape: tuple[int, ...] = (10,),
        dtype: tuple[int, int, int] = (0, 32, 1),
        device: tuple[int, int] = (2, 0),
        strides: tuple[int, ...] | None = None,
        address: int = 4096,
        old: bool = False,
    ) -> None:
        self._device, self._old = device, old
        self._shape, self._strides = _numbers(shape), _numbers(strides)
        self.streams: list[Any] = []
        self.freed = 0
        self._deleter = DELETER(self._free)
        self._tensor = _Tensor(
            address, *device, len(shape), *dtype, self._shape, self._strides, 0, None, self._deleter
        )

    def _free(self, _: Any) -> None:
        self.freed += 1

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device

    def __dlpack__(self, *, stream: Any = None, **more: Any) -> Any:
        if self._old and more:
            raise TypeError("unexpected keyword argument max_version")
        self.streams.append(stream)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype = ctypes.py_object
        new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self._tensor), b"dltensor", None)


class FakeInterface:
    """An array with CUDA's array interface."""

    def __init__(self, **changed: Any) -> None:
        self.__cuda_array_interface__ = {
            "shape": (10,),
            "typestr": "<i4",
            "data": (4096, False),
            "version": 3,
            "strides": None,
            **changed,
        }


class FakeDevice:
    """Stands for the functions of gannet._gannet that need a GPU, and notes what they are told.
    Everything else is the module's own."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self.calls: list[tuple[Any, ...]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)

    def require_device(self) -> None:
        pass

    def CurrentDevice(self, device: int) -> Any:
        self.current = device
        return contextlib.nullcontext()

    def device_of_memory(self, address: int) -> int:
        return 0

    def device_stream_wait(self, *told: Any) -> None:
        self.calls.append(("wait", *told))

    def device_encode(self, *told: Any) -> FakeColumn:
        self.calls.append(("encode", *told))
        return FakeColumn(told[1], told[2], told[3])

    def device_decode(self, *told: Any) -> None:
        self.calls.append(("decode", *told))

    def device_decode_batch(self, wanted: list[Any], *told: Any) -> FakeBatch:
        self.calls.append(("batch", wanted, *told))
        return FakeBatch([None if one[1] == 0 else "a fault" for one in wanted])

    def device_capsule(self, *told: Any) -> Any:
        self.calls.append(("capsule", *told))
        return "capsule"

    def DeviceMemory(self, size: int, device: int, stream: int, owner: Any) -> FakeMemory:
        return FakeMemory(size, device, stream)


class FakeColumn:
    device = 0

    def __init__(self, count: int, type: str, codec: str) -> None:
        self.count, self.type, self.codec = count, type, codec


class FakeBatch:
    def __init__(self, texts: list[str | None]) -> None:
        self._texts = texts

    def statuses(self) -> list[str | None]:
        return self._texts


class FakeMemory:
    def __init__(self, size: int, device: int, stream: int) -> None:
        self.size, self.device, self.stream, self.address = size, device, stream, 1 << 20
