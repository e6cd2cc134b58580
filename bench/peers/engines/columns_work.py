"""What worker.py does with tantivy's columns. A job's "count" is the number of documents."""

import dataclasses
from pathlib import Path
from typing import Any

from peers.columns import real_columns, rows
from peers.columns.questions import questions
from peers.engines.base import read_pairs
from peers.engines.pool import Plan, Pool, load_engine

ENGINE = "tantivy_columns"
Job = dict[str, Any]


def do_rows(job: Job) -> None:
    """Writes the rows of the documents."""
    real = real_columns.read_columns(Path(job["data"]))
    rows.write_rows(job["documents"], real, Path(job["output"]))


def do_build(job: Job) -> None:
    """Builds the index."""
    load_engine(ENGINE).build(Path(job["documents"]), Path(job["rows"]), Path(job["index"]))


def do_answers(job: Job) -> list[list[dict[str, Any]]]:
    """The answers to all questions, for the queries of their logs."""
    engine = load_engine(ENGINE)(Path(job["index"]), Path(job["documents"]))
    logs = {
        name: [text for _, text in read_pairs(Path(path))] for name, path in job["logs"].items()
    }
    return [
        list(engine.answers(question, logs[question.log])) for question in questions(job["count"], job["only"])
    ]


def do_measure(job: Job) -> list[list[dict[str, Any]]]:
    """Times passes over the logs, after a warm-up, for every question."""
    index, documents = Path(job["index"]), Path(job["documents"])
    pools = {
        name: Pool(Plan(ENGINE, index, documents, Path(path), threads=1), job["threads"])
        for name, path in job["logs"].items()
    }
    samples = []
    for question in questions(job["count"], job["only"]):
        pool = pools[question.log]
        pool.warm_up(question)
        samples.append([dataclasses.asdict(pool.sample(question)) for _ in range(job["repeats"])])
    for pool in pools.values():
        pool.close()
    return samples
