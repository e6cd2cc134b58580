"""Searching a set of shards by actors of Ray that have a GPU each. Needs a GPU and Ray
(tools/python_gpu_test.sh)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import gannet
import pytest
from gannet import _gannet, gpu
from ray_collections import SCHEMA, assert_same, queries, start, write_files

if not gpu.available():
    pytest.skip(f"needs a GPU: {_gannet.device_availability()[1]}", allow_module_level=True)
ray = pytest.importorskip("ray", reason="needs Ray")

import gannet.ray  # noqa: E402


@pytest.fixture(scope="module")
def gpus() -> Iterator[int]:
    """How many Ray has found."""
    start(ray)
    yield int(ray.cluster_resources()["GPU"])
    ray.shutdown()


def test_each_actor_has_a_gpu(gpus: int, tmp_path: Path) -> None:
    files = write_files(tmp_path / "files", [400, 30, 700, 1, 200, 90])
    whole = gannet.Index.build(files, tmp_path / "whole", schema=SCHEMA, backend="cpu")
    built = gannet.ray.build(files, tmp_path / "shards", shards=4, num_cpus=0.5, schema=SCHEMA)
    texts = queries(300)
    with gannet.ray.Cluster(built.path, num_gpus=1, num_cpus=0.25) as cluster:
        assert cluster.backend == "cuda" and len(cluster.actors) == min(4, gpus)
        assert len({actor.pid for actor in cluster.actors} | {os.getpid()}) == 1 + len(
            cluster.actors
        )
        for options in ({"k": 10}, {"k": 1000, "mode": "and"}, {"k": 20, "filter": "year:>2000"}):
            mine = cluster.search_batch(texts, **options)
            theirs = whole.search_batch(texts, **options)
            assert len(theirs.docids) > 0
            assert_same(mine, theirs)
            assert mine.ids.tolist() == theirs.ids.tolist()
        assert cluster.search("w1 w2").ids == whole.search("w1 w2").ids
        with pytest.raises(gannet.ray.ClusterError, match="not ready within 10 seconds"):
            gannet.ray.Cluster(built.path, actors=1, num_gpus=gpus, num_cpus=0.25, timeout=10)
    # What the actors had is free again; two may share one.
    with gannet.ray.Cluster(built.path, actors=2, num_gpus=0.5, num_cpus=0.25) as cluster:
        assert cluster.backend == "cuda"
        assert_same(cluster.search_batch(texts), whole.search_batch(texts))
