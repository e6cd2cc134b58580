"""The command line."""

import argparse
import dataclasses
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from peers.columns.questions import questions
from peers.systems import SYSTEMS
from peers.text import sources

ROOT = Path(__file__).resolve().parents[2]

DESCRIPTION = """\
Compares Gannet's CPU back end with its peers, on the same postings and the same queries:
PISA (pyterrier-pisa), tantivy, bm25s (on numba) and Lucene, all of PyPI, in a virtual environment
of their own; Lucene with a Java beside it.
A table in Markdown goes to stdout, progress to stderr.

What it does:
  1. Gannet analyses each collection and query log once (Unicode words, Porter2); what comes out is
     written as words with white space between them, which all engines index, Gannet too. Statistics
     and the document frequency of every term have to be the same in all indexes.
  2. Every engine builds an index: wall and CPU seconds, peak memory, bytes that serving takes.
  3. Every engine finds the 10 best of each query, OR and AND; hits and scores have to agree with
     Gannet's under the same BM25 (k1 0.9, b 0.4; tantivy's are fixed at 1.2 and 0.75), and so does
     effectiveness on judged collections. Counts of matches have to be the same.
  4. Every engine is timed, in rounds, on 1 and on all threads, in memory and warm: OR k=10 (also
     query by query), 100 and 1000, AND k=10, counts of OR and AND; medians. Peers get queries that
     are parsed already, as far as they take them; Gannet is timed with its planning and without.
     Queries that find nothing show what is not search. bench/README.md says what is timed of each.

With --columns: documents get columns (uniform keywords and numbers, a date, real sales), and
Gannet, tantivy and Lucene are asked with every query for its ten best within filters and for how
many match within them; tantivy also for values, sums and bins over all its matches, and for the
first ten by a column. Counts have to be the same; so do hits, as far as the peers' scores are.

With --game: the query classes of the Search Benchmark Game. FILE is the queries.txt of
https://github.com/quickwit-oss/search-benchmark-game (an object {"query": ..., "tags": [...]} a
line). Its unions 'a b' and intersections '+a +b' make classes of 2, 3, 4 and 5 or more terms, each
asked by the game's commands TOP_10, TOP_100, TOP_10_COUNT and COUNT, one query at a time on one
thread. Phrases, which Gannet does not have, and all other queries are left out and counted. The
table begins with the rows in which Gannet is slower than a peer. --queries is of each class.

The work folder keeps the environment, texts and indexes: a second run only checks and measures. It
may be interrupted at any time, and run again. Only one run at a time works in a folder.
A collection NAME:40 is NAME cut every 40 words.
"""

EPILOG = """\
data, in the folder of --data:
  NAME/docs.jsonl.zst                       {"id": ..., "contents": ...} a line, in zstd
  NAME/queries.tsv, NAME/qrels.txt          judged collections: id<TAB>text; TREC judgements
  queries/LOG.tsv                           query logs: id<TAB>text
  columns/NAME.i32.zst                      --columns: 32-bit numbers, one a row

examples:
  bench/peers.sh --quick                                       # a few minutes
  GANNET_DATA=~/data bench/peers.sh --json peers.json >peers.md
  bench/peers.sh --collections mine:40 --logs mylog --judged '' --queries 1000
  bench/peers.sh --peers pisa --rounds 5                       # again, PISA alone
  bench/peers.sh --game queries.txt --rounds 5 --json game.json --plot game.svg >game.md
  bench/peers.sh --columns --queries 500 --json columns.json
  bench/peers.sh --columns --queries 5000 --only '*and-*'      # conjunctions alone
  bench/peers.sh --columns --peers lucene --only '*-count-*'  # counts within filters

exit codes: 0 done, 1 the engines disagree (the tables are printed all the same), 2 wrong command
line, 3 malformed data, 4 a file is missing or cannot be written, 6 anything else, 130 interrupted
"""


@dataclasses.dataclass(frozen=True)
class Options:
    """What was asked for."""

    data: Path
    work: Path
    gannet: Path
    collections: list[sources.Collection]
    logs: list[str]
    judged: list[sources.Collection]
    peers: list[str]
    threads: int
    queries: int
    rounds: int
    repeats: int
    settle: int
    rebuild: bool
    columns: bool
    game: Path | None
    only: str
    json: Path | None
    plot: Path | None


#: Seconds after which what Lucene takes changes little, on a machine with nothing else to do.
SETTLED = 12
#: Texts, as they would be given; argparse reads them.
DEFAULTS = {
    "collections": "wikipedia-a,wikipedia-a:40",
    "logs": "terabyte05.efficiency,msmarco-passage.dev-subset",
    "judged": "cranfield,cacm,cisi,med,medquad",
    "peers": ",".join(SYSTEMS),
    "rounds": "3",
    "repeats": "2",
    "settle": "15",
    "queries": "3000",
    "only": "*",
}
QUICK = {
    "collections": "medquad",
    "logs": "terabyte05.efficiency",
    "judged": "cranfield",
    "rounds": "1",
    "settle": str(SETTLED),
}


def names(text: str) -> list[str]:
    """Names with commas between them."""
    return [name for name in text.split(",") if name]


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """A reader of numbers in a range."""

    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"'{text}' is no whole number from {low} to {high}")
        return int(text)

    return read


def collections(text: str) -> list[sources.Collection]:
    """Collections with commas between their names."""
    try:
        return [sources.collection(name) for name in names(text)]
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def logs(text: str) -> list[str]:
    """Query logs with commas between their names."""
    for name in names(text):
        if not re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*", name):
            raise argparse.ArgumentTypeError(
                f"'{name}' is no log's name: that of a file, without .tsv"
            )
    return names(text)


def peers(text: str) -> list[str]:
    """Peers with commas between their names."""
    for name in names(text):
        if name not in SYSTEMS:
            raise argparse.ArgumentTypeError(f"'{name}' is none of {', '.join(SYSTEMS)}")
    return names(text)


#: Options with a value: name, what stands for the value, its reader, help.
VALUES: list[tuple[str, str, Callable[[str], Any], str]] = [
    ("data", "DIR", Path, "the data (GANNET_DATA, else ../shared/data)"),
    ("work", "DIR", Path, "the work folder (build/peers); it takes about 2 GB"),
    ("gannet", "FILE", Path, "the command (that of build/release, cpu or dev)"),
    ("game", "FILE", Path, "the query classes of this file, on the first collection, instead"),
    ("json", "FILE", Path, "write everything that was measured, too"),
    ("plot", "FILE", Path, "draw the rates of all engines, too: SVG, by gnuplot"),
    ("collections", "NAMES", collections, "collections to be timed (%(default)s)"),
    ("logs", "NAMES", logs, "query logs (%(default)s)"),
    ("judged", "NAMES", collections, "judged collections (%(default)s)"),
    ("peers", "NAMES", peers, "(%(default)s)"),
    ("threads", "N", whole_number(1, 1024), "threads, beside 1 (one a core: %(default)s)"),
    (
        "queries",
        "N",
        whole_number(1, 10**7),
        "first usable queries of each log or class (%(default)s)",
    ),
    ("rounds", "N", whole_number(1, 100), "rounds through all engines (%(default)s)"),
    ("only", "PATTERN", str, "--columns: questions whose names match, like '*and-*' (%(default)s)"),
    ("repeats", "N", whole_number(1, 1000), "timed passes over a log in each round (%(default)s)"),
    (
        "settle",
        "N",
        whole_number(0, 1000),
        "seconds of passes before each of Lucene's that is timed, for Java's compiler (%(default)s)",
    ),
]


def make_parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="bench/peers.sh",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    quick = "medquad with the Terabyte log, one round; effectiveness on cranfield"
    parser.add_argument("--quick", action="store_true", help=quick)
    for name, metavar, read, text in VALUES:
        parser.add_argument(f"--{name}", metavar=metavar, type=read, help=text)
    parser.add_argument(
        "--rebuild", action="store_true", help="build indexes again, for their times"
    )
    parser.add_argument(
        "--columns",
        action="store_true",
        help="filters beside tantivy and Lucene, facets, sums and sorting beside tantivy, on the "
        "first collection and log",
    )
    return parser


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0))


def find_gannet(named: Path | None) -> Path | None:
    """The command: the one named, or one that was built."""
    candidates = (
        [named]
        if named
        else [ROOT / "build" / preset / "gannet" for preset in ("release", "cpu", "dev")]
    )
    return next((path.resolve() for path in candidates if shutil.which(path)), None)


def parse(arguments: list[str]) -> Options:
    """The options; prints help or what is wrong, and exits."""
    parser = make_parser()
    parser.set_defaults(**DEFAULTS, threads=str(cores()))
    if "--quick" in arguments:
        parser.set_defaults(**QUICK)
    given = parser.parse_args(arguments)
    if given.columns and given.plot:
        parser.error("--plot: there is no figure of --columns; leave it out")
    if given.columns and given.game:
        parser.error("--columns and --game are comparisons of their own; leave one of them out")
    if given.only != DEFAULTS["only"] and not given.columns:
        parser.error("--only: it chooses among the questions of --columns; say that, too")
    if not questions(1, given.only):
        parser.error(
            f"--only {given.only}: no question's name matches; there are or-no filter, "
            "and-10 % clustered, words-and-facet-k100, all-or-stats-u and the like"
        )
    gannet = find_gannet(given.gannet)
    if gannet is None:
        parser.error(
            f"there is no command gannet at {given.gannet or ROOT / 'build/release/gannet'}; build "
            "it (cmake --preset release && cmake --build --preset release), or name it: --gannet"
        )
    data = given.data or Path(os.environ.get("GANNET_DATA") or ROOT.parent / "shared" / "data")
    work = given.work or ROOT / "build" / "peers"
    if given.columns or given.game:  # asks for no other files than it reads
        given.collections, given.logs = given.collections[:1], given.logs[:1]
        given.judged = []
    if given.game:
        given.logs = []
    values = vars(given) | {"data": data.resolve(), "work": work.resolve(), "gannet": gannet}
    return Options(**{field.name: values[field.name] for field in dataclasses.fields(Options)})
