"""Searching a set of shards by actors of Ray, on a local cluster of several processes."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gannet
import numpy as np
import pytest
from ray_collections import SCHEMA, assert_same, queries, start, write_files

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install ray")
# Not beside another cluster of Ray.
pytestmark = pytest.mark.xdist_group("ray")

import gannet.ray  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def local_cluster() -> Iterator[None]:
    start(ray)
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_files(tmp_path_factory.mktemp("ray") / "files", [400, 30, 700, 1, 200, 90])


@pytest.fixture(scope="module")
def whole(files: list[Path]) -> gannet.Index:
    """One index of all, to be compared with."""
    path = files[0].parent.parent / "whole"
    return gannet.Index.build(files, path, schema=SCHEMA, store=True, backend="cpu")


@pytest.fixture(scope="module")
def shards(files: list[Path]) -> str:
    path = files[0].parent.parent / "shards"
    built = gannet.ray.build(files, path, shards=4, num_cpus=0.5, schema=SCHEMA, store=True)
    return built.path


@pytest.fixture(scope="module")
def cluster(shards: str) -> Iterator[gannet.ray.Cluster]:
    with gannet.ray.Cluster(shards, actors=3, num_cpus=0.25) as cluster:
        yield cluster


def test_each_actor_is_a_process(cluster: gannet.ray.Cluster, whole: gannet.Index) -> None:
    assert len({actor.pid for actor in cluster.actors} | {os.getpid()}) == 4
    assert [actor.first for actor in cluster.actors][0] == 0
    assert [a.last for a in cluster.actors[:-1]] == [a.first for a in cluster.actors[1:]]
    assert cluster.actors[-1].last == 4
    assert sum(actor.documents for actor in cluster.actors) == len(whole) == len(cluster)
    assert cluster.backend == "cpu" and "4 shards, 3 actors" in repr(cluster)


@pytest.mark.parametrize(
    "options",
    [
        {"k": 10},
        {"k": 1000},
        {"k": 3, "mode": "and"},
        {"k": 10, "exhaustive": True},
        {"k": 20, "filter": "year:[2000 TO 2010] AND tag:(a OR b)"},
        {"k": 10, "scorer": "dirichlet"},
        {"k": 10, "scorer": "dph"},
        {"k": 10, "scorer": "dirichlet", "expand": "sdm"},
        {"k": 10, "scorer": "bm25", "scorer_params": {"k1": 1.2, "b": 0.75}},
        {"k": 10, "scorer": "bm25f", "scorer_params": "title.b=0.3,title.weight=2"},
        {"k": 0},
    ],
    ids=str,
)
def test_batches_are_those_of_one_index(
    cluster: gannet.ray.Cluster, whole: gannet.Index, options: dict[str, Any]
) -> None:
    texts = queries(300)
    mine, theirs = cluster.search_batch(texts, **options), whole.search_batch(texts, **options)
    assert len(theirs.docids) > 0 or options["k"] == 0
    assert_same(mine, theirs)
    assert mine.ids.tolist() == theirs.ids.tolist()
    assert mine.report["queries"] == 300 and mine.report["postings"] == theirs.report["postings"]


def test_a_shard_alone_would_score_otherwise(shards: str, whole: gannet.Index) -> None:
    """So that the tests above would fail without the statistics of the whole."""
    part = gannet.open(Path(shards) / "shard-0000")
    mine, theirs = part.search_batch(queries(50), 1), whole.search_batch(queries(50), 1)
    assert not set(mine.scores.tolist()) & set(theirs.scores.tolist())


def test_single_queries_are_those_of_one_index(
    cluster: gannet.ray.Cluster, whole: gannet.Index
) -> None:
    for query in [
        "w1 w2",
        "w3 +w1 -w2",
        "w1 AND (w2 OR title:w5)",
        "w7 AND year:2004",
        "neverthere",
    ]:
        mine, theirs = (
            one.search(query, 15, fields=["year", "tag"], filter="year:>=1995")
            for one in (cluster, whole)
        )
        assert list(mine) == list(theirs)
        assert [hit.text for hit in mine] == [hit.text for hit in theirs]
        assert mine.plan == theirs.plan and mine.snippets() == theirs.snippets()
        assert str(mine) == str(theirs)
        assert cluster.count(query) == whole.count(query)
        assert cluster.matches(query).tolist() == whole.matches(query).tolist()
    assert cluster.search(filter="tag:a", k=2000).docids.tolist() == (
        whole.search(filter="tag:a", k=2000).docids.tolist()
    )
    assert cluster.stats["tokens"] == whole.stats["tokens"]
    assert cluster.terms("w1", 5) == whole.terms("w1", 5)
    assert cluster.plan("w1 w2") == whole.plan("w1 w2")
    found = whole.search("w1 w2")
    assert cluster.explain("w1 w2", found.ids[0]) == whole.explain("w1 w2", found.ids[0])


@pytest.mark.parametrize("options", [{}, {"scorer": "bm25f"}, {"fuzzy_prefix": 2}], ids=str)
def test_inexact_words_stand_for_the_terms_of_all_shards(
    cluster: gannet.ray.Cluster, whole: gannet.Index, options: dict[str, Any]
) -> None:
    texts = ["w1*", "w12~1 w3", "title:w?5 w4~", "+/w1[2-6]/ -w?", "w*9 AND w2", "w899~2", "x*"]
    mine, theirs = cluster.search_batch(texts, **options), whole.search_batch(texts, **options)
    assert_same(mine, theirs)
    assert [cluster.count(text) for text in texts] == [whole.count(text) for text in texts]
    for many in ("w*", "w3 /w[0-9]+/"):
        errors = []
        for one in (cluster, whole):
            with pytest.raises(gannet.UsageError, match="stands for .* terms") as error:
                one.search(many, max_expansions=100)
            errors.append(str(error.value))
        assert errors[0] == errors[1]


def test_a_run_is_the_file_of_one_index(
    cluster: gannet.ray.Cluster, whole: gannet.Index, tmp_path: Path
) -> None:
    topics = {f"q{i}": text for i, text in enumerate(queries(40))}
    cluster.run(topics).save(tmp_path / "mine")
    whole.run(topics).save(tmp_path / "theirs")
    assert (tmp_path / "mine").read_bytes() == (tmp_path / "theirs").read_bytes()
    assert (tmp_path / "mine").stat().st_size > 1000
    assert len(cluster.search_batch([])) == 0


def test_any_number_of_actors(shards: str, whole: gannet.Index) -> None:
    ways: list[tuple[dict[str, Any], int]] = [({"actors": 1}, 1), ({"num_cpus": 0.25}, 4)]
    for asked, actors in [*ways, ({"num_cpus": 1.25}, 1)]:
        with gannet.ray.Cluster(shards, **asked) as cluster:  # by default, as many as have room
            assert len(cluster.actors) == actors
            assert_same(cluster.search_batch(queries(50)), whole.search_batch(queries(50)))


def test_an_index_that_was_cut(whole: gannet.Index, tmp_path: Path) -> None:
    built = gannet.ray.shard(whole, tmp_path / "cut", 2)
    assert len(built) == len(whole)
    with gannet.ray.Cluster(built.path, num_cpus=0.25) as cluster:
        assert_same(cluster.search_batch(queries(50)), whole.search_batch(queries(50)))


def test_threads_may_share_a_cluster(cluster: gannet.ray.Cluster, whole: gannet.Index) -> None:
    texts = queries(120)
    expected = whole.search_batch(texts)
    found: list[Any] = [None] * 4

    def ask(i: int) -> None:
        found[i] = cluster.search_batch(texts[i * 30 : i * 30 + 30])

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert np.concatenate([one.docids for one in found]).tolist() == expected.docids.tolist()


def test_what_needs_more_than_the_best_documents_is_refused(cluster: gannet.ray.Cluster) -> None:
    for options in (
        {"sort": "year"},
        {"facets": ["tag"]},
        {"histograms": ["year"]},
        {"stats": ["year"]},
        {"group": "tag"},
        {"expand": "rm3"},
        {"offset": 10},
        {"after": "x"},
    ):
        with pytest.raises(gannet.UsageError, match=f"{next(iter(options))}: not on a cluster"):
            cluster.search("w1", **options)
    with pytest.raises(gannet.UsageError, match="expand: not on a cluster"):
        cluster.search_batch(["w1"], expand="rm3")


def test_a_wrong_query_is_the_error_of_one_index(
    cluster: gannet.ray.Cluster, whole: gannet.Index
) -> None:
    for query, options in [("w1 AND (", {}), ("w1", {"filter": "size:3"}), ("w1", {"scorer": "x"})]:
        with pytest.raises(gannet.UsageError) as theirs:
            whole.search(query, **options)
        with pytest.raises(gannet.UsageError) as mine:
            cluster.search(query, **options)
        assert str(mine.value) == str(theirs.value)
    assert cluster.search("w1").ids == whole.search("w1").ids  # it goes on


def test_a_dead_actor_ends_the_cluster(shards: str, whole: gannet.Index) -> None:
    """Between planning and searching: there is no answer of the shards that are left."""
    with gannet.ray.Cluster(shards, actors=2, num_cpus=0.25) as cluster:
        ask, victim = cluster._ask, cluster.actors[1]

        def ask_and_kill(method: str, *arguments: Any, **options: Any) -> Any:
            made = ask(method, *arguments, **options)
            if method == "plan":
                os.kill(victim.pid, signal.SIGKILL)
            return made

        cluster._ask = ask_and_kill  # type: ignore[method-assign]
        with pytest.raises(gannet.ray.ClusterError, match="shards? [1-3].*: "):
            cluster.search_batch(queries(20))
        with pytest.raises(gannet.ray.ClusterError, match="closed after a failure"):
            cluster.search("w1")
        assert isinstance(gannet.ray.ClusterError("x"), gannet.Error)
    with gannet.ray.Cluster(shards, actors=1, num_cpus=0.25) as cluster:
        assert cluster.search("w1").ids == whole.search("w1").ids


def test_a_closed_cluster_says_so(shards: str) -> None:
    cluster = gannet.ray.Cluster(shards, actors=1, num_cpus=0.25)
    cluster.close()
    cluster.close()
    with pytest.raises(gannet.ray.ClusterError, match="the cluster is closed"):
        cluster.search("w1")


def test_actors_without_room(
    shards: str, whole: gannet.Index, cluster: gannet.ray.Cluster
) -> None:
    assert len(cluster.actors) == 3  # which take 0.75 of the 2 cores
    with pytest.raises(gannet.UsageError, match="no node .* 2 CPU"):
        gannet.ray.Cluster(shards, num_gpus=1)
    with pytest.raises(gannet.ray.ClusterError, match="1 of 2 actors were not ready .* 2 CPU"):
        gannet.ray.Cluster(shards, actors=2, timeout=30)
    with gannet.ray.Cluster(shards, actors=1) as cluster:  # what the others had is free again
        assert cluster.search("w1").ids == whole.search("w1").ids


def test_what_is_no_set_of_shards(whole: gannet.Index, shards: str, tmp_path: Path) -> None:
    with pytest.raises(gannet.UsageError, match="not a set of shards; gannet.ray.build"):
        gannet.ray.Cluster(whole.path)
    with pytest.raises(gannet.UsageError, match="not a set of shards"):
        gannet.ray.Cluster(tmp_path / "nothing")
    for actors in (0, 5):
        with pytest.raises(gannet.UsageError, match=f"actors: {actors}, .* a set of 4"):
            gannet.ray.Cluster(shards, actors=actors)


def test_an_actor_forgets_what_is_dropped(shards: str, whole: gannet.Index) -> None:
    """An actor's class, in this process: batches of calls that failed or were interrupted."""
    from gannet import _gannet, _options
    from gannet.ray._actor import ShardActor

    actor = ShardActor(shards, 0, 4)
    assert actor.open("cpu", 1, 2.5)["documents"] == len(whole)
    options = _options.search_options({"k": 10, "mode": "or", "operators": True})
    fingerprint, numbers = actor.plan(1, queries(20), options, None)
    assert fingerprint == actor.plan(2, queries(20), options, None)[0]
    assert fingerprint != actor.plan(3, queries(21), options, None)[0]
    with pytest.raises(gannet.UsageError):
        actor.plan(4, ["w1 AND ("], options, None)
    actor.drop(3)
    actor.drop(4)
    found = actor.search(1, numbers)
    assert found["docids"].tolist() == (
        whole.search_batch(queries(20), operators=True).docids.tolist()
    )
    assert list(actor._batches) == [2]
    batch = actor._batches[2]
    with pytest.raises(gannet.UsageError, match="statistics are of other queries"):
        batch.search(numbers[:-1], 0)
    actor.drop(2)
    assert not actor._batches
    with pytest.raises(gannet.CancelledError):  # what is under way is stopped
        batch.search(numbers, 0)
    with pytest.raises(gannet.UsageError, match="expand"):
        _gannet.ShardBatch(actor._handle, ["w1"], {**options, "expand": "rm3"}, None)
