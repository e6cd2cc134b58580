"""Lucene, called by the program of java/ that runs beside this one.

Commands of that program (java/Main.java):
    versions                        prints Lucene's, Java's, and whether Java's vectors are used
    build DOCUMENTS INDEX           indexes id<TAB>words lines
    statistics INDEX                prints documents<TAB>tokens, then term<TAB>documents of each term
    answers INDEX MODE K            reads queries, prints "document score ..." of each, or counts
    totals INDEX MODE K             reads queries, prints how many documents match, told beside k hits
    passes INDEX THREADS            reads a log and an empty line; for every "MODE K" then a pass
    passes-cached INDEX THREADS     the same with Lucene's cache of queries; "MODE K<TAB>FILTER" asks
                                    within a filter (java/Filters.java)
    build-columns DOCUMENTS ROWS INDEX NAME:TYPE...
                                    indexes documents with the columns of a CSV file
Queries of "answers", "totals" and "passes" may have a tab and a filter of their own.
    latencies INDEX                 reads logs and an empty line; for every "LOG MODE K COUNTED" then
                                    a pass by one thread, with what each query takes
"""

import os
import subprocess
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from peers.engines.base import Queries, Setting, Times, read_ids
from peers.errors import Exit, PeersError
from peers.text.postings import Statistics, digest

#: Names the folder that work/java.py makes.
FOLDER = "PEERS_JAVA"
#: As Lucene's nightly benchmarks (luceneutil) and the Search Benchmark Game start Java.
FLAGS = [
    "-XX:+UseParallelGC",
    "--add-modules=jdk.incubator.vector",
    "--enable-native-access=ALL-UNNAMED",
]
#: Of luceneutil, too. Building needs less, and takes what it gets.
SEARCH_HEAP = ["-Xms2g", "-Xmx2g"]
BUILD_HEAP = ["-Xmx1g"]
NANOSECONDS = 1e-9


def cpu_seconds(pid: int) -> float:
    """CPU time of a process with all its threads, by the clock that Linux has for it.

    Java tells it too, in steps of 10 ms.
    """
    return time.clock_gettime(~pid << 3 | 2)


def command(*arguments: str, heap: Sequence[str] = ()) -> list[str]:
    """The words that start the program."""
    folder = Path(os.environ[FOLDER])
    classes = f"{folder}/classes:{folder}/lib/*"
    return [f"{folder}/jre/bin/java", *FLAGS, *heap, "-cp", classes, "peers.Main", *arguments]


def call(*arguments: str, text: str = "", heap: Sequence[str] = ()) -> str:
    """What the program prints for some input; what it says beside that goes to the log."""
    done = subprocess.run(
        command(*arguments, heap=heap), input=text, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode != 0:
        raise PeersError(Exit.OTHER, f"Lucene's {arguments[0]} ended with {done.returncode}")
    return done.stdout


def ask(what: str, index: Path, mode: str, k: int, queries: Iterable[str]) -> list[str]:
    """A line for each query."""
    text = "".join(f"{query}\n" for query in queries)
    return call(what, str(index), mode, str(k), text=text).split("\n")[:-1]


def versions() -> dict[str, str]:
    """Lucene's version and its Java's, and what it says of the module of vectors."""
    lucene, java, vectors = call("versions").splitlines()
    return {"Lucene": lucene, "Java": f"{java} ({vectors})"}


class Server:
    """The program at its passes."""

    def __init__(self, *arguments: str, log: str) -> None:
        self.process = subprocess.Popen(
            command(*arguments, heap=SEARCH_HEAP),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.found: dict[str, int] = {}  #: by what was asked
        self._say(f"{log}\n")

    def _say(self, text: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def ask(self, asked: str) -> list[int]:
        """What it says of one pass."""
        assert self.process.stdout
        self._say(f"{asked}\n")
        line = self.process.stdout.readline()
        if not line:
            raise PeersError(Exit.OTHER, f"Lucene's passes ended with {self.process.wait()}")
        return [int(word) for word in line.split()]

    def check(self, asked: str, found: int) -> None:
        """Every pass finds as much as the first one."""
        if (before := self.found.setdefault(asked, found)) != found:
            raise PeersError(Exit.OTHER, f"Lucene found {found} for {asked}, and before {before}")

    def sample(self, asked: str) -> Times:
        """One pass, by its own clock; what Java does beside searching takes CPU time, too."""
        cpu = cpu_seconds(self.process.pid)
        begin, end, found = self.ask(asked)
        cpu = cpu_seconds(self.process.pid) - cpu
        self.check(asked, found)
        return Times(begin * NANOSECONDS, end * NANOSECONDS, cpu)

    def close(self) -> None:
        """Lets it end."""
        self.process.communicate()


class Watch:
    """See base.py: one process has all logs, so Java compiles for all of them."""

    def __init__(self, engine: "Engine", logs: dict[str, list[str]]) -> None:
        lines = (f"{log}\t{text}\n" for log, texts in logs.items() for text in texts)
        self.server = Server("latencies", str(engine.folder), log="".join(lines))

    def latencies(self, log: str, setting: Setting) -> list[float]:
        asked = f"{log} {setting.mode} {setting.k} {str(setting.counted).lower()}"
        found, *nanoseconds = self.server.ask(asked)
        self.server.check(asked, found)
        return [one * NANOSECONDS for one in nanoseconds]

    def close(self) -> None:
        self.server.close()


class LucenePass:
    """One pass of a server, which has the log."""

    def __init__(self, server: Server, asked: str, texts: Sequence[str]) -> None:
        self.server = server
        self.asked = asked
        self.queries = texts

    def run(self, queries: Queries) -> Times:
        """Answers the queries."""
        return self.server.sample(self.asked)


class OpenIndex:
    """An index of Lucene, and the process that measures it; see base.py."""

    by_processes = False
    compiles = True

    def __init__(self, folder: Path, documents: Path) -> None:
        self.folder = folder
        self.documents = documents
        self.server: Server | None = None

    def found(self, lines: Iterable[str]) -> Iterator[list[tuple[str, float]]]:
        """Hits of answers, a line each: id and score."""
        ids = read_ids(self.documents)
        for line in lines:
            parts = line.split()
            hits = zip(parts[::2], parts[1::2], strict=True)
            yield [(ids[int(document)], float(score)) for document, score in hits]


class Engine(OpenIndex):
    """See base.py."""

    @staticmethod
    def build(documents: Path, folder: Path, threads: int) -> list[Path]:
        call("build", str(documents), str(folder), heap=BUILD_HEAP)
        return [folder]

    @staticmethod
    def statistics(folder: Path, words: list[str]) -> Statistics:
        head, *lines = call("statistics", str(folder)).splitlines()
        documents, tokens = map(int, head.split("\t"))
        counts = [(word, int(count)) for word, _, count in (line.partition("\t") for line in lines)]
        return Statistics(
            documents, len(counts), sum(count for _, count in counts), tokens, digest(counts)
        )

    @staticmethod
    def algorithms(mode: str) -> Sequence[str]:
        return ("chosen by Lucene",)

    def prepare(self, setting: Setting, texts: Sequence[str], threads: int) -> LucenePass:
        # A process has one log and one number of threads for all of its passes (pool.py).
        log = "".join(f"{text}\n" for text in texts)
        self.server = self.server or Server("passes", str(self.folder), str(threads), log=log)
        return LucenePass(self.server, f"{setting.mode} {setting.k}", texts)

    def answers(
        self, setting: Setting, queries: Sequence[str]
    ) -> Iterator[list[tuple[str, float]]]:
        return self.found(self._ask("answers", setting.mode, setting.k, queries))

    def counts(self, mode: str, queries: Sequence[str], k: int = 0) -> Iterable[int]:
        return map(int, self._ask("totals", mode, k, queries))

    def _ask(self, what: str, mode: str, k: int, queries: Sequence[str]) -> list[str]:
        return ask(what, self.folder, mode, k, queries)
