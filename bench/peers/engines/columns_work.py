"""What worker.py does with peers' columns. A job's "count" is the number of documents."""

import dataclasses
from pathlib import Path
from typing import Any

from peers.columns import real_columns, rows
from peers.columns.questions import Question, asked_of, questions
from peers.engines.base import read_pairs
from peers.engines.pool import WARM_UP, Plan, Pool, load_engine

Job = dict[str, Any]


def module(job: Job) -> str:
    """That of the job's engine."""
    return f"{job['engine']}_columns"


def asked(job: Job) -> list[Question]:
    """What the job's engine is asked."""
    return asked_of(job["engine"], questions(job["count"], job["only"]))


def do_rows(job: Job) -> None:
    """Writes the rows of the documents."""
    real = real_columns.read_columns(Path(job["data"]))
    rows.write_rows(job["documents"], real, Path(job["output"]))


def do_build(job: Job) -> None:
    """Builds the index."""
    load_engine(module(job)).build(Path(job["documents"]), Path(job["rows"]), Path(job["index"]))


def do_answers(job: Job) -> list[list[dict[str, Any]]]:
    """The answers to all questions, for the queries of their logs."""
    engine = load_engine(module(job))(Path(job["index"]), Path(job["documents"]))
    logs = {
        name: [text for _, text in read_pairs(Path(path))] for name, path in job["logs"].items()
    }
    return [list(engine.answers(one, logs[one.log])) for one in asked(job)]


def do_measure(job: Job) -> list[list[dict[str, Any]]]:
    """Times passes over the logs, after a warm-up, for every question."""
    engine = load_engine(module(job))
    processes = job["threads"] if engine.by_processes else 1
    pools = {
        name: Pool(
            Plan(
                module(job),
                Path(job["index"]),
                Path(job["documents"]),
                Path(path),
                job["threads"] // processes,
                pinned=not engine.compiles,
            ),
            processes,
        )
        for name, path in job["logs"].items()
        if any(one.log == name for one in asked(job))
    }
    samples = []
    for question in asked(job):
        pool = pools[question.log]
        pool.warm_up(question, job["settle"] if engine.compiles else WARM_UP)
        samples.append([dataclasses.asdict(pool.sample(question)) for _ in range(job["repeats"])])
    for pool in pools.values():
        pool.close()
    return samples
