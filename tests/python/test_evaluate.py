"""Scoring runs without another package, and queries of terms and weights."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import gannet
import pytest

QRELS = {"a": {"sun": 2, "coal": 0, "sea": 1}, "b": {"coal": 1}, "c": {"wind": 1}}


def command_says(command: str, qrels: Path, run: Path, *more: str) -> dict[str, Any]:
    words = [command, "eval", "--qrels", qrels, "--run", run, "--per-query", "--json", *more]
    said = subprocess.run(words, capture_output=True, text=True, check=True)
    made: dict[str, Any] = json.loads(said.stdout)
    return made


@pytest.fixture
def files(index: gannet.Index, tmp_path: Path) -> tuple[gannet.Run, Path, Path]:
    run = index.run({"a": "power", "b": "sun coal", "d": "sea"})
    run.save(tmp_path / "a.run")
    lines = [f"{q} 0 {d} {grade}\n" for q, judged in QRELS.items() for d, grade in judged.items()]
    (tmp_path / "qrels").write_text("".join(lines))
    return run, tmp_path / "a.run", tmp_path / "qrels"


@pytest.mark.parametrize("options", [{}, {"complete": True}, {"ties": "rank"}], ids=str)
def test_as_the_command(
    files: tuple[gannet.Run, Path, Path], command: str, options: dict[str, Any]
) -> None:
    run, run_file, qrels_file = files
    words = {"complete": ["--complete"], "ties": ["--ties", "rank"]}
    more = [word for name in options for word in words[name]]
    wanted = command_says(command, qrels_file, run_file, *more)
    for qrels, ranked in ((QRELS, run), (qrels_file, run_file), (str(qrels_file), run)):
        made = gannet.evaluate(qrels, ranked, **options)
        assert made["mean"] == pytest.approx(wanted["mean"], abs=0)
        assert made["topics_not_in_run"] == wanted["topics_not_in_run"] == 1
        assert made["topics_not_judged"] == wanted["topics_not_judged"] == 1
        for row in wanted["per_query"]:
            mine = made["per_query"][row["query"]]
            assert {name: mine[name] for name in row["measures"]} == row["measures"]
            assert mine["relevant"] == row["relevant"]


def test_a_run_in_a_dict() -> None:
    made = gannet.evaluate(QRELS, {"a": {"coal": 1.0, "sun": 3.0}, "c": {"wind": 0.5}})
    assert made["mean"]["reciprocal_rank"] == 1 and made["per_query"]["a"]["recall@5"] == 0.5
    for qrels, run, kind, message in (
        (QRELS, {"x": {"sun": 1.0}}, gannet.InputError, "in common"),
        ("nothing", {}, gannet.IoError, "nothing"),
    ):
        with pytest.raises(kind, match=message):
            gannet.evaluate(qrels, run)
    with pytest.raises(gannet.UsageError, match="ties: .*did you mean 'rank'"):
        gannet.evaluate(QRELS, {"a": {"sun": 1.0}}, ties="rnak")


def test_runs_by_a_field_are_scored_by_their_ranks(index: gannet.Index) -> None:
    run = index.run({"a": "power"}, sort="year:desc")
    first = run.ids.tolist()[0]
    assert gannet.evaluate({"a": {first: 1}}, run)["mean"]["reciprocal_rank"] == 1


def test_queries_of_terms_and_weights(tmp_path: Path, command: str) -> None:
    documents = [
        {"id": "x", "vector": {"solar": 2, "power": 1}},
        {"id": "y", "vector": {"power": 3}},
    ]
    index = gannet.Index.from_documents(documents, tmp_path / "idx", backend="cpu")
    topics = {"1": {"solar": 2.0, "power": 0.5}, "2": {"power": 1.0}}
    file = tmp_path / "topics.jsonl"
    rows = [json.dumps({"id": topic, "vector": terms}) for topic, terms in topics.items()]
    file.write_text("\n".join(rows) + "\n")
    run = index.run(topics)
    assert run.ids.tolist() == ["x", "y", "y", "x"] and run.scores.tolist()[0] == 4.5
    assert index.run(file).scores.tolist() == run.scores.tolist()
    assert index.search_batch(topics["1"]).docids.tolist() == [0, 1]
    run.save(tmp_path / "python.run")
    words = ["run", tmp_path / "idx", "--topics", file, "--output", tmp_path / "command.run"]
    subprocess.run([command, *words, "--quiet"], check=True, capture_output=True)
    assert (tmp_path / "python.run").read_bytes() == (tmp_path / "command.run").read_bytes()
    with pytest.raises(gannet.UsageError, match="weight"):
        index.search_batch([{"a": -1}])
    with pytest.raises(TypeError, match=r"queries\[0\]\['a'\] takes number, not str: 'x'"):
        index.search_batch([{"a": "x"}])  # type: ignore[dict-item]
    with pytest.raises(TypeError, match=r"queries\[0\] takes str or"):
        index.search_batch([7])  # type: ignore[list-item]


def test_without_a_common_topic_there_are_no_numbers(
    index: gannet.Index, tmp_path: Path, command: str
) -> None:
    run = index.run({"q1": "sun"})
    why = "have no topic in common: the run begins with topic 'q1', the judgements begin with topic '7'"
    with pytest.raises(gannet.InputError, match=f"the run and the judgements {why}"):
        gannet.evaluate({"7": {"sun": 1}}, run)
    pytest.importorskip("ir_measures")
    with pytest.raises(gannet.InputError, match=why):
        run.evaluate({"7": {"sun": 1}})
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("7 0 sun 1\n")
    with pytest.raises(gannet.InputError, match=why):
        run.evaluate(qrels)
    run.save(tmp_path / "a.run")
    words = [command, "eval", "--qrels", str(qrels), "--run", str(tmp_path / "a.run")]
    told = subprocess.run(words, capture_output=True, text=True)
    assert told.returncode == 3 and why in told.stderr
    with pytest.raises(TypeError, match="qrels takes a path"):
        run.evaluate(7)
    # A topic that was asked and found nothing is common to both.
    assert index.run({"7": "nowhere"}).evaluate({"7": {"sun": 1}}) == {
        "AP": 0.0,
        "nDCG@10": 0.0,
        "P@10": 0.0,
    }


def test_runs_are_looked_up_by_topics(index: gannet.Index) -> None:
    run = index.run({"a": "sun", "b": "nowhere", "c": "tidal"})
    assert len(run) == 3 and "a" in run and "z" not in run and 0 not in run
    assert run["a"][0].tolist() == run[0][0].tolist() == index.search("sun").docids.tolist()
    assert [one[0].tolist() for one in run] == [run[topic][0].tolist() for topic in run.topics]
    with pytest.raises(KeyError, match="'z'"):
        run["z"]
    with pytest.raises(IndexError):
        run[3]
    made = run.to_dict()
    assert list(made) == ["a", "b", "c"] and made["b"] == {}
    assert list(made["a"]) == index.search("sun").ids
    assert list(made["a"].values()) == run["a"][1].tolist()
    ranks = list(index.run({"a": "*:*"}, sort="year:desc", operators=True).to_dict()["a"].values())
    assert ranks == sorted(ranks, reverse=True)
    evaluator = pytest.importorskip("pytrec_eval").RelevanceEvaluator({"a": {"sun": 1}}, {"map"})
    assert evaluator.evaluate(made)["a"]["map"] == 0.5


def test_files_are_not_replaced_unasked(index: gannet.Index, tmp_path: Path) -> None:
    run, other = index.run({"a": "sun"}), index.run({"a": "tidal"})
    path = tmp_path / "a.run"
    run.save(path)
    before = path.read_bytes()
    with pytest.raises(FileExistsError, match="there is a file already; pass overwrite=True"):
        other.save(path)
    assert path.read_bytes() == before
    other.save(path, overwrite=True)
    assert path.read_bytes() != before
    column = tmp_path / "a.column"
    gannet.to_file([1, 2], column)
    with pytest.raises(gannet.ExistsError, match="there is a file already"):
        gannet.to_file([3], column)
    assert gannet.from_file(column)[:].tolist() == [1, 2]
    gannet.to_file([3], column, overwrite=True)
    assert gannet.from_file(column)[:].tolist() == [3]
    with pytest.raises(FileExistsError, match="there is an index already; pass overwrite=True"):
        gannet.Index.build(["a"], index.path or "")
    for format, there in (("ciff", "x"), ("ds2i", "x.freqs")):
        (tmp_path / there).write_text("mine")
        with pytest.raises(FileExistsError, match="there is a file already"):
            gannet.export(index, tmp_path / "x", format)
        assert (tmp_path / there).read_text() == "mine"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.column", "a.run", "x", "x.freqs"]
