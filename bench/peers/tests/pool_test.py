"""Processes that share a log."""

import gc
import tempfile
import unittest
from pathlib import Path
from typing import Any, cast

from peers.engines.pool import Plan, Pool

QUERIES = 50


class Pools(unittest.TestCase):
    """Every query is answered once, whoever else is at work."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.log = self.folder / "log.tsv"
        self.log.write_text("".join(f"{number}\tword\n" for number in range(QUERIES)))

    def make(self, processes: int) -> Pool:
        """A pool over the log."""
        plan = Plan("peers.tests.echo_engine", self.folder, self.log, self.log, 1)
        pool = Pool(plan, processes)
        self.addCleanup(pool.close)
        return pool

    def counts(self, name: str) -> list[int]:
        """Queries that each process answered."""
        return [int(line) for line in (self.folder / f"{name}.count").read_text().split()]

    def test_processes_share_the_queries(self) -> None:
        sample = self.make(2).sample(cast(Any, "two"))
        self.assertEqual(len(self.counts("two")), 2)
        self.assertEqual(sum(self.counts("two")), QUERIES)
        self.assertGreater(sample.seconds, 0)

    def test_an_engine_may_have_its_own_clock_and_a_warm_up_lasts(self) -> None:
        pool = self.make(1)
        sample = pool.sample(cast(Any, "clock"))
        self.assertEqual((sample.seconds, sample.cpu), (3.0, 0.5))
        pool.warm_up(cast(Any, "none"), 0)
        self.assertEqual(self.counts("none"), [QUERIES])
        pool.warm_up(cast(Any, "clock"), 1.2)
        self.assertEqual(len(self.counts("clock")), 1 + 1 + 3)

    def test_pools_do_not_share_memory(self) -> None:
        # Values and barriers lie in memory that is handed out again when nobody here holds it.
        pools = [self.make(1)]
        gc.collect()
        pools += [self.make(1), self.make(1)]
        for turn in range(3):
            for number, pool in enumerate(pools):
                pool.sample(cast(Any, f"{turn}-{number}"))
                self.assertEqual(self.counts(f"{turn}-{number}"), [QUERIES])
