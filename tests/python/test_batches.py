"""Batches with fields, sort, facets and groups: what single searches give, as arrays."""

from __future__ import annotations

from typing import Any

import gannet
import numpy as np
import pytest

QUERIES = ["solar power", "coal", "no such words", "power", "sun sea"]
COLUMNS: list[dict[str, Any]] = [
    {},
    {"total": True},
    {"sort": "year:desc"},
    {"sort": "score,price"},
    {"facets": ["tag:2", "year"], "histograms": ["year:10"], "stats": ["price", "year"]},
    {"filter": "year:2004", "facets": "tag"},
]


@pytest.mark.parametrize("asked", COLUMNS, ids=str)
@pytest.mark.parametrize("k", [0, 1, 10])
def test_a_batch_is_its_queries(index: gannet.Index, asked: dict[str, Any], k: int) -> None:
    batch = index.search_batch(QUERIES, k, operators=True, fields="year,tag,price", **asked)
    for i, query in enumerate(QUERIES):
        hits = index.search(query, k, fields="year,tag,price", **asked)
        docids, scores = batch[i]
        assert docids.tolist() == hits.docids.tolist()
        if hits.scores is None:
            assert np.isnan(scores).all()
        else:
            assert scores.tobytes() == hits.scores.tobytes()
        if batch.totals is not None:
            assert batch.totals[i] == hits.total
        for name, of in (("facets", "values"), ("histograms", "bins")):
            for field, counted in getattr(hits, name).items():
                made = getattr(batch, name)[field]
                part = slice(int(made.offsets[i]), int(made.offsets[i + 1]))
                rows = dict(zip(made.values[part].tolist(), made.counts[part].tolist()))
                assert rows == counted[of] and made.missing[i] == counted["missing"]
                assert made.others is None or made.others[i] == counted["others"]
        for field, summary in hits.stats.items():
            assert batch.stats[field][i] == summary
    assert (batch.totals is None) == (asked == {})


def test_fields_are_arrays_beside_the_hits(index: gannet.Index) -> None:
    batch = index.search_batch(["*:*", "sea"], operators=True, fields=["year", "tag", "price"])
    year, tag, price = (batch.fields[name] for name in ("year", "tag", "price"))
    assert year.values.dtype == np.int64 and price.values.dtype == np.float64
    assert len(year) == len(tag) == len(price) == len(batch.docids) == 5
    assert year.offsets is None and year.valid is not None and tag.offsets is not None
    for i, values in enumerate(index.field_values(["year", "tag", "price"], batch.docids)):
        assert values["year"] == (year.values[i] if year.valid[i] else None)
        assert values["price"] == (price.values[i] if price.valid[i] else None)  # type: ignore[index]
        assert values["tag"] == tag.values[tag.offsets[i] : tag.offsets[i + 1]].tolist()
    rows = index.field_values(["year", "tag", "price"], batch.docids)
    for name, array in batch.fields.items():
        assert array.tolist() == [row[name] for row in rows]
    assert np.asarray(year) is year.values and "5 hits" in repr(year)
    assert index.search_batch(["sea"]).fields == {}
    with pytest.raises(gannet.UsageError, match="fields"):
        index.search_batch(["sea"], fields="yaer")


def test_groups_are_arrays(index: gannet.Index) -> None:
    batch = index.search_batch(QUERIES, group="tag:2", operators=True)
    assert batch.groups is not None and len(batch.docids) == 0
    groups = batch.groups
    for i, query in enumerate(QUERIES):
        first, last = int(groups.offsets[i]), int(groups.offsets[i + 1])
        wanted = index.search(query, group="tag:2").groups
        assert groups.values[first:last].tolist() == [group.value for group in wanted]
        assert groups.counts[first:last].tolist() == [group.count for group in wanted]
        for g, group in zip(range(first, last), wanted):
            part = slice(int(groups.hit_offsets[g]), int(groups.hit_offsets[g + 1]))
            assert groups.docids[part].tolist() == group.hits.docids.tolist()
            assert groups.scores[part].tolist() == group.hits.scores.tolist()  # type: ignore[union-attr]


def test_types_of_values(tmp_path: Any) -> None:
    schema = {
        "u": "u64",
        "i": "i64",
        "t": "bool",
        "d": "date",
        "c": "decimal(2)",
        "many": "i32:multi",
    }
    row = {"u": 2**64 - 2, "i": -5, "t": True, "d": "2024-02-29", "c": "1.50", "many": [3, 1]}
    documents = [{"contents": "x", **row}, {"contents": "x"}]
    index = gannet.Index.from_documents(documents, schema=schema, folder=tmp_path)
    fields = index.search_batch(["x"], fields=list(schema)).fields
    assert fields["u"].values.tolist() == [2**64 - 2, 0] and fields["u"].values.dtype == np.uint64
    assert fields["t"].values.tolist() == [True, False]
    assert fields["t"].valid is not None and fields["t"].valid.tolist() == [True, False]
    assert fields["d"].values.tolist() == ["2024-02-29", ""]
    assert fields["c"].values[0] == index.field_values(["c"], [0])[0]["c"]
    assert fields["many"].values.tolist() == [1, 3] and fields["many"].valid is None


def test_a_run_by_a_field(index: gannet.Index, tmp_path: Any) -> None:
    run = index.run({"a": "power", "b": "coal"}, sort="year:desc", fields="year")
    run.save(tmp_path / "a.run", tag="t")
    lines = (tmp_path / "a.run").read_text().splitlines()
    assert [line.split()[2] for line in lines] == run.ids.tolist()
    pytest.importorskip("pandas")
    assert run.to_pandas()["year"].dropna().tolist() == [2004, 1999, 2004]
    scores = [float(line.split()[4]) for line in lines if line.startswith("a ")]
    assert scores == sorted(scores, reverse=True) and len(set(scores)) == len(scores)
    index.run({"a": "power"}).save(tmp_path / "b.run", format="msmarco")
    assert (tmp_path / "b.run").read_text().splitlines()[0].split("\t")[2] == "1"
    with pytest.raises(gannet.UsageError, match="format"):
        run.save(tmp_path / "c.run", format="trek")


def test_topics_of_trec(index: gannet.Index, tmp_path: Any) -> None:
    topics = tmp_path / "topics"
    topics.write_text(
        "<top>\n<num> Number: 1\n<title> coal\n<desc> Description:\nsea\n<narr> Narrative:\nx\n</top>\n"
    )
    assert index.run(topics).ids.tolist() == ["coal"]
    assert index.run(topics, topic_fields="description", topic_format="trec").ids.tolist() == [
        "sea"
    ]
    assert set(index.run(topics, topic_fields=["title", "description"]).ids) == {"coal", "sea"}
    for wrong in ({"topic_fields": "titel"}, {"topic_format": "trek"}):
        with pytest.raises(gannet.UsageError, match="did you mean"):
            index.run(topics, **wrong)  # type: ignore[arg-type]


def test_topics_that_are_no_queries(index: gannet.Index) -> None:
    topics = {"a": "sun", "bad": "(sun", "b": "year:x", "c": "coal"}
    with pytest.raises(gannet.UsageError, match="column"):
        index.run(topics, operators=True)
    run = index.run(topics, operators=True, on_error="skip")
    assert run.topics == ["a", "c"] and set(run.skipped) == {"bad", "b"}
    assert "column" in run.skipped["bad"] and len(run) == 2
    assert index.run(topics, on_error="skip").skipped == {}, "words are always a query"
    with pytest.raises(gannet.UsageError, match="on_error"):
        index.run(topics, on_error="skpi")


def test_searched_texts(tmp_path: Any) -> None:
    documents = [{"contents": "a", "title": "b"}, {"contents": "b", "title": "a"}]
    index = gannet.Index.from_documents(documents, schema={"title": "text"}, folder=tmp_path)
    assert index.search("a", search_fields="contents").docids.tolist() == [0]
    assert index.search_batch(["a"], search_fields="title").docids.tolist() == [1]
    assert index.count("a", search_fields="title^2") == 1 and index.count("a") == 2
    with pytest.raises(gannet.UsageError, match="titel"):
        index.search("a", search_fields="titel")


def test_totals_and_distinct(index: gannet.Index) -> None:
    assert index.search("power", k=1).total is None
    assert index.search("power", k=1, total=True).total == 3
    assert index.search("power", stats="year").stats["year"]["distinct"] == 2
    assert index.search("power", stats="year", distinct=False).stats["year"]["distinct"] is None


def test_snippets_of_a_stored_field(tmp_path: Any) -> None:
    documents = [{"contents": "solar", "body": "More solar power."}]
    index = gannet.Index.from_documents(documents, schema={"body": "stored"}, folder=tmp_path)
    hits = index.search("solar")
    assert hits.snippets(field="body") == ["More *solar* power."] and hits.snippets() == [None]
    for wrong in ("bdoy", "contents"):
        with pytest.raises(gannet.UsageError, match=wrong):
            hits.snippets(field=wrong)


def test_notebooks_show_tables(index: gannet.Index) -> None:
    hits = index.search("solar", facets="tag", histograms="year:10")
    page = hits._repr_html_()
    assert (
        "(2 match)" in page and "<caption>tag</caption>" in page and "<td>b</td><td>2</td>" in page
    )
    assert hits.facets._repr_html_() in page and repr(hits.facets).startswith("{'tag'")
    assert "<td>documents</td><td>4</td>" in index._repr_html_()
    batch = index.search_batch(["solar", "<b>"])
    assert "2 queries" in batch._repr_html_() and "sun" in batch._repr_html_()
    assert "&lt;b&gt;" in index.run({"<b>": "coal"})._repr_html_()
    sorted_batch = index.search_batch(["solar"], sort="year")
    assert "nan" not in sorted_batch._repr_html_()


def test_options_of_the_gpu(index: gannet.Index) -> None:
    opened = gannet.open(
        index.path,
        backend="cpu",
        devices=[0, 1],
        spread="shards",
        device_budget="1G",
        device_memory=2**30,
    )
    assert opened.search("sun").ids == index.search("sun").ids
    for wrong in ({"spread": "copy"}, {"device_budget": "1X"}, {"devices": [-1]}):
        with pytest.raises(gannet.UsageError, match=next(iter(wrong))):
            gannet.open(index.path, **wrong)  # type: ignore[arg-type]
