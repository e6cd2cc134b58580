"""`gannet eval` beside pytrec_eval, on thousands of random run files: the same bits."""

from __future__ import annotations

import json
import os
import random
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

pytrec_eval = pytest.importorskip(
    "pytrec_eval",
    reason="pytrec_eval is not installed (pip install pytrec-eval-terrier): trec_eval is not compared with",
)

# tools/nightly.sh compares 5,000; each takes a process of the command.
RUNS = int(os.environ.get("GANNET_RANDOM_RUNS", "500"))
CUTOFFS = (5, 10, 20, 100, 1000)
NAMES = {
    "map": "map",
    "recip_rank": "reciprocal_rank",
    "bpref": "bpref",
    "num_ret": "retrieved",
    "num_rel": "relevant",
    "num_rel_ret": "relevant_retrieved",
    **{f"P_{k}": f"p@{k}" for k in CUTOFFS},
    **{f"recall_{k}": f"recall@{k}" for k in CUTOFFS},
    **{f"ndcg_cut_{k}": f"ndcg@{k}" for k in CUTOFFS},
}
COUNTS = ("retrieved", "relevant", "relevant_retrieved")

Judgements = dict[str, dict[str, int]]
Scores = dict[str, dict[str, float]]


def random_score(choice: random.Random) -> float:
    """Scores of few values, neighbours that are one float but two doubles, tiny and huge ones."""
    kind = choice.randrange(6)
    if kind == 0:
        return float(choice.randrange(4))
    if kind == 1:
        return 1 + choice.randrange(8) * 2.0**-26
    if kind == 2:
        return choice.choice((-1, 1)) * 10.0 ** choice.randrange(-60, 60)
    if kind == 3:
        return -choice.random()
    return round(choice.random(), choice.randrange(1, 12))


def random_id(choice: random.Random, number: int) -> str:
    return choice.choice(("d{}", "D-{:05}", "é{}", "{}", "x%20{}")).format(number)


def random_case(seed: int) -> tuple[Judgements, Scores]:
    """Judgements and a run that have at least one topic in common."""
    choice = random.Random(seed)
    qrels: Judgements = {}
    run: Scores = {}
    known = [f"{prefix}{n}" for n in range(1, 12) for prefix in ("", "q")]
    for topic in choice.sample(known, choice.randrange(1, 10)):
        documents = [random_id(choice, n) for n in range(choice.choice((1, 5, 30, 300)))]
        grades = choice.choice(((0, 1), (-1, 0, 1), (0, 1, 2, 3, 7), (0,), (-2, 0), (1,)))
        judged = {d: choice.choice(grades) for d in documents if choice.random() < 0.6}
        found = {d: random_score(choice) for d in documents if choice.random() < 0.7}
        unknown = {f"u{n}": random_score(choice) for n in range(choice.randrange(4))}
        if max(judged.values(), default=0) < 0:
            judged["z"] = (
                0  # of topics with grades below 0 alone, trec_eval reads memory that it does not own
            )
        if judged and (not qrels or choice.random() < 0.85):
            qrels[topic] = judged
        if not run or choice.random() < 0.85:
            run[topic] = {**found, **unknown} or {"u": 1.0}
    shared = choice.choice(known)
    qrels.setdefault(shared, {"a": 1, "b": 0})
    run.setdefault(shared, {"b": 2.0, "a": 2.0})
    return qrels, run


def write_case(folder: Path, qrels: Judgements, run: Scores, seed: int) -> None:
    """Lines in any order, with ranks that say nothing."""
    choice = random.Random(-seed)
    judged = [f"{t} 0 {d} {g}\n" for t, grades in qrels.items() for d, g in grades.items()]
    found = []
    for topic, scores in run.items():
        for document, score in scores.items():
            rank = choice.choice(("0", "-1", "1", "x", "99999999999999999999", "1.5", "nan"))
            score_text = choice.choice((repr(score), f"{score:.17e}", f"{score:+.20g}"))
            tag = choice.choice(("t", "a-tag"))
            found.append(f"{topic}\tQ0 {document} {rank}  {score_text} {tag}\n")
    choice.shuffle(judged)
    choice.shuffle(found)
    (folder / "qrels").write_text("".join(judged), encoding="utf-8")
    (folder / "run").write_text("".join(found), encoding="utf-8")


def evaluated(command: str, folder: Path, *more: str) -> dict[str, Any]:
    words = [command, "eval", "--qrels", str(folder / "qrels"), "--run", str(folder / "run")]
    done = subprocess.run(
        [*words, "--json", "--per-query", *more], capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    value: dict[str, Any] = json.loads(done.stdout)
    assert (done.returncode == 1) == all(row["relevant"] == 0 for row in value["per_query"])
    return value


def expected_rows(qrels: Judgements, run: Scores) -> dict[str, dict[str, float]]:
    cuts = ",".join(map(str, CUTOFFS))
    measures = {"map", "recip_rank", "bpref", "num_ret", "num_rel", "num_rel_ret"}
    measures |= {f"P.{cuts}", f"recall.{cuts}", f"ndcg_cut.{cuts}"}
    rows: dict[str, dict[str, float]] = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(
        run
    )
    return rows


def mean_of(rows: dict[str, dict[str, float]], measure: str, count: int) -> float:
    """As trec_eval adds up: topics by id, byte by byte, then one division."""
    total = 0.0
    for topic in sorted(rows, key=lambda t: t.encode()):
        total += rows[topic][measure]
    return total / count


def check_case(command: str, folder: Path, seed: int) -> None:
    folder.mkdir()
    qrels, run = random_case(seed)
    write_case(folder, qrels, run, seed)
    rows = expected_rows(qrels, run)
    made = evaluated(command, folder)
    ours = {row["query"]: {**row["measures"], **row} for row in made["per_query"]}
    assert list(ours) == sorted(rows, key=lambda t: t.encode()), seed
    for topic, row in rows.items():
        for theirs, name in NAMES.items():
            assert ours[topic][name] == row[theirs], (seed, topic, name)
    assert made["topics_not_in_run"] == len(qrels.keys() - run.keys()), seed
    assert made["topics_not_judged"] == len(run.keys() - qrels.keys()), seed
    complete = evaluated(command, folder, "--complete")
    for theirs, name in NAMES.items():
        if name not in COUNTS:
            assert made["mean"][name] == mean_of(rows, theirs, len(rows)), (seed, name)
            assert complete["mean"][name] == mean_of(rows, theirs, len(qrels)), (seed, name)


def test_random_runs_have_the_numbers_of_trec_eval(command: str, tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        checks = [pool.submit(check_case, command, tmp_path / str(n), n) for n in range(RUNS)]
        for check in checks:
            check.result()


def test_that_the_cases_are_as_odd_as_they_should_be() -> None:
    """Of scores that are one float and two doubles, negative grades, and topics of one file alone."""
    import numpy as np

    cases = [random_case(seed) for seed in range(300)]
    lists = [list(found.values()) for _, run in cases for found in run.values()]
    with np.errstate(over="ignore"):
        floats = [{float(np.float32(score)) for score in scores} for scores in lists]
    near = [len(set(scores)) > len(kept) for scores, kept in zip(lists, floats)]
    assert sum(near) > 100
    assert sum(min(g.values()) < 0 for qrels, _ in cases for g in qrels.values()) > 50
    assert sum(max(g.values()) <= 0 for qrels, _ in cases for g in qrels.values()) > 50
    assert sum(bool(qrels.keys() - run.keys()) for qrels, run in cases) > 50
    assert sum(bool(run.keys() - qrels.keys()) for qrels, run in cases) > 50
