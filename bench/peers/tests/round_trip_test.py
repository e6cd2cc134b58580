"""Analysed text, indexed again by gannet: $GANNET names the command."""

import json
import os
import shutil
import tempfile
import unittest
from pathlib import Path
from typing import Any, cast

from peers.game.file import PHRASE
from peers.game.logs import BEYOND, ONE_TERM, UNKNOWN, make_logs
from peers.gannet import Gannet
from peers.text import analysis, postings, terms
from peers.text.preparation import Preparation, Text
from peers.text.sources import Collection
from peers.work import workplace
from peers.work.processes import Runner

TEXTS = [
    "The cat sat on the mat; the cats' café wasn't naïve.",
    "東京タワー and ЖИЗНЬ, STRASSE straße, ﬁve O'Neil's x-ray zzxray",
    "... --- ...",
    "Cafés, cats & running runners ran 3.14 times",
]
QUERIES = "7\trunning cats\n9\tcafé 東京\n11\t--\n"


@unittest.skipUnless(shutil.which(os.environ.get("GANNET", "")), "GANNET does not name the command")
class RoundTrip(unittest.TestCase):
    """Documents in many scripts."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        opened = workplace.opened(self.folder / "work")
        self.workplace = opened.__enter__()
        self.addCleanup(opened.__exit__, None, None, None)
        self.gannet = Gannet(Runner(self.workplace), Path(os.environ["GANNET"]))
        source = self.folder / "docs.jsonl"
        lines = [json.dumps({"id": str(n), "contents": text}) for n, text in enumerate(TEXTS)]
        source.write_text("\n".join(lines) + "\n")
        self.base = self.gannet.analyse(source, "jsonl", self.workplace.scratch("analysis"))
        self.documents = self.folder / "documents.tsv"
        analysis.write_documents(self.base, self.documents)

    def test_the_index_of_analysed_text_has_the_same_postings(self) -> None:
        expected = postings.statistics_of(self.base, analysis.words_of(self.base))
        self.assertEqual(expected.documents, len(TEXTS))
        self.assertGreater(expected.postings, 20)
        index = self.folder / "index"
        cost = self.gannet.build(self.documents, index, 1)
        self.assertGreater(cost.wall, 0)
        self.assertGreater(cost.peak, 2**20)
        found = self.gannet.statistics(index, self.workplace.scratch("lists"))
        self.assertEqual(found, expected)

    def test_words_are_gannets_terms(self) -> None:
        words = self.documents.read_text().splitlines()[3].split("\t")[1].split()
        found = [terms.from_word(word) for word in words]
        self.assertEqual(sorted(found), sorted("café cat run runner ran 3 14 time".split()))
        self.assertEqual(self.documents.read_text().splitlines()[2], "2\t")

    def test_queries_meet_the_documents_words(self) -> None:
        source, output = self.folder / "queries.tsv", self.folder / "topics.tsv"
        source.write_text(QUERIES)
        base = self.gannet.analyse(source, "tsv", self.workplace.scratch("analysis"))
        self.assertEqual(analysis.write_topics(base, 10, output), ["7", "9"])
        vocabulary = set(self.documents.read_text().split())
        for line in output.read_text().splitlines():
            self.assertLessEqual(set(line.split("\t")[1].split()), vocabulary)

    def test_a_run_is_evaluated(self) -> None:
        index, run = self.folder / "index", self.folder / "out.run"
        topics, qrels = self.folder / "topics.tsv", self.folder / "qrels.txt"
        self.gannet.build(self.documents, index, 1)
        topics.write_text("1\tcat\n")
        qrels.write_text("1 0 0 1\n")
        self.gannet.run_file(index, topics, "or", 10, "k1=0.9,b=0.4", run)
        self.assertEqual(self.gannet.evaluate(qrels, run)["map"], 1.0)
        for k in (10, 1000, 0):
            row = self.gannet.bench(index, topics, "or", k, 1, 2, single=k == 10)
            self.assertEqual(row["batch"], 1)
            self.assertGreater(row["plan_seconds"], 0)

    def test_matches_are_counted(self) -> None:
        index, topics = self.folder / "index", self.folder / "topics.tsv"
        self.gannet.build(self.documents, index, 1)
        topics.write_text("1\tcat\n2\tcat run\n3\tunicorn\n")
        self.assertEqual(self.gannet.counts(index, topics, "or"), [2, 2, 0])
        self.assertEqual(self.gannet.counts(index, topics, "and"), [2, 1, 0])

    def test_the_games_queries_become_classes(self) -> None:
        source = self.folder / "queries.txt"
        queries = ["running cats", "cats running", "+Running +cats +times", "+running", "cat dog"]
        queries += ["cats running 3", "3 times 14", "the cat sat on the mat", '"a b"']
        source.write_text("".join(f"{json.dumps({'query': query})}\n" for query in queries))
        folder = self.folder / "text"
        folder.mkdir()
        words = analysis.words_of(self.base)
        (folder / "words.txt").write_text("".join(f"{word}\n" for word in words))
        text = Text(Collection("animals"), folder, postings.statistics_of(self.base, words))
        preparation = Preparation(self.workplace, cast(Any, None), self.gannet, self.folder)
        logs = make_logs(preparation, text, source, 1)
        found = {one.short: number for one, number in logs.queries.items()}
        self.assertEqual(found, {"OR 2": 1, "OR 3": 1, "OR 5+": 1, "AND 3": 1})
        reasons = {PHRASE: 1, UNKNOWN: 2, ONE_TERM: 1, BEYOND: 1}
        self.assertEqual(logs.skipped, reasons)
        known = set(words)
        for one in logs.classes:
            (line,) = logs.path(one).read_text().splitlines()
            self.assertLessEqual(set(line.split("\t")[1].split()), known)
            self.assertIn(line, logs.mode_path(one.mode).read_text().splitlines())
