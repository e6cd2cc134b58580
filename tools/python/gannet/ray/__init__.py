"""Collections that outgrow a machine, on a cluster of Ray. Needs the extra `ray`.

:func:`build` builds a set of shards by tasks over the input's files; :class:`Cluster` answers
queries from such a set by actors, each of which has some of the shards, with the scores of the
whole: what one index of all documents answers, bit for bit.

    import gannet.ray
    import ray

    ray.init(address="auto")  # else it starts on this machine alone
    gannet.ray.build("/shared/news", "/shared/news-shards", format="trectext", shards=8)
    with gannet.ray.Cluster("/shared/news-shards", num_gpus=1) as cluster:
        print(cluster.search("solar power"))
        cluster.run("queries.tsv").save("bm25.run")

The set is the one that `gannet shard` and `gannet index --mpi` make: every command opens it, and
:meth:`gannet.Index.open` does. Its folder and the input's are the same on all nodes (a network
file system): no file is sent.
"""

from gannet._packages import required

required("ray", "ray", __name__)

from gannet.ray._build import build, shard  # noqa: E402 - says first what is missing
from gannet.ray._cluster import Actor, Cluster  # noqa: E402
from gannet.ray._waiting import ClusterError  # noqa: E402

ClusterError.__module__ = "gannet.ray"  # where users find it

__all__ = ["Actor", "Cluster", "ClusterError", "build", "shard"]
