"""Codecs on the GPU: values, sharing, streams, faults. Needs a GPU and PyTorch, and takes CuPy where
it is there (tools/python_gpu_test.sh)."""

from __future__ import annotations

import gc
from typing import Any, Callable

import gannet
import numpy as np
import pytest
from gannet import _gannet, gpu

if not gpu.available():
    pytest.skip(f"needs a GPU: {_gannet.device_availability()[1]}", allow_module_level=True)
torch: Any = pytest.importorskip("torch", reason="needs PyTorch")
if not torch.cuda.is_available():
    pytest.skip("needs a PyTorch that sees the GPU", allow_module_level=True)
try:
    import cupy
except ImportError:
    cupy = None
needs_cupy = pytest.mark.skipif(cupy is None, reason="needs CuPy")
needs_two = pytest.mark.skipif(torch.cuda.device_count() < 2, reason="needs two GPUs")

#: Device encoders and the host's parameters for the same plan.
LAYERS = {"rles": 1, "deltas": 1}
SLEEP = 2_000_000_000  # cycles: about a second


def values_of(dtype: Any, count: int, seed: int = 1) -> Any:
    generator = np.random.default_rng(seed + count)
    info = np.iinfo(dtype)
    values = np.repeat(generator.integers(0, 100, count // 3 + 1), 3)[:count].astype(dtype)
    values[: count // 50] = generator.integers(
        info.min, info.max, count // 50, dtype=dtype, endpoint=True
    )
    return values


def on_gpu(values: Any, device: int = 0) -> Any:
    """The values as a device array: CuPy's, which has all types, or else PyTorch's."""
    if cupy is not None:
        with cupy.cuda.Device(device):
            array = cupy.asarray(values)
            cupy.cuda.get_current_stream().synchronize()
            return array
    return torch.from_numpy(values).to(f"cuda:{device}")


def types_of(codec: str) -> list[str]:
    if codec == "cascaded":
        return ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"]
    return ["i32", "u32"]


def in_one_call(work: Callable[[Any], Any], warm: Callable[[Any], Any]) -> Any:
    """What `work(stream)` gives, called while a kernel of a second is on the stream: it has to come
    back before that ends."""
    stream = torch.cuda.Stream()
    warm(stream)  # loads the kernels
    torch.cuda.synchronize()
    done = torch.cuda.Event()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(SLEEP)
        done.record(stream)
    result = work(stream)
    assert not done.query(), "the call waited for its stream"
    stream.synchronize()
    return result


@pytest.mark.parametrize(
    "codec", ["cascaded", "gpu-for", "gpu-rfor", "gpu-dfor", "gpu-bp128", "gpu-bp256"]
)
def test_encodes_to_the_bytes_of_the_host(codec: str) -> None:
    parameters = LAYERS if codec == "cascaded" else None
    for name in types_of(codec):
        for count in (0, 1, 128, 5000, 300_001):
            values = values_of(gannet._device_arrays._DTYPES[name], count)
            if cupy is None and name in ("u16", "u32", "u64"):
                continue
            column = gpu.encode(on_gpu(values), codec, parameters)
            assert (len(column), column.dtype, column.codec) == (count, values.dtype, codec)
            expected = gannet.encode(values, codec, parameters)
            assert column.to_bytes().tobytes() == expected.tobytes(), (name, count)
            assert column.nbytes == len(expected) <= column.room
            small = column.compact()
            assert small.room == len(expected) and small.to_bytes().tobytes() == expected.tobytes()
            assert np.array_equal(gpu.decode(small).numpy(), values)


@pytest.mark.parametrize("name", ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"])
def test_decodes_what_the_host_encoded(name: str) -> None:
    values = values_of(gannet._device_arrays._DTYPES[name], 40_000)
    for codec in [c.name for c in gannet.codecs() if name in c.types]:
        column = gpu.upload(gannet.encode(values, codec))
        assert column.to_bytes().tobytes() == gannet.encode(values, codec).tobytes()
        array = gpu.decode(column)
        assert array.dtype == values.dtype and np.array_equal(array.numpy(), values), codec
        for first, count in ((0, 1), (39_999, 1), (40_000, 0), (12_345, 6_789)):
            if codec == "deflate" and count > 0:  # its chunks have 128 KiB
                with pytest.raises(gannet.FormatError, match="decode it whole"):
                    column.decode(first=first, count=count)
                continue
            part = column.decode(first=first, count=count).numpy()
            assert np.array_equal(part, values[first : first + count]), (codec, first, count)


def test_ranges_of_small_chunks_of_deflate() -> None:
    values = values_of(np.int32, 40_000)
    column = gpu.upload(gannet.encode(values, "deflate", {"chunk": 16}))
    assert np.array_equal(column.decode(first=12_345, count=6_789).numpy(), values[12_345:19_134])


def test_dlpack_shares_what_was_decoded() -> None:
    values = values_of(np.int64, 10_000)
    column = gpu.encode(torch.from_numpy(values).cuda())
    array = gpu.decode(column)
    tensor = torch.from_dlpack(array)
    assert tensor.data_ptr() == array.address and tensor.dtype == torch.int64
    assert tensor.device == torch.device("cuda:0") and np.array_equal(tensor.cpu().numpy(), values)
    tensor += 1  # nobody else's memory
    assert np.array_equal(array.numpy(), values + 1)
    del array
    assert np.array_equal(tensor.cpu().numpy(), values + 1)
    if cupy is not None:
        array = gpu.decode(column, first=100)
        for shared in (cupy.from_dlpack(array), cupy.asarray(array)):
            assert shared.data.ptr == array.address and np.array_equal(shared.get(), values[100:])
    empty = torch.from_dlpack(gpu.decode(column, first=10_000))
    assert empty.shape == (0,)


def test_out_is_written_where_it_is() -> None:
    values = values_of(np.int32, 10_000)
    column = gpu.encode(torch.from_numpy(values).cuda(), "gpu-rfor")
    out = torch.zeros(10_000, dtype=torch.int32, device="cuda")
    address = out.data_ptr()
    assert gpu.decode(column, out) is out and out.data_ptr() == address
    assert np.array_equal(out.cpu().numpy(), values)
    room = torch.full((10_008,), -7, dtype=torch.int32, device="cuda")
    gpu.decode(column, room[4:504], first=9_500)  # no byte beside it
    assert room[:4].tolist() == [-7] * 4 and (room[504:] == -7).all().item()
    assert np.array_equal(room[4:504].cpu().numpy(), values[9_500:])
    if cupy is not None:
        other = cupy.zeros(10_000, dtype=np.int32)
        assert gpu.decode(column, other) is other and np.array_equal(other.get(), values)
    # The array interface alone, and an array of ours.
    again = gpu.decode(column)
    for target in (Interface(torch.zeros_like(out)), again):
        assert gpu.decode(column, target) is target
    assert np.array_equal(again.numpy(), values)


class Interface:
    """What has nothing but CUDA's array interface."""

    def __init__(self, array: Any, **changed: Any) -> None:
        self.array = array
        self.__cuda_array_interface__ = {**array.__cuda_array_interface__, **changed}


def test_encoding_and_decoding_do_not_wait() -> None:
    values = values_of(np.int32, 1_000_000)
    array = torch.from_numpy(values).cuda()
    outs = [torch.zeros_like(array) for _ in range(2)]

    def work(stream: Any) -> Any:
        column = gpu.encode(array, "gpu-for", stream=stream)
        cascaded = gpu.encode(array, "cascaded", LAYERS, stream=stream)
        gpu.decode(column, outs[0], stream=stream)
        part = gpu.decode(cascaded, first=5, count=999_990, stream=stream)
        batch = gpu.decode_batch([column, cascaded], stream=stream)
        with torch.cuda.stream(stream):
            return column, part, torch.from_dlpack(part), batch

    column, part, tensor, batch = in_one_call(work, work)
    assert tensor.data_ptr() == part.address
    assert np.array_equal(outs[0].cpu().numpy(), values)
    assert np.array_equal(tensor.cpu().numpy(), values[5:999_995])
    assert batch.statuses() == [None, None]
    assert all(np.array_equal(one.numpy(), values) for one in batch)
    assert column.to_bytes().tobytes() == gannet.encode(values, "gpu-for").tobytes()


@needs_cupy
def test_streams_of_cupy_do_not_wait_either() -> None:
    values = values_of(np.uint32, 500_000)
    array = cupy.asarray(values)
    cupy.cuda.get_current_stream().synchronize()
    out = cupy.empty_like(array)

    def work(stream: Any) -> Any:
        own = cupy.cuda.ExternalStream(stream.cuda_stream)
        return gpu.decode(gpu.encode(array, "gpu-bp128", stream=own), out, stream=own)

    assert in_one_call(work, work) is out and np.array_equal(out.get(), values)


def test_producers_on_other_streams_are_waited_for_by_the_device() -> None:
    first, second = torch.cuda.Stream(), torch.cuda.Stream()
    ramp = torch.arange(10_000, device="cuda")
    gpu.decode(gpu.encode(ramp + 0, stream=second), stream=second)  # loads the kernels
    for as_interface in (False, True):
        array = torch.zeros(10_000, dtype=torch.int64, device="cuda")
        array += ramp
        array -= ramp
        torch.cuda.synchronize()
        with torch.cuda.stream(first):
            torch.cuda._sleep(SLEEP // 4)
            array += ramp
            done = first.record_event()
            source = (
                Interface(array, version=3, stream=first.cuda_stream) if as_interface else array
            )
            column = gpu.encode(source, stream=second)
        assert not done.query()
        assert gpu.decode(column, stream=second).numpy().tolist() == list(range(10_000))


def test_consumers_on_other_streams_wait_on_the_device() -> None:
    values = values_of(np.int32, 100_000)
    column = gpu.encode(torch.from_numpy(values).cuda(), "gpu-for")
    stream = torch.cuda.Stream()
    torch.from_dlpack(gpu.decode(column, stream=stream)).sum().item()  # loads the kernels
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(SLEEP // 4)
        done = stream.record_event()
    array = gpu.decode(column, stream=stream)
    total = torch.from_dlpack(array).sum()  # on the default stream
    assert not done.query()
    assert total.item() == int(values.sum())
    if cupy is not None:
        with torch.cuda.stream(stream):
            torch.cuda._sleep(SLEEP // 4)
        array = gpu.decode(column, stream=stream)
        with cupy.cuda.Stream(non_blocking=True):
            assert int(cupy.asarray(array).sum(dtype=np.int64)) == int(values.sum())


def test_consumers_wait_for_batches_that_were_decoded_into_arrays_of_ours() -> None:
    values = values_of(np.int32, 100_000)
    column = gpu.encode(torch.from_numpy(values).cuda(), "gpu-for")
    outs = [gpu.decode(gpu.encode(torch.zeros(100_000, dtype=torch.int32).cuda())) for _ in "ab"]
    stream = torch.cuda.Stream()
    gpu.decode_batch([column, column], outs, stream=stream)  # loads the kernels
    torch.from_dlpack(outs[0]).zero_()
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(SLEEP // 4)
        done = stream.record_event()
    gpu.decode_batch([column, column], outs, stream=stream)
    total = torch.from_dlpack(outs[0]).sum()  # on the default stream
    assert not done.query()
    assert total.item() == int(values.sum())


def test_arrays_may_go_while_other_streams_write_them() -> None:
    first, second = torch.cuda.Stream(), torch.cuda.Stream()
    values = np.arange(2_000_000, dtype=np.int32)
    column = gpu.encode(torch.from_numpy(values).cuda(), "gpu-for")
    zeros = gpu.encode(torch.zeros(2_000_000, dtype=torch.int32).cuda(), "gpu-for")
    out = gpu.decode(column, stream=first)
    gpu.decode(column, out, stream=second)  # loads the kernels
    torch.cuda.synchronize()
    with torch.cuda.stream(second):
        torch.cuda._sleep(SLEEP // 4)
    gpu.decode(column, out, stream=second)
    del out  # its memory goes back on `first`, where the next array may have it
    others = [gpu.decode(zeros, stream=first) for _ in range(4)]
    torch.cuda.synchronize()
    assert not any(other.numpy().any() for other in others)


def test_page_locked_memory_is_read_when_upload_returns() -> None:
    values = values_of(np.int32, 4_000_000)
    encoded = gannet.encode(values, "gpu-for")
    pinned = torch.from_numpy(np.array(encoded)).pin_memory()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(SLEEP // 4)
    column = gpu.upload(pinned.numpy(), check=False, stream=stream)
    pinned.zero_()
    assert np.array_equal(gpu.decode(column, stream=stream).numpy(), values)


def test_columns_may_go_while_other_streams_read_them() -> None:
    first, second = torch.cuda.Stream(), torch.cuda.Stream()
    arrays = [torch.from_numpy(values_of(np.int32, 200_000, seed)).cuda() for seed in range(20)]
    torch.cuda.synchronize()
    outs = [torch.zeros_like(array) for array in arrays]
    with torch.cuda.stream(second):
        torch.cuda._sleep(SLEEP // 4)
    for array, out in zip(arrays, outs):
        # The column's memory goes back on `first` while `second` has not begun to read it.
        gpu.decode(gpu.encode(array, "gpu-for", stream=first), out, stream=second)
    torch.cuda.synchronize()
    assert all(torch.equal(array, out) for array, out in zip(arrays, outs))


@needs_cupy
def test_streams_live_as_long_as_their_memory() -> None:
    stream = cupy.cuda.Stream(non_blocking=True)
    column = gpu.encode(cupy.arange(1000, dtype=np.int32), "gpu-for", stream=stream)
    array = column.decode(stream=stream)
    tensor = torch.from_dlpack(column.decode(stream=stream))
    del stream
    gc.collect()
    assert array.numpy().tolist() == tensor.tolist() == list(range(1000))
    assert column.compact().decode().numpy().tolist() == list(range(1000))


def test_batches_tell_of_each_column() -> None:
    arrays = [values_of(np.int32, 1000 + 37 * i, i) for i in range(150)]
    encoded = [gannet.encode(array, "gpu-for") for array in arrays]
    bad = np.array(encoded[70])
    bad[64:68] ^= 0xFF  # the table of parts
    encoded[70] = bad
    with pytest.raises(gannet.FormatError, match="not what its codec writes"):
        gpu.upload(bad)
    columns = [gpu.upload(data, check=False) for data in encoded]
    columns.append(gpu.upload(gannet.encode(values_of(np.uint8, 5000), "deflate")))
    ranges = [(i, 900) for i in range(150)] + [(0, 5000)]
    batch = gpu.decode_batch(columns, ranges=ranges)
    statuses = batch.statuses()
    assert [i for i, status in enumerate(statuses) if status] == [70]
    assert statuses[70] == "its bytes are not what its codec writes"
    for i, array in enumerate(arrays):
        if i != 70:
            assert np.array_equal(batch[i].numpy(), array[i : i + 900]), i
    assert np.array_equal(batch[150].numpy(), values_of(np.uint8, 5000))
    with pytest.raises(gannet.FormatError, match="column 70"):
        batch.check()
    with pytest.raises(gannet.FormatError, match="not what its codec writes"):
        gpu.decode(columns[70])
    outs = [torch.zeros(900, dtype=torch.int32, device="cuda") for _ in range(3)]
    assert list(gpu.decode_batch(columns[:3], outs, ranges=ranges[:3]).check()) == outs
    assert np.array_equal(outs[2].cpu().numpy(), arrays[2][2:902])


def test_damaged_bytes_are_refused_or_decoded() -> None:
    """The device stays inside of its memory, whatever the bytes are."""
    generator = np.random.default_rng(1)
    refused = 0
    for codec in ("gpu-for", "cascaded", "deflate", "rle-v2"):
        encoded = np.array(gannet.encode(np.arange(3000, dtype=np.int32) % 77, codec))
        for _ in range(60):
            damaged = encoded.copy()
            damaged[generator.integers(len(damaged))] ^= 1 << int(generator.integers(8))
            for check in (True, False):
                try:
                    gpu.decode(gpu.upload(damaged, check=check), first=10, count=2000).numpy()
                except (gannet.FormatError, gannet.UsageError):
                    refused += 1
        for size in (0, 3, 60, 64, len(encoded) - 1, len(encoded) - 16):
            with pytest.raises(gannet.FormatError):
                gpu.upload(encoded[:size])
    assert refused > 0
    assert torch.zeros(3, device="cuda").tolist() == [0, 0, 0]  # the GPU is well


def test_arguments_that_make_no_sense() -> None:
    array = torch.arange(1000, dtype=torch.int32, device="cuda")
    column = gpu.encode(array, "gpu-for")
    room = torch.zeros(2000, dtype=torch.int32, device="cuda")
    for call, message in (
        (lambda: gpu.encode(array[1:]), "16"),
        (lambda: gpu.encode(array[::2]), "contiguous"),
        (lambda: gpu.encode(array.reshape(10, 100)), "one dimension"),
        (lambda: gpu.encode(array.float()), "integers"),
        (lambda: gpu.encode(array > 3), "integers"),
        (lambda: gpu.encode(array.cpu()), "host memory"),
        (lambda: gpu.encode(array, "auto"), "auto is chosen on the host.*cascaded"),
        (lambda: gpu.encode(array, "rle"), "no encoder of i32 on the device; there are .*gpu-for"),
        (lambda: gpu.encode(array.long(), "gpu-for"), "gpu-for"),
        (lambda: gpu.encode(array, "zip"), "zip"),
        (lambda: gpu.encode(array, "gpu-for", {"speed": 3}), "speed"),
        (lambda: gpu.encode(array, "cascaded", {"rles": 8}), "rles"),
        (lambda: gpu.encode(Interface(array, data=(id(array) // 16 * 16, False))), "device memory"),
        (lambda: gpu.decode(column, room[:999]), "room for 999"),
        (lambda: gpu.decode(column, room[1:1001]), "16 bytes"),
        (lambda: gpu.decode(column, room[::2]), "contiguous"),
        (lambda: gpu.decode(column, room[:1000].cpu()), "host memory"),
        (lambda: gpu.decode(column, torch.zeros(1000, device="cuda")), "integers"),
        (lambda: gpu.decode(column, first=1001), "1000 values"),
        (lambda: gpu.upload(b"x" * 100), "does not begin as an encoded column"),
        (lambda: gpu.upload(column.to_bytes(), device=99), "device 99"),
        (lambda: gpu.upload(column.to_bytes(), device=-1), "device -1"),
    ):
        with pytest.raises(gannet.Error, match=message):
            call()
    assert np.array_equal(gpu.decode(column).numpy(), np.arange(1000))


@needs_two
def test_a_second_gpu() -> None:
    values = values_of(np.int32, 50_000)
    assert torch.cuda.current_device() == 0
    array = torch.from_numpy(values).to("cuda:1")
    stream = torch.cuda.Stream(device=1)
    column = gpu.encode(array, "gpu-for", stream=stream)
    assert column.device == 1 and torch.cuda.current_device() == 0
    decoded = gpu.decode(column, stream=stream)
    assert decoded.device == 1 and torch.from_dlpack(decoded).device == torch.device("cuda:1")
    assert np.array_equal(decoded.numpy(), values)
    out = torch.zeros_like(array)
    gpu.decode(column, out)  # on the default stream of GPU 1
    torch.cuda.synchronize(1)
    assert torch.equal(out, array)
    assert np.array_equal(gpu.upload(column.to_bytes(), device=1).decode().numpy(), values)
    with pytest.raises(gannet.UsageError, match="on GPU 1, out on GPU 0"):
        gpu.decode(column, torch.zeros(50_000, dtype=torch.int32, device="cuda:0"))
    with pytest.raises(gannet.UsageError, match="the stream belongs to device 0"):
        gpu.encode(array, stream=torch.cuda.Stream(device=0))
    with pytest.raises(gannet.UsageError, match="on one GPU"):
        gpu.decode_batch([column, gpu.upload(column.to_bytes(), device=0)])


def test_memory_goes_back() -> None:
    array = torch.arange(8 << 20, dtype=torch.int32, device="cuda")
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    gpu.decode(gpu.encode(array, stream=stream), stream=stream)
    stream.synchronize()
    before = torch.cuda.mem_get_info()[0]
    for _ in range(100):  # some 10 GB, if it did not go back
        gpu.decode(gpu.encode(array, stream=stream), stream=stream)
    stream.synchronize()
    assert before - torch.cuda.mem_get_info()[0] < 1 << 30
