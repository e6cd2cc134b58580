"""Measuring: how fast codecs decode on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gannet import _gannet
from gannet._arguments import checked, whole
from gannet._packages import package

__all__ = ["decode", "plot"]


@checked()
def decode(
    codecs: Sequence[str] = (),
    *,
    min_log: int = 10,
    max_log: int = 20,
    distribution: str = "uniform",
    content: str = "docids",
    universe: int = 2**29,
    seed: int = 1,
    repeats: int = 7,
) -> Any:
    """Decode throughput on the CPU, as `gannet bench decode` measures it, as a DataFrame.

    Lists of 2^min_log to 2^max_log synthetic docids (`distribution` 'uniform' or 'clustered') of
    each codec (default: all of lists) are decoded `repeats` times; every output is checked.
    `content`: 'docids', or 'gaps' without the prefix sum. A row is a codec, a length and a way
    ("cpu, one thread"), with bits_per_integer, integers_per_second, and share_of_copy_speed: bytes read and
    written a second, of what a memory copy does (above 1: from caches). Needs pandas.
    """
    pandas = package("pandas", "pandas", "a DataFrame")
    rows = _gannet.bench_decode(
        list(codecs),
        whole("min_log", min_log, 0, 29),
        whole("max_log", max_log, 0, 29),
        distribution,
        content,
        whole("universe", universe, 1, 2**32),
        whole("seed", seed, 0, 2**64 - 1),
        whole("repeats", repeats, 1, 1000),
    )
    return pandas.DataFrame(rows)


@checked()
def plot(frame: Any, way: str | None = None) -> Any:
    """Draws what :func:`decode` gave, throughput over length, a line a codec; gives matplotlib's
    axes. `way`: one of the frame's, by default the first. Needs matplotlib."""
    pyplot = package("matplotlib.pyplot", "plot", "a plot")
    way = frame["way"].iloc[0] if way is None else way
    part = frame[frame["way"] == way]
    _, axes = pyplot.subplots()
    for codec, rows in part.groupby("codec", sort=False):
        axes.plot(rows["length"], rows["integers_per_second"] / 1e9, marker="o", label=codec)
    axes.set_xscale("log", base=2)
    axes.set_xlabel("length of the lists")
    axes.set_ylabel("billions of integers a second")
    axes.set_title(way)
    axes.legend()
    return axes
