"""Adapters, against the real packages."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import gannet
import pytest
from conftest import TINY


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> gannet.Index:
    return gannet.Index.build(
        TINY / "docs.jsonl", tmp_path_factory.mktemp("tiny") / "idx", backend="cpu"
    )


def judgements() -> dict[str, dict[str, int]]:
    qrels: dict[str, dict[str, int]] = {}
    for line in (TINY / "qrels.txt").read_text().splitlines():
        topic, _, document, grade = line.split()
        qrels.setdefault(topic, {})[document] = int(grade)
    return qrels


def test_evaluation(tiny: gannet.Index) -> None:
    ir_measures = pytest.importorskip("ir_measures")
    run = tiny.run(TINY / "topics.tsv")
    made = run.evaluate(TINY / "qrels.txt", ["AP", "nDCG@10", ir_measures.P @ 5])
    assert list(made) == ["AP", "nDCG@10", "P@5"]
    # P@5 by hand, over the topics that are judged.
    qrels = judgements()
    found = {}
    for i, topic in enumerate(run.topics):
        begin, end = int(run.offsets[i]), int(run.offsets[i + 1])
        found[topic] = run.ids[begin:end].tolist()[:5]
    precision = [
        sum(judged.get(name, 0) > 0 for name in found.get(topic, [])) / 5
        for topic, judged in qrels.items()
    ]
    assert made["P@5"] == pytest.approx(sum(precision) / len(precision))
    assert made["P@5"] > 0
    assert tiny.evaluate(TINY / "topics.tsv", qrels, ["AP"]) == {"AP": made["AP"]}


def test_ir_datasets(tmp_path: Path) -> None:
    ir_datasets = pytest.importorskip("ir_datasets")
    pytest.importorskip("ir_measures")
    from gannet import datasets

    (tmp_path / "docs.tsv").write_text("d1\tsolar power\nd2\twind power\nd3\tcoal\n")
    (tmp_path / "queries.tsv").write_text("q1\tsolar\nq2\twind power\n")
    (tmp_path / "qrels").write_text("q1 0 d1 1\nq2 0 d2 1\nq2 0 d1 0\n")
    data_set = ir_datasets.create_dataset(
        docs_tsv=str(tmp_path / "docs.tsv"),
        queries_tsv=str(tmp_path / "queries.tsv"),
        qrels_trec=str(tmp_path / "qrels"),
    )
    index = datasets.build(data_set, tmp_path / "idx")
    assert len(index) == 3 and index.search("wind").ids == ["d2"]
    assert datasets.evaluate(index, data_set, ["RR", "P@1"]) == {"RR": 1.0, "P@1": 1.0}
    assert index.run(data_set).topics == ["q1", "q2"]
    assert index.run(data_set.queries_iter()).topics == ["q1", "q2"]


def test_pyterrier(tmp_path: Path) -> None:
    pyterrier = pytest.importorskip(
        "pyterrier", reason="PyTerrier is not installed: pip install python-terrier"
    )
    import pandas
    from gannet import pt

    documents = [
        {"docno": "d1", "text": "solar power", "title": "sun"},
        {"docno": "d2", "text": "wind power", "title": "air"},
    ]
    index = pt.Indexer(tmp_path / "idx", text_attrs=["text", "title"]).index(documents)
    retriever = pt.Retriever(index, k=10)
    assert isinstance(retriever, pyterrier.Transformer)
    assert retriever.search("sun")["docno"].tolist() == ["d1"]
    queries = pandas.DataFrame(
        [["b", "power", 7], ["a", "wind", 8], ["c", "zebra", 9]], columns=["qid", "query", "extra"]
    )
    made = retriever(queries)
    assert made["qid"].tolist() == ["b", "b", "a"] and made["extra"].tolist() == [7, 7, 8]
    assert made.groupby("qid")["rank"].min().tolist() == [0, 0]
    assert (retriever % 1)(queries)["qid"].tolist() == ["b", "a"]
    other = pt.Retriever(tmp_path / "idx", k=1, scorer="dph")
    fused = retriever + other
    assert set(fused(queries)["qid"]) == {"a", "b"}
    with pytest.raises(gannet.UsageError, match="qid and query"):
        retriever.transform(pandas.DataFrame({"query": ["x"]}))
    if shutil.which("java") is None:
        pytest.skip(
            "Retriever and Indexer passed; there is no Java for PyTerrier's own experiments"
        )


def test_pyterrier_experiment(tiny: gannet.Index) -> None:
    """PyTerrier's experiments over a retriever, beside our own evaluation."""
    pyterrier = pytest.importorskip(
        "pyterrier", reason="PyTerrier is not installed: pip install python-terrier"
    )
    pytest.importorskip("ir_measures")
    import pandas
    from gannet import pt

    rows: list[list[Any]] = [
        line.split("\t", 1) for line in (TINY / "topics.tsv").read_text().splitlines()
    ]
    topics = pandas.DataFrame(rows, columns=["qid", "query"])
    qrels = pandas.DataFrame(
        [[t, d, g] for t, judged in judgements().items() for d, g in judged.items()],
        columns=["qid", "docno", "label"],
    )
    table = pyterrier.Experiment([pt.Retriever(tiny)], topics, qrels, ["map"])
    assert table["map"].iloc[0] == pytest.approx(
        tiny.evaluate(TINY / "topics.tsv", judgements(), ["AP"])["AP"]
    )
