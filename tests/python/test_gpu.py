"""Codecs on the GPU, as far as no GPU is needed: arguments, errors, the protocols of arrays."""

from __future__ import annotations

import gc
from typing import Any

import gannet
import numpy as np
import pytest
from device_fakes import FakeDevice, FakeInterface, FakeTensor
from gannet import _device_arrays, _gannet, gpu


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> FakeDevice:
    fake = FakeDevice(_gannet)
    monkeypatch.setattr(_device_arrays, "_gannet", fake)
    monkeypatch.setattr(gpu, "_gannet", fake)
    return fake


def test_without_a_gpu_it_says_so() -> None:
    if gpu.available():
        pytest.skip("there is a GPU")
    data = gannet.encode(np.arange(10, dtype=np.int32))
    for call in (
        lambda: gpu.upload(data),
        lambda: gpu.encode(FakeTensor()),
        lambda: gpu.encode(FakeInterface()),
        lambda: _gannet.DeviceMemory(10, 0, 1, None),
        lambda: _gannet.device_encode(4096, 10, "i32", "gpu-for", "", 0, 1, None),
    ):
        with pytest.raises(gannet.NoDeviceError, match="no GPU can be used: .* on the CPU"):
            call()
    assert gpu.decode_batch([]).statuses() == []


class Named:
    def __init__(self, **names: Any) -> None:
        self.__dict__.update(names)


def test_streams_by_every_name() -> None:
    number = lambda stream: _device_arrays.stream_of(stream).number  # noqa: E731
    assert number(None) == number(0) == number(1) == 1
    assert number(4096) == number(np.uint64(4096)) == 4096
    assert number(Named(cuda_stream=0)) == 1 and number(Named(ptr=77)) == 77
    assert number(Named(__cuda_stream__=(0, 99))) == 99
    assert number(Named(__cuda_stream__=lambda: (0, 98), cuda_stream=5)) == 98
    stream = Named(ptr=77)
    assert _device_arrays.stream_of(stream).owner is stream
    for bad in (2, -1, True, "default", 1.5, Named()):
        with pytest.raises(gannet.UsageError, match="stream"):
            number(bad)


def test_arrays_elsewhere_are_refused() -> None:
    for array, message in (
        (np.arange(3), "is in host memory.*gannet.encode"),
        (FakeTensor(device=(1, 0)), "is in host memory"),
        (FakeTensor(device=(3, 0)), "page-locked host memory"),
        (FakeTensor(device=(10, 0)), "ROCm"),
        (FakeTensor(device=(7, 0)), "type 7"),
        ([1, 2, 3], "list is no array of a GPU"),
        (None, "NoneType is no array of a GPU"),
    ):
        with pytest.raises(gannet.UsageError, match=message):
            gpu.encode(array)


def test_dlpack_asks_for_the_stream_and_is_given_back(device: FakeDevice) -> None:
    for old in (False, True):
        tensor = FakeTensor(old=old, device=(2, 1))
        column = gpu.encode(tensor, "gpu-for", stream=Named(ptr=77))
        assert len(column) == 10 and column.dtype == np.int32 and column.codec == "gpu-for"
        assert tensor.streams == [77] and device.current == 1
        call = device.calls.pop()
        assert call[:8] == ("encode", 4096, 10, "i32", "gpu-for", "", 1, 77)
        gc.collect()
        assert tensor.freed == 1
    gpu.encode(tensor := FakeTensor())
    assert tensor.streams == [1]


@pytest.mark.parametrize("name", ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"])
def test_types_of_both_protocols(device: FakeDevice, name: str) -> None:
    dtype = (int(name[0] == "u"), int(name[1:]), 1)
    assert gpu.encode(FakeTensor(dtype=dtype)).dtype.name == np.dtype(_device_arrays._DTYPES[name])
    typestr = np.dtype(_device_arrays._DTYPES[name]).str
    gpu.encode(FakeInterface(typestr=typestr))
    assert [call[3] for call in device.calls] == [name, name]


def test_arrays_of_the_wrong_shape_or_type(device: FakeDevice) -> None:
    for array, message in (
        (FakeTensor(dtype=(2, 32, 1)), "integers"),
        (FakeTensor(dtype=(0, 32, 4)), "integers"),
        (FakeTensor(dtype=(6, 8, 1)), "integers"),
        (FakeTensor(shape=(2, 5)), "one dimension, not 2"),
        (FakeTensor(shape=()), "one dimension, not 0"),
        (FakeTensor(strides=(2,)), "contiguous"),
        (FakeTensor(strides=(-1,)), "contiguous"),
        (FakeInterface(typestr="<f4"), "integers, not of float32"),
        (FakeInterface(typestr=">i4"), "integers"),
        (FakeInterface(typestr="|b1"), "integers, not of bool"),
        (FakeInterface(typestr="?!"), "integers"),
        (FakeInterface(shape=(5, 2)), "one dimension, not 2"),
        (FakeInterface(strides=(8,)), "contiguous"),
        (FakeInterface(mask=FakeInterface()), "mask"),
        (FakeInterface(stream=0), "stream 0"),
    ):
        with pytest.raises(gannet.UsageError, match=message):
            gpu.encode(array)
    assert not device.calls
    gpu.encode(FakeTensor(shape=(1,), strides=(7,)))  # the stride of one value says nothing
    gpu.encode(FakeInterface(strides=(4,)))


def test_the_interface_names_the_stream_to_wait_for(device: FakeDevice) -> None:
    gpu.encode(FakeInterface(), stream=77)
    gpu.encode(FakeInterface(stream=None), stream=77)
    gpu.encode(FakeInterface(stream=77), stream=77)
    assert [call[0] for call in device.calls] == ["encode"] * 3
    device.calls.clear()
    gpu.encode(FakeInterface(stream=2), stream=77)
    assert device.calls[0] == ("wait", 0, 77, 2) and device.calls[1][0] == "encode"


def test_capsules_that_are_none(device: FakeDevice) -> None:
    class Broken(FakeTensor):
        def __dlpack__(self, **more: Any) -> Any:
            return "no capsule"

    class Refusing(FakeTensor):
        def __dlpack__(self, **more: Any) -> Any:
            raise BufferError("it needs a gradient")

    with pytest.raises(gannet.UsageError, match="no capsule"):
        gpu.encode(Broken())
    with pytest.raises(gannet.UsageError, match="it needs a gradient"):
        gpu.encode(Refusing())


def test_decoding_into_arrays_of_others(device: FakeDevice) -> None:
    column = gpu.encode(FakeTensor(), "gpu-for")
    for out in (FakeTensor(address=8192), FakeInterface(data=(8192, False))):
        device.calls.clear()
        assert gpu.decode(column, out, stream=77) is out
        (name, (handle, *wanted), *rest) = device.calls[-1]
        assert name == "decode" and handle is column._handle
        assert wanted == [0, 10, 8192] and rest == [0, 77, 77, []]
    assert column.decode(FakeTensor(shape=(3,)), first=4, count=3) is not None
    assert device.calls[-1][1][1:] == (4, 3, 4096)
    for out, message in (
        (FakeTensor(shape=(9,)), "room for 9 values, and 10 are decoded"),
        (FakeTensor(shape=(11,)), "room for 11"),
        (FakeTensor(dtype=(1, 32, 1)), "is of i32, out of u32"),
        (FakeTensor(device=(2, 1)), "on GPU 0, out on GPU 1"),
        (FakeTensor(device=(1, 0)), "host memory"),
        (FakeInterface(data=(8192, True)), "read-only"),
        (np.empty(10, np.int32), "host memory"),
    ):
        with pytest.raises(gannet.UsageError, match=message):
            gpu.decode(column, out)
    for first, count in ((11, None), (0, 11), (-1, None), (0, -1), (2**64, 1)):
        with pytest.raises(gannet.UsageError):
            gpu.decode(column, first=first, count=count)
    with pytest.raises(TypeError, match=r"takes gannet.gpu.Column, .*; gannet.gpu.upload\(\)"):
        gpu.decode(b"bytes")  # type: ignore[arg-type]


def test_what_is_decoded_is_shared(device: FakeDevice) -> None:
    array = gpu.decode(gpu.encode(FakeTensor(), "gpu-for"), first=2, stream=77)
    assert len(array) == 8 and array.shape == (8,) and array.nbytes == 32 and array.device == 0
    assert array.__dlpack_device__() == (2, 0)
    interface = array.__cuda_array_interface__
    assert interface["data"] == (array.address, False) and interface["stream"] == 77
    assert interface["typestr"] == "<i4" and interface["version"] == 3
    for given, told in ((None, 1), (1, 1), (2, 2), (99, 99), (-1, None)):
        assert array.__dlpack__(stream=given, max_version=(1, 1)) == "capsule"
        assert device.calls[-1] == ("capsule", array._memory, 0, 8, "i32", told, (1, 1))
    for bad in ({"stream": 0}, {"copy": True}, {"dl_device": (1, 0)}, {"dl_device": (2, 1)}):
        with pytest.raises(BufferError):
            array.__dlpack__(**bad)
    assert array.__dlpack__(dl_device=(2, 0), copy=False) == "capsule"


def test_arrays_of_ours_are_told_that_they_are_written(
    device: FakeDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else who shares them by DLPack would not wait for what is decoded into them."""
    monkeypatch.setattr(gpu, "_place_for", lambda *_: 4096)  # of a DeviceArray it needs a GPU
    column = gpu.encode(FakeTensor(), "gpu-for")
    alone, others = gpu.decode(column), list(gpu.decode_batch([column, column]))
    assert others[0]._memory is others[1]._memory is not alone._memory
    gpu.decode(column, alone)
    assert device.calls[-1][-1] == [alone._memory]
    gpu.decode_batch([column] * 4, [alone, others[0], FakeTensor(), others[1]])
    assert device.calls[-1][-1] == [alone._memory, others[0]._memory]
    gpu.decode_batch([column], [FakeTensor()])
    assert device.calls[-1][-1] == []


def test_batches_are_decoded_by_codec_and_type(device: FakeDevice) -> None:
    columns = [
        gpu.encode(FakeTensor(), "gpu-for"),
        gpu.encode(FakeTensor(dtype=(1, 64, 1))),
        gpu.encode(FakeTensor(shape=(100,)), "gpu-for"),
        gpu.encode(FakeTensor(shape=(0,)), "gpu-for"),
    ]
    device.calls.clear()
    batch = gpu.decode_batch(columns, ranges=[(0, 10), (3, 7), (5, 90), (0, 0)], stream=77)
    assert [len(array) for array in batch] == [10, 7, 90, 0] == [len(batch[i]) for i in range(4)]
    assert [call[0] for call in device.calls] == ["batch", "batch"]
    base = batch[0].address
    assert [one[1:] for one in device.calls[0][1]] == [
        (0, 10, base),
        (5, 90, base + 512),
        (0, 0, 0),
    ]
    assert [one[1:] for one in device.calls[1][1]] == [(3, 7, base + 256)]
    assert batch.statuses() == [None, "a fault", "a fault", None]
    with pytest.raises(gannet.FormatError, match="column 1 of the batch: a fault"):
        batch.check()
    outs = [FakeTensor(address=256), FakeTensor(dtype=(1, 64, 1), address=512)]
    assert list(gpu.decode_batch(columns[:2], outs)) == outs
    for wrong in ({"outs": outs}, {"ranges": [(0, 1)]}):
        with pytest.raises(gannet.UsageError, match="there are 4 columns"):
            gpu.decode_batch(columns, **wrong)
    columns[1]._handle.device = 1
    with pytest.raises(gannet.UsageError, match="on one GPU"):
        gpu.decode_batch(columns)
