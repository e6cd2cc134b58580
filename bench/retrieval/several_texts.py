"""Indexes of two and four texts of real documents, in three segments, some documents deleted: runs
of real queries by all scorers, with filters and synonyms, pruned and exhaustive, on both back ends:
the same bytes, or an error."""

import argparse
import itertools
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from retrieval.differential import Differential, variants
from retrieval.errors import FAILED, USAGE, RetrievalError
from retrieval.gannet import Gannet, backends
from retrieval.segments import lines_of

SCORERS = (
    *("bm25", "bm25f", "bm25plus", "tfidf", "dirichlet"),
    *("jelinek-mercer", "pl2", "dph", "impact"),
)
# A document in ten begins with these letters, half have such a length.
FILTERS = ("", "first:(b OR m OR s)", "words:[100 TO 400] OR NOT first:*", "words:>3000")
FIELDS = {
    2: ["title:text:weight=2"],
    4: ["title:text:weight=2", "intro:text", "heads:text:weight=0.5:stemmer=none"],
}
VALUES = ["words:u32", "first:keyword"]
DELETED = 50  # one in so many


def declare(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("--documents", type=Path, nargs="+", required=True, help="docs.jsonl, .zst")
    parser.add_argument("--topics", type=Path, nargs="+", required=True, help="query logs")
    parser.add_argument("--texts", default="2,4", help="numbers of texts: 2, 4")
    parser.add_argument("--scorer", default=",".join(SCORERS))
    parser.add_argument("--limit", type=int, help="only the first so many topics of a log")
    parser.add_argument("--least", type=int, default=0, help="fail if fewer queries are compared")
    parser.add_argument(
        "--combinations",
        type=int,
        default=4,
        help="of mode, k, filter and synonyms, for each scorer others; 32: all of them",
    )
    parser.add_argument(
        "--exhaustive-cpu", action="store_true", help="also where a GPU searches exhaustively"
    )


def is_head(line: str) -> bool:
    """Whether a line looks like the head of a section: `## Notes`, `Early career.`"""
    return line.startswith("#") or (line.endswith(".") and 0 < len(line.split()) <= 5)


def record(line: bytes, texts: int) -> bytes:
    """A document with its title, and of four texts its first paragraph and heads, apart."""
    given = json.loads(line)
    lines = [part.strip() for part in given["contents"].split("\n") if part.strip()]
    made = {"id": given["id"], "words": len(given["contents"].split())}
    title = lines.pop(0).lstrip("# ") if lines else ""
    if title:
        made["title"] = title
    if title[:1].isalpha() and title[:1].isascii():
        made["first"] = title[0].lower()
    if texts == 4:
        heads = [part.lstrip("# ") for part in lines if is_head(part)]
        lines = [part for part in lines if not is_head(part)]
        if lines:
            made["intro"] = lines.pop(0)
        if heads:
            made["heads"] = " ".join(heads)
    made["contents"] = "\n".join(lines)
    return json.dumps(made).encode() + b"\n"


def make_index(gannet: Gannet, documents: Path, texts: int, folder: Path) -> Path:
    """Three segments, of two, three and five tenths of the documents; one in fifty is deleted."""
    records = [record(line, texts) for line in lines_of(documents)]
    index = folder / f"{documents.parent.name}-{documents.name}-{texts}"
    ends = [0, len(records) // 5, len(records) // 2, len(records)]
    for begin, end in itertools.pairwise(ends):
        part = folder / "part.jsonl"
        part.write_bytes(b"".join(records[begin:end]))
        where = ["--index", str(index), "--no-merge"]
        if begin == 0:
            fields = [w for field in FIELDS[texts] + VALUES for w in ("--field", field)]
            where = ["--output", str(index), *fields]
        gannet.call(
            *("index" if begin == 0 else "add", "--input", str(part), "--format", "jsonl"),
            *(*where, "--quiet"),
        )
        part.unlink()
    gone = folder / "gone.txt"
    gone.write_text("".join(json.loads(line)["id"] + "\n" for line in records[7::DELETED]))
    gannet.call("delete", str(index), "--ids", str(gone))
    made = gannet.json("inspect", str(index))
    if len(made["segments"]) != 3 or made["deleted_documents"] == 0:
        raise RetrievalError(FAILED, f"{index}: has not three segments with deletions")
    return index


def write_synonyms(topics: Path, path: Path) -> Path:
    """Words of the log, two each for one another."""
    words: dict[str, None] = {}
    with topics.open(encoding="utf-8", errors="replace") as log:
        for line in log:
            words.update((word, None) for word in line.split("\t")[-1].split() if word.isalnum())
            if len(words) >= 4000:
                break
    chosen = list(words)
    path.write_text("".join(f"{a}, {b}\n" for a, b in zip(chosen[::2], chosen[1::2])))
    return path


def settings(options: argparse.Namespace, synonyms: Path) -> Iterator[list[str]]:
    """Options of `gannet run`."""
    combinations = list(
        itertools.product(("or", "and"), ("10", "1000"), FILTERS, (None, synonyms))
    )
    for number, scorer in enumerate(options.scorer.split(",")):
        for i in range(min(options.combinations, len(combinations))):
            # Both factors are odd, so that 32 steps meet each of the 32 combinations.
            place = (7 * number + 11 * i) % len(combinations)
            mode, k, condition, words = combinations[place]
            setting = ["--scorer", scorer, "--mode", mode, "--k", k]
            setting += ["--filter", condition] if condition else []
            yield setting + (["--synonyms", str(words)] if words else [])


def main(options: argparse.Namespace) -> int:
    """The command."""
    gannet = Gannet()
    numbers = [int(number) for number in options.texts.split(",")]
    if any(number not in FIELDS for number in numbers):
        raise RetrievalError(USAGE, "--texts: 2 and 4 are known")
    with tempfile.TemporaryDirectory(prefix="gannet-texts-") as name:
        folder = Path(name)
        differential = Differential(options, gannet, folder)
        for documents, texts in itertools.product(options.documents, numbers):
            index = make_index(gannet, documents, texts, folder)
            for topics in options.topics:
                chosen = variants(backends(gannet, index, topics), options.exhaustive_cpu)
                synonyms = write_synonyms(topics, folder / "synonyms.txt")
                for setting in settings(options, synonyms):
                    differential.compare(index, topics, setting, chosen)
        return differential.verdict()
