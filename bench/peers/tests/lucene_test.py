"""Lucene's engine with a script in place of Java, and what is unpacked of wheels."""

import os
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

from peers.columns.questions import Filter, Question
from peers.engines import lucene, lucene_columns
from peers.engines.base import Setting
from peers.errors import PeersError
from peers.text.postings import digest
from peers.work import java

#: Answers the program's commands, and writes down how it was called.
JAVA = r"""#!/bin/bash
echo "$*" >>"$PEERS_JAVA/calls"
while [[ $1 != peers.Main ]]; do shift; done
case $2 in
  versions) printf '10.5.2\n25.0.4\nvectors of 512 bits\n' ;;
  statistics) printf '3\t9\ncat\t2\ndog\t1\n' ;;
  answers) while read -r line; do echo "1 9.5 0 2.25"; done ;;
  totals) while read -r line; do echo 7; done ;;
  latencies)
    while read -r line && [[ $line ]]; do echo "$line" >>"$PEERS_JAVA/logs"; done
    while read -r line; do
      echo "$line" >>"$PEERS_JAVA/asked"
      echo "5 1000000000 3000000000"
    done ;;
  passes|passes-cached)
    count=0
    while read -r line && [[ $line ]]; do ((++count)); done
    while read -r line; do
      echo "$line" >>"$PEERS_JAVA/asked"
      echo "1000000000 3000000000 $count"
      ((count += ${GROWS:-0}))
    done ;;
  *) exit 3 ;;
esac
"""
TEXTS = ["cat", "cat dog"]
MEMBERS = {
    "arcadedb_embedded/jre/bin/java": "jre/bin/java",
    "arcadedb_embedded/jre/lib/server/libjvm.so": "jre/lib/server/libjvm.so",
    "arcadedb_embedded/jars/lucene-core-10.5.2.jar": "lib/lucene-core-10.5.2.jar",
    "x.data/data/lib/y/plugins/org.eclipse.jdt.core.compiler.batch_3.46.jar": (
        "compiler/org.eclipse.jdt.core.compiler.batch_3.46.jar"
    ),
}
OTHERS = ("arcadedb_embedded/jre/", "arcadedb_embedded/core.py", "x/lucene-facet-10.5.2.jar")


class Engines(unittest.TestCase):
    """What the engine asks of the program, and makes of what it says."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        program = self.folder / "jre/bin/java"
        program.parent.mkdir(parents=True)
        program.write_text(JAVA)
        program.chmod(0o755)
        variables = mock.patch.dict(os.environ, {lucene.FOLDER: folder.name})
        variables.start()
        self.addCleanup(variables.stop)
        documents = self.folder / "documents.tsv"
        documents.write_text("a\tdog\nb\tcat\n")
        self.engine = lucene.Engine(self.folder / "index", documents)

    def calls(self) -> list[str]:
        """How the program was called."""
        return (self.folder / "calls").read_text().splitlines()

    def test_versions(self) -> None:
        expected = {"Lucene": "10.5.2", "Java": "25.0.4 (vectors of 512 bits)"}
        self.assertEqual(lucene.versions(), expected)
        self.assertIn("--add-modules=jdk.incubator.vector", self.calls()[0])

    def test_statistics(self) -> None:
        found = lucene.Engine.statistics(self.folder, [])
        self.assertEqual((found.documents, found.terms, found.postings, found.tokens), (3, 2, 3, 9))
        self.assertEqual(found.frequencies, digest([("cat", 2), ("dog", 1)]))

    def test_numbers_of_documents_become_ids(self) -> None:
        found = list(self.engine.answers(Setting("or", 10, ""), TEXTS))
        self.assertEqual(found, [[("b", 9.5), ("a", 2.25)]] * 2)

    def test_counts(self) -> None:
        self.assertEqual(list(self.engine.counts("and", TEXTS)), [7, 7])
        self.assertEqual(list(self.engine.counts("or", TEXTS, 10)), [7, 7])
        for call, asked in zip(self.calls(), ("and 0", "or 10"), strict=True):
            self.assertTrue(call.endswith(f"totals {self.folder}/index {asked}"))

    def test_one_process_tells_what_the_queries_of_all_logs_take(self) -> None:
        watch = lucene.Watch(self.engine, {"or-2": TEXTS, "and-2": TEXTS})
        setting = Setting("or", 10, "", single=True, counted=True)
        self.assertEqual(watch.latencies("or-2", setting), [1.0, 3.0])
        self.assertEqual(watch.latencies("and-2", Setting("and", 0, "")), [1.0, 3.0])
        watch.close()
        self.assertEqual(len(self.calls()), 1)
        logs = (self.folder / "logs").read_text().splitlines()
        self.assertEqual(logs, [f"{log}\t{text}" for log in ("or-2", "and-2") for text in TEXTS])
        asked = (self.folder / "asked").read_text()
        self.assertEqual(asked, "or-2 or 10 true\nand-2 and 0 false\n")

    def test_passes_are_told_by_the_programs_clock(self) -> None:
        done = self.engine.prepare(Setting("or", 10, ""), TEXTS, 2)
        self.addCleanup(done.server.close)
        for _ in range(2):
            times = done.run(list(done.queries))
            self.assertEqual((times.begin, times.end), (1.0, 3.0))
            self.assertGreaterEqual(times.cpu, 0)
        self.assertTrue(self.calls()[0].endswith(f"passes {self.folder}/index 2"))

    def test_all_settings_are_answered_by_one_process(self) -> None:
        for setting in (Setting("or", 10, ""), Setting("and", 0, "")):
            done = self.engine.prepare(setting, TEXTS, 1)
            done.run(list(done.queries))
        done.server.close()
        self.assertEqual(len(self.calls()), 1)
        self.assertEqual((self.folder / "asked").read_text(), "or 10\nand 0\n")

    def test_a_pass_that_finds_something_else_is_an_error(self) -> None:
        with mock.patch.dict(os.environ, {"GROWS": "1"}):
            done = self.engine.prepare(Setting("or", 10, ""), TEXTS, 1)
        self.addCleanup(done.server.close)
        done.run([])
        with self.assertRaisesRegex(PeersError, "found 3 for or 10, and before 2"):
            done.run([])

    def test_a_program_that_fails_is_told(self) -> None:
        with self.assertRaisesRegex(PeersError, "Lucene's build ended with 3"):
            lucene.Engine.build(self.folder / "documents.tsv", self.folder / "index", 1)


    def test_columns_are_asked_with_filters(self) -> None:
        engine = lucene_columns.Engine(self.engine.folder, self.engine.documents)
        shared = Filter("some", "k100", keywords=("a", "b"))
        counted = Question("x", "words", "and", "count", filter=shared)
        texts = ["cat", "cat dog u:[3 TO 9}"]
        done = engine.prepare(counted, texts, 1)
        done.run(list(done.queries))
        engine.prepare(Question("y", "words", "or", "hits"), texts, 1).run([])
        done.server.close()
        self.assertEqual(len(self.calls()), 1)
        self.assertTrue(self.calls()[0].endswith(f"passes-cached {self.folder}/index 1"))
        asked = (self.folder / "asked").read_text()
        self.assertEqual(asked, "and 0\tany k100 a b\nor 10\n")
        self.assertEqual(lucene_columns.line_of(texts[1]), "cat dog\trange u 3 9")
        self.assertEqual(list(engine.answers(counted, texts)), [{"count": 7}] * 2)
        hits = {"count": 7, "hits": [["b", 9.5], ["a", 2.25]]}
        found = list(engine.answers(Question("y", "words", "or", "hits"), texts))
        self.assertEqual(found, [hits] * 2)


class Wheels(unittest.TestCase):
    """What is unpacked."""

    def test_members(self) -> None:
        found = {name: str(place) for name, place in java.members([*MEMBERS, *OTHERS])}
        self.assertEqual(found, MEMBERS)

    def test_files_keep_their_modes(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            with zipfile.ZipFile(folder / "a.whl", "w") as archive:
                for member, mode in (("bin/java", 0o755), ("conf/x", 0o644)):
                    info = zipfile.ZipInfo(f"arcadedb_embedded/jre/{member}")
                    info.external_attr = mode << 16
                    archive.writestr(info, "text")
            java.unpack(folder / "a.whl", folder)
            modes = [
                (folder / "jre" / part).stat().st_mode & 0o777 for part in ("bin/java", "conf/x")
            ]
            self.assertEqual(modes, [0o755, 0o644])

    def test_another_source_is_another_program(self) -> None:
        texts = [path.read_text() for path in java.SOURCES.iterdir()]
        self.assertTrue(any("class Main" in text for text in texts))
        self.assertLessEqual(set(texts), set(java.key()))
