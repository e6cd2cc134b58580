"""Posting lists turned around, and query logs."""

import tempfile
import unittest
from pathlib import Path

from peers.errors import Exit, PeersError
from peers.tests.lists import write_lists
from peers.text import analysis, postings

POSTINGS = {"café": {0: 1}, "cat": {0: 2, 2: 1}, "dog": {2: 3}}


class Lists(unittest.TestCase):
    """A collection of three documents, the second of them empty."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.base = self.folder / "lists"
        write_lists(self.base, POSTINGS, [3, 0, 4], ["a", "b", "c"])

    def test_documents_have_every_occurrence(self) -> None:
        output = self.folder / "documents.tsv"
        analysis.write_documents(self.base, output)
        cafe = "zzx" + "café".encode().hex()
        self.assertEqual(output.read_text(), f"a\t{cafe} cat cat\nb\t\nc\tcat dog dog dog\n")

    def test_statistics(self) -> None:
        words = analysis.words_of(self.base)
        found = postings.statistics_of(self.base, words)
        self.assertEqual((found.documents, found.terms, found.postings, found.tokens), (3, 3, 4, 7))

    def test_a_document_frequency_more_changes_the_digest(self) -> None:
        counts = [("cat", 2), ("dog", 1)]
        self.assertEqual(postings.digest(counts), postings.digest(reversed(counts)))
        self.assertNotEqual(postings.digest(counts), postings.digest([("cat", 1), ("dog", 2)]))
        self.assertNotEqual(postings.digest(counts), postings.digest(counts[:1]))

    def test_a_list_that_is_cut_short(self) -> None:
        path = self.folder / "lists.docs"
        path.write_bytes(path.read_bytes()[:-4])
        with self.assertRaisesRegex(PeersError, r"lists\.docs: the sequence at byte 28") as caught:
            analysis.write_documents(self.base, self.folder / "documents.tsv")
        self.assertEqual(caught.exception.code, Exit.MALFORMED)

    def test_a_term_that_is_too_long_for_a_word(self) -> None:
        write_lists(self.base, {"é" * 64: {0: 1}}, [1], ["a"])
        with self.assertRaisesRegex(PeersError, "too long"):
            analysis.words_of(self.base)


class Logs(unittest.TestCase):
    """Six queries, as a collection."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.output = Path(folder.name) / "log.tsv"
        self.base = Path(folder.name) / "queries"
        entries = {"cat": {0: 2, 1: 1, 3: 1, 5: 1}, "dog": {1: 1, 3: 1}, "unicorn": {4: 1, 5: 1}}
        write_lists(self.base, entries, [2, 2, 0, 2, 1, 2], ["1", "2", "3", "4", "5", "6"])

    def test_a_log_has_queries_that_all_engines_take_alike(self) -> None:
        count = analysis.write_log(self.base, frozenset(["cat", "dog"]), 10, self.output)
        # 1 repeats a word, 3 is empty, 4 is 2 again, 5 and 6 have a word that no document has.
        self.assertEqual(self.output.read_text(), "1\tcat\n2\tcat dog\n")
        self.assertEqual(count, 2)

    def test_a_log_ends_at_its_limit(self) -> None:
        self.assertEqual(
            analysis.write_log(self.base, frozenset(["cat", "dog"]), 1, self.output), 1
        )
        self.assertEqual(self.output.read_text(), "1\tcat\n")

    def test_topics_keep_repeated_and_unknown_words(self) -> None:
        names = analysis.write_topics(self.base, 10, self.output)
        lines = ["1\tcat cat", "2\tcat dog", "4\tcat dog", "5\tunicorn", "6\tcat unicorn"]
        self.assertEqual(self.output.read_text().splitlines(), lines)
        self.assertEqual(names, ["1", "2", "4", "5", "6"])
        self.assertEqual(analysis.write_topics(self.base, 2, self.output), ["1", "2"])

    def test_judgements_of_other_queries_are_left_out(self) -> None:
        source = self.output.with_name("qrels.txt")
        source.write_text("1 0 a 1\n10 0 a 1\n\n2 0 b 0\n")
        analysis.write_qrels(source, ["1", "2"], self.output)
        self.assertEqual(self.output.read_text(), "1 0 a 1\n2 0 b 0\n")
