"""Codecs for arrays: round trips of every codec and type, ranges, files, damage."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import gannet
import numpy as np
import numpy.typing as npt
import pytest

DTYPES = {
    "i8": np.int8,
    "u8": np.uint8,
    "i16": np.int16,
    "u16": np.uint16,
    "i32": np.int32,
    "u32": np.uint32,
    "i64": np.int64,
    "u64": np.uint64,
}


def values_of(dtype: Any, count: int) -> npt.NDArray[Any]:
    generator = np.random.default_rng(count)
    info = np.iinfo(dtype)
    values = np.repeat(generator.integers(0, 100, count // 3 + 1), 3)[:count].astype(dtype)
    values[: count // 50] = generator.integers(
        info.min, info.max, count // 50, dtype=dtype, endpoint=True
    )
    return values


@pytest.mark.parametrize("name", DTYPES)
def test_round_trips(name: str) -> None:
    values = values_of(DTYPES[name], 5000)
    for codec in [*(c.name for c in gannet.codecs() if name in c.types), "auto"]:
        encoded = gannet.encode(values, codec)
        decoded = gannet.decode(encoded)
        assert decoded.dtype == values.dtype and np.array_equal(decoded, values), codec
        assert np.array_equal(gannet.decode(bytes(encoded), 1234, 777), values[1234:2011]), codec


def test_empty_and_strided_and_big_endian() -> None:
    assert gannet.decode(gannet.encode(np.array([], dtype=np.int16))).tolist() == []
    values = np.arange(100, dtype=np.int32)
    assert gannet.decode(gannet.encode(values[::3])).tolist() == values[::3].tolist()
    assert gannet.decode(gannet.encode(values.astype(">i4"))).tolist() == values.tolist()
    assert gannet.decode(gannet.encode([1, 2, 3])).tolist() == [1, 2, 3]


def test_ranges_and_errors() -> None:
    encoded = gannet.encode(np.arange(1000, dtype=np.uint32), "gpu-for")
    assert gannet.decode(encoded, 999).tolist() == [999]
    assert gannet.decode(encoded, 1000).tolist() == []
    for first, count in [(1001, 0), (0, 1001), (2**63, 5), (-1, None)]:
        with pytest.raises(gannet.UsageError):
            gannet.decode(encoded, first, count)
    with pytest.raises(gannet.UsageError, match="integers"):
        gannet.encode(np.array([1.5]))
    with pytest.raises(gannet.UsageError, match="dimension"):
        gannet.encode(np.zeros((2, 2), dtype=np.int8))
    with pytest.raises(gannet.UsageError, match="zip"):
        gannet.encode(np.arange(3), "zip")
    with pytest.raises(gannet.UsageError, match="parameter"):
        gannet.encode(np.arange(3, dtype=np.int32), "gpu-for", {"speed": 3})
    assert len(gannet.encode(np.arange(3, dtype=np.int32), "cascaded", {"rles": 1, "deltas": 1}))


def test_damaged_bytes_are_refused_or_decoded() -> None:
    """Bytes without a checksum: whatever they hold, decoding stays inside of them."""
    encoded = np.array(gannet.encode(np.arange(3000, dtype=np.int32) % 77, "gpu-for"))
    generator = np.random.default_rng(1)
    refused = 0
    for _ in range(300):
        damaged = encoded.copy()
        damaged[generator.integers(len(damaged))] ^= 1 << int(generator.integers(8))
        try:
            gannet.decode(damaged)
        except gannet.FormatError:
            refused += 1
    assert refused > 0
    for size in (0, 3, 64, len(encoded) - 1, len(encoded) - 16):
        with pytest.raises(gannet.FormatError):
            gannet.decode(encoded[:size])


def test_files(tmp_path: Path) -> None:
    values = values_of(np.int64, 10_000)
    report = gannet.to_file(values, tmp_path / "c.column", "cascaded")
    assert report["values"] == 10_000 and report["codecs"] == {"cascaded": 10_000}
    assert report["file_bytes"] == (tmp_path / "c.column").stat().st_size
    column = gannet.from_file(tmp_path / "c.column")
    assert len(column) == 10_000 and column.dtype == np.int64
    assert np.array_equal(np.asarray(column), values)
    assert np.array_equal(column[100:200], values[100:200]) and column[-1] == values[-1]
    assert column[5:3].tolist() == []
    with pytest.raises(IndexError):
        column[10_000]
    with pytest.raises(gannet.UsageError):
        column.decode(9_999, 2)
    damaged = bytearray((tmp_path / "c.column").read_bytes())
    damaged[len(damaged) // 2] ^= 4
    (tmp_path / "bad.column").write_bytes(damaged)
    with pytest.raises(gannet.FormatError):
        np.asarray(gannet.from_file(tmp_path / "bad.column"))
    with pytest.raises(gannet.IoError):
        gannet.from_file(tmp_path / "nothing")


def test_files_of_the_command(tmp_path: Path, command: str) -> None:
    values = values_of(np.int32, 100_000)
    values.tofile(tmp_path / "raw.i32")
    subprocess.run(
        [
            command,
            "encode",
            "--quiet",
            "--type",
            "i32",
            "--input",
            tmp_path / "raw.i32",
            "--output",
            tmp_path / "c.column",
        ],
        check=True,
    )
    assert np.array_equal(np.asarray(gannet.from_file(tmp_path / "c.column")), values)
    gannet.to_file(values, tmp_path / "p.column")
    assert (tmp_path / "p.column").read_bytes() == (tmp_path / "c.column").read_bytes()


def test_the_table() -> None:
    table = {codec.name: codec for codec in gannet.codecs()}
    assert "gpu-for" in table and table["gpu-for"].tiles
    assert (
        "i64" in next(c for c in gannet.codecs() if c.name == "cascaded" and "i64" in c.types).types
    )


def test_measuring() -> None:
    pytest.importorskip("pandas")
    frame = gannet.bench.decode(["gpu-bp128", "none"], min_log=10, max_log=11, repeats=1)
    assert set(frame["codec"]) == {"gpu-bp128", "none"}
    assert (frame["integers_per_second"] > 0).all() and (frame["bits_per_integer"] > 0).all()
    with pytest.raises(gannet.UsageError):
        gannet.bench.decode(["zip"])
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    assert len(gannet.bench.plot(frame).lines) == 2
