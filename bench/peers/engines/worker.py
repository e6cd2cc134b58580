"""What runs in the peers' environment: python -m peers.engines.worker JOB.json ANSWER.json

A job is an object whose "do" names one of the functions below; the answer is what that returns.
"""

import contextlib
import dataclasses
import importlib.metadata
import json
import os
import sys
from pathlib import Path
from typing import Any

from peers import systems
from peers.engines import columns_work, game_work, lucene
from peers.engines.base import Setting, read_pairs
from peers.engines.pool import WARM_UP, Plan, Pool, load_engine
from peers.errors import PeersError
from peers.text import cut, postings

#: Their versions are part of every report.
PACKAGES = [system.package for system in systems.SYSTEMS.values()] + ["numba", "numpy"]
RUN_TAG = "peer"

Job = dict[str, Any]


def do_versions(job: Job) -> dict[str, str]:
    """Versions of the packages that are there, and of what is no package."""
    found = {}
    for package in PACKAGES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[package] = importlib.metadata.version(package)
    return found | (lucene.versions() if lucene.FOLDER in os.environ else {})


def do_cut(job: Job) -> int:
    """Cuts documents into passages."""
    return cut.cut(Path(job["source"]), job["words"], Path(job["output"]))


def size(path: Path) -> int:
    """Bytes of a file, or of all files in a folder."""
    return (
        sum(file.stat().st_size for file in path.rglob("*"))
        if path.is_dir()
        else path.stat().st_size
    )


def do_build(job: Job) -> int:
    """Builds an index; bytes that serving it takes."""
    parts = load_engine(job["engine"]).build(
        Path(job["documents"]), Path(job["index"]), job["threads"]
    )
    return sum(size(part) for part in parts)


def do_statistics(job: Job) -> dict[str, Any]:
    """Statistics of an index."""
    words = postings.read_lines(Path(job["words"]))
    return dataclasses.asdict(load_engine(job["engine"]).statistics(Path(job["index"]), words))


def do_runs(job: Job) -> list[dict[str, Any]]:
    """Writes a run file for each of the job's runs, for each algorithm."""
    engine = load_engine(job["engine"])(Path(job["index"]), Path(job["documents"]))
    written = []
    for number, run in enumerate(job["runs"]):
        topics = list(read_pairs(Path(run["topics"])))
        for algorithm in engine.algorithms(run["mode"]):
            setting = Setting(run["mode"], run["k"], algorithm)
            output = Path(job["folder"]) / f"{number}-{algorithm.replace(' ', '-')}.run"
            answers = engine.answers(setting, [text for _, text in topics])
            write_run(output, [name for name, _ in topics], answers)
            written.append({**run, "algorithm": algorithm, "run": str(output)})
    return written


def do_counts(job: Job) -> list[list[int]]:
    """Counts of matches for each of the job's logs, in their modes, told beside k hits."""
    engine = load_engine(job["engine"])(Path(job["index"]), Path(job["documents"]))
    counts = []
    for run in job["runs"]:
        queries = [text for _, text in read_pairs(Path(run["topics"]))]
        counts.append(list(engine.counts(run["mode"], queries, run["k"])))
    return counts


def write_run(output: Path, names: list[str], answers: Any) -> None:
    """Writes hits as a TREC run file."""
    with output.open("w", encoding="utf-8", newline="\n") as file:
        for name, hits in zip(names, answers, strict=True):
            for rank, (document, score) in enumerate(hits, start=1):
                file.write(f"{name} Q0 {document} {rank} {score:.9g} {RUN_TAG}\n")


def do_measure(job: Job) -> list[dict[str, Any]]:
    """Times passes over a log, after a warm-up, for each mode, k and algorithm."""
    engine = load_engine(job["engine"])
    processes = job["threads"] if engine.by_processes else 1
    warm_up = job["settle"] if engine.compiles else WARM_UP
    plan = Plan(
        job["engine"],
        Path(job["index"]),
        Path(job["documents"]),
        Path(job["log"]),
        job["threads"] // processes,
        pinned=not engine.compiles,
    )
    pool = Pool(plan, processes)
    rows = []
    for task in job["tasks"]:
        for algorithm in engine.algorithms(task["mode"]):
            setting = Setting(task["mode"], task["k"], algorithm, task["single"])
            pool.warm_up(setting, warm_up)
            samples = [dataclasses.asdict(pool.sample(setting)) for _ in range(job["repeats"])]
            rows.append({**dataclasses.asdict(setting), "samples": samples})
    pool.close()
    return rows


WORK = {
    "versions": do_versions,
    "cut": do_cut,
    "build": do_build,
    "statistics": do_statistics,
    "runs": do_runs,
    "counts": do_counts,
    "measure": do_measure,
    "rows": columns_work.do_rows,
    "build-columns": columns_work.do_build,
    "answer-columns": columns_work.do_answers,
    "measure-columns": columns_work.do_measure,
    "measure-game": game_work.do_measure,
}


def main() -> int:
    """Does a job."""
    ask, answer = (Path(argument) for argument in sys.argv[1:])
    job = json.loads(ask.read_text())
    try:
        result = WORK[job["do"]](job)
    except PeersError as error:
        print(error, file=sys.stderr)
        return error.code
    answer.write_text(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
