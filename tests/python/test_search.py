"""Searching: hits, arrays, columns, errors, threads; as the command answers."""

from __future__ import annotations

import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import gannet
import numpy as np
import pytest
from conftest import TINY


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> gannet.Index:
    return gannet.Index.build(
        TINY / "docs.jsonl", tmp_path_factory.mktemp("tiny") / "idx", backend="cpu"
    )


def test_hits(index: gannet.Index) -> None:
    hits = index.search("solar power", k=2, fields="year,tag")
    assert [hit.id for hit in hits] == ["sun", "wind"]
    assert [hit.rank for hit in hits] == [1, 2]
    assert (
        hits[0].score is not None
        and hits[1].score is not None
        and hits[0].score > hits[1].score > 0
    )
    assert hits[0].fields == {"year": 1999, "tag": ["a", "b"]}
    assert hits[1].text == "Wind power, and some solar power too."
    assert len(hits) == 2 and hits[-1] == hits[1] and [hit.id for hit in hits[:1]] == ["sun"]
    assert hits.docids.tolist() == [0, 1]
    assert hits.scores is not None
    assert hits.scores.tolist() == [hit.score for hit in hits]
    assert hits.total is None, "as many as were asked for"
    assert index.search("solar power", k=100).total == 3
    assert hits.report["backend"] == "cpu"


def test_where_filters_are_evaluated(index: gannet.Index) -> None:
    for least, on_candidates in ((0.0, 1), (0.015625, 1), (2.0, 0)):
        opened = gannet.open(index.path or "", backend="cpu", candidate_filters=least)
        hits = opened.search("+solar +power", filter="year:2004")
        assert hits.ids == index.search("+solar +power", filter="year:2004").ids != []
        assert hits.report["filter_on_candidates"] == on_candidates


def test_pages(index: gannet.Index) -> None:
    cases: list[dict[str, Any]] = [
        {},
        {"sort": "year:desc"},
        {"sort": "tag,score"},
        {"facets": "tag"},
    ]
    for more in cases:
        whole = index.search("power", k=10, **more)
        ids: list[str] = []
        ranks: list[int] = []
        cursor = None
        for _ in range(10):
            page = index.search("power", k=1, after=cursor, **more)
            ids += page.ids
            ranks += [hit.rank for hit in page]
            cursor = page.next
            if cursor is None:
                break
        assert (ids, ranks) == (whole.ids, [hit.rank for hit in whole])
        assert whole.next is None
        assert index.search("power", k=10, offset=1, **more).ids == whole.ids[1:]
    first = index.search("power", k=1)
    assert index.search("power", k=10, after=first.next).total == len(index.search("power"))
    wrong: list[dict[str, Any]] = [
        {"after": "x"},
        {"after": first.next, "offset": 1},
        {"after": first.next, "sort": "year"},
        {"after": first.next, "filter": "year:2000"},
        {"offset": 1, "group": "tag"},
        {"offset": -1},
    ]
    for arguments in wrong:
        with pytest.raises(gannet.UsageError):
            index.search("power", **arguments)


def test_pages_go_on_when_documents_are_added(tmp_path: Path) -> None:
    documents = [{"id": str(d), "contents": "fish"} for d in range(9)]
    index = gannet.Index.build(documents, tmp_path / "i")
    first = index.search("fish", k=4)
    with gannet.Writer(tmp_path / "i") as writer:
        writer.add({"id": "new", "contents": "fish"})
        writer.delete("5")
    later = gannet.open(tmp_path / "i").search("fish", k=9, after=first.next)
    assert later.ids == ["4", "6", "7", "8"]


def test_hits_print_well(index: gannet.Index) -> None:
    hits = index.search("sun", fields=["year"])
    text = repr(hits)
    assert text.startswith("2 hits for 'sun' (2 match)\n  1  ")
    assert "coal" in text and "year: 2004" in text and "*sun*" in text
    page = hits._repr_html_()
    assert "<mark>sun</mark>" in page and "&lt;b&gt;" in page and "<b>" not in page
    assert repr(index.search("nothing")) == "0 hits for 'nothing' (0 match)"
    assert "4 documents" in repr(index)


def test_more_like_this(index: gannet.Index) -> None:
    hits = index.more_like_this("sun", fields="year")
    assert "sun" not in hits.ids and hits.ids[0] == "wind"
    assert hits.total == len(hits)
    assert repr(hits).startswith(f"{len(hits)} hits for 'like sun'")
    assert index.more_like_this(text="wind power", k=1).ids == ["wind"]
    assert index.more_like_this("sun", filter="year:1999", stats="year").total == 0
    wrong: list[dict[str, Any]] = [{}, {"id": "sun", "text": "sun"}, {"id": "nobody"}]
    for arguments in wrong:
        with pytest.raises(gannet.UsageError, match="give an id or a text|no document has"):
            index.more_like_this(**arguments)
    with pytest.raises(TypeError, match="did you mean 'scorer'"):
        index.more_like_this("sun", scoer="bm25")  # type: ignore[call-arg]


def test_snippets(index: gannet.Index) -> None:
    hits = index.search("panels")
    assert hits.snippets(1, 40) == ["Solar power from *panels*. …"]
    with pytest.raises(gannet.UsageError, match="fragments|pieces|snippet"):
        hits.snippets(0)
    with pytest.raises(gannet.UsageError, match="highlight"):
        hits.snippets(highlight="loud")


def test_language_filter_and_columns(index: gannet.Index) -> None:
    assert index.search("power -wind").ids == ["sun", "sea"] or index.search("power -wind").ids == [
        "sea",
        "sun",
    ]
    assert index.search("power", filter="year:>=2000").ids == ["wind"]
    assert index.search(filter="tag:b", sort="year:desc").ids == ["wind", "sun"]
    hits = index.search("power", k=1, facets=["tag"], stats="price", histograms="year:10")
    assert hits.facets == {"tag": {"values": {"b": 2, "a": 1, "c": 1}, "others": 0, "missing": 0}}
    assert hits.histograms == {"year": {"bins": {"1990": 1, "2000": 1}, "missing": 1}}
    assert hits.stats["price"]["sum"] == 8.0 and hits.stats["price"]["mean"] == pytest.approx(8 / 3)
    assert len(hits) == 1 and hits.total == 3
    grouped = index.search("power", group="tag:1")
    assert {group.value: group.count for group in grouped.groups} == {"a": 1, "b": 2, "c": 1}
    assert all(len(group.hits) == 1 for group in grouped.groups)
    unscored = index.search("power", sort="year:desc")
    assert unscored[0].score is None or isinstance(unscored[0].score, float)


def test_counts_and_docids(index: gannet.Index) -> None:
    assert index.count("power") == 3
    assert index.count("power sun", mode="and") == 1
    assert index.matches("power OR coal").tolist() == [0, 1, 2, 3]
    assert index.count(filter="year:2004") == 2


def test_a_timeout_ends_a_search(index: gannet.Index) -> None:
    expected = index.search("solar power").docids.tolist()
    for search in (
        lambda: index.search("solar power", timeout=0),
        lambda: index.count("solar", timeout=0),
        lambda: index.matches("solar", timeout=0),
        lambda: index.search_batch(["solar"] * 10, timeout=0),
        lambda: index.run({"1": "solar"}, timeout=0),
    ):
        with pytest.raises(gannet.DeadlineError) as error:
            search()
        assert isinstance(error.value, (gannet.CancelledError, TimeoutError))
    assert index.search("solar power", timeout=60).docids.tolist() == expected
    with pytest.raises(gannet.UsageError, match="timeout"):
        index.search("solar", timeout=-1)


def test_scorers_and_expansion(index: gannet.Index) -> None:
    plain = index.search("solar").scores
    other = index.search("solar", scorer="dirichlet", scorer_params={"mu": 100}).scores
    assert plain is not None and other is not None and plain.tolist() != other.tolist()
    same = index.search("solar", scorer_params="k1=0.9,b=0.4").scores
    assert same is not None and same.tolist() == plain.tolist()
    expanded = index.search("solar", expand="rm3", expand_params={"docs": 1, "max-df": 1})
    assert len(expanded) > 2
    pairs = index.search("solar power", expand="sdm", expand_params={"window": 4})
    assert "#uw4(solar power)" in pairs.plan
    exhaustive = index.search("solar power", exhaustive=True)
    assert exhaustive.docids.tolist() == index.search("solar power").docids.tolist()


@pytest.mark.parametrize(
    ("query", "options", "what"),
    [
        ("(sun", {}, "column"),
        ("nofield:3", {}, "nofield"),
        ("sun", {"filter": "year:x"}, "year"),
        ("sun", {"k": -1}, "k: .-1. is no whole number from 0"),
        ("sun", {"mode": "xor"}, "xor"),
        ("sun", {"scorer": "best"}, "best"),
        ("sun", {"scorer_params": {"b": 2}}, "b must be"),
        ("sun", {"facets": "nofield"}, "nofield"),
        ("sun", {"fields": "nofield"}, "nofield"),
        ("sun", {"expand": "more"}, "more"),
        ("sun", {"expand": "sdm", "expand_params": "docs=1"}, "there are terms"),
        ("sun", {"expand_params": "docs=1"}, "needs expand"),
        ("sun", {"sort": "year:up"}, "up"),
    ],
)
def test_errors(index: gannet.Index, query: str, options: dict[str, Any], what: str) -> None:
    with pytest.raises(gannet.UsageError, match=what) as caught:
        index.search(query, **options)
    assert isinstance(caught.value, (gannet.Error, ValueError))


def test_error_hierarchy(tmp_path: Path, index: gannet.Index) -> None:
    with pytest.raises(gannet.IoError) as missing:
        gannet.open(tmp_path / "nothing")
    assert isinstance(missing.value, OSError) and "nothing" in str(missing.value)
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "manifest.json").write_text("{")
    with pytest.raises(gannet.DamageError):
        gannet.open(tmp_path / "bad")
    with pytest.raises(gannet.UsageError, match="there is no document 99"):
        index.text(99)
    assert issubclass(gannet.DamageError, gannet.FormatError)
    assert issubclass(gannet.VersionError, gannet.FormatError) and issubclass(
        gannet.NoDeviceError, gannet.CudaError
    )
    with pytest.raises((gannet.NoDeviceError, gannet.Error)):
        gannet.open(index.path, backend="quantum")


def test_batch(index: gannet.Index) -> None:
    queries = ["solar power", "nothing at all", "sun", "solar power"]
    batch = index.search_batch(queries, k=3)
    assert len(batch) == 4
    assert batch.docids.dtype == np.uint32 and batch.scores.dtype == np.float32
    for i, query in enumerate(queries):
        single = index.search(query, k=3, operators=False)
        docids, scores = batch[i]
        assert docids.tolist() == single.docids.tolist()
        assert single.scores is not None and scores.tolist() == single.scores.tolist()
        begin, end = batch.offsets[i], batch.offsets[i + 1]
        assert batch.ids[begin:end].tolist() == single.ids
    assert [len(docids) for docids, _ in batch] == np.diff(batch.offsets).tolist()
    docids2, scores2 = batch.padded()
    assert docids2.shape == (4, 3) and docids2[1].tolist() == [-1, -1, -1]
    assert (
        docids2[0].tolist() == batch[0][0].tolist() and scores2[0].tolist() == batch[0][1].tolist()
    )
    assert batch.padded(1)[0].tolist() == [
        [int(batch[i][0][0]) if len(batch[i][0]) else -1] for i in range(4)
    ]
    with pytest.raises(IndexError):
        batch[4]
    with pytest.raises(ValueError):
        batch.docids[0] = 1  # the library's memory


def test_batch_outlives_its_index(tmp_path: Path) -> None:
    batch = gannet.Index.build(["a b", "b c"], tmp_path / "idx").search_batch(["b"] * 1000)
    docids = batch.docids
    del batch
    assert docids.tolist() == [0, 1] * 1000


def test_a_batch_reads_operators_as_a_search_does(index: gannet.Index) -> None:
    batch = index.search_batch(["+sun -coal", "solar OR tidal"])
    for i, query in enumerate(["+sun -coal", "solar OR tidal"]):
        assert batch[i][0].tolist() == index.search(query).docids.tolist()
    with pytest.raises(
        gannet.UsageError,
        match=r"queries\[1\]: query, column 1: .*; operators=False takes it for plain words",
    ):
        index.search_batch(["sun", "(sun -"])
    assert len(index.search_batch(["(sun -"], operators=False)[0][0]) > 0
    assert len(index.run({"1": "(sun -"})[0][0]) > 0
    with pytest.raises(gannet.UsageError, match="topic 'b': query, column 1"):
        index.run({"a": "sun", "b": "(sun -"}, operators=True)


def test_a_batch_takes_any_iterable_of_texts(index: gannet.Index) -> None:
    texts = ["sun", "tidal"]
    wanted = index.search_batch(texts).docids.tolist()
    given: list[Any] = [tuple(texts), iter(texts), (text for text in texts), np.array(texts)]
    given += [np.array(texts, dtype=object), dict.fromkeys(texts).keys()]
    for name, make in (
        ("pandas", lambda module: module.Series(texts)),
        ("polars", lambda module: module.Series(texts)),
        ("pyarrow", lambda module: module.array(texts)),
        ("pyarrow", lambda module: module.chunked_array([texts])),
    ):
        given.append(make(pytest.importorskip(name)))
    for queries in given:
        assert index.search_batch(queries).docids.tolist() == wanted, type(queries)
    frame = pytest.importorskip("pandas").DataFrame({"query": texts})
    with pytest.raises(TypeError, match="queries takes"):  # it would be the names of columns
        index.search_batch(frame)
    assert index.search_batch([]).docids.tolist() == []


def test_the_same_run_as_the_command(tiny: gannet.Index, tmp_path: Path, command: str) -> None:
    subprocess.run(
        [
            command,
            "run",
            "--quiet",
            "--index",
            tiny.path,
            "--topics",
            TINY / "topics.tsv",
            "--output",
            tmp_path / "command.run",
            "--k",
            "100",
        ],
        check=True,
    )
    run = tiny.run(TINY / "topics.tsv", k=100)
    run.save(tmp_path / "python.run")
    assert (tmp_path / "python.run").read_bytes() == (tmp_path / "command.run").read_bytes()
    assert (tmp_path / "python.run").stat().st_size > 0


def test_the_same_answer_as_the_command(index: gannet.Index, command: str) -> None:
    out = subprocess.run(
        [
            command,
            "search",
            "--index",
            index.path,
            "--json",
            "--k",
            "3",
            "--fields",
            "year,tag",
            "--facet",
            "tag",
            "--stats",
            "price",
            "solar +power",
        ],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    theirs = json.loads(out)
    ours = index.search("solar +power", k=3, fields="year,tag", facets="tag", stats="price")
    assert [(hit["id"], np.float32(hit["score"]), hit["fields"]) for hit in theirs["hits"]] == [
        (hit.id, np.float32(hit.score), hit.fields) for hit in ours
    ]
    assert {
        value["value"]: value["count"] for value in theirs["facets"][0]["values"]
    } == ours.facets["tag"]["values"]
    assert theirs["stats"][0]["sum"] == ours.stats["price"]["sum"]


def test_topics_in_every_form(tiny: gannet.Index, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pairs = [tuple(line.split("\t", 1)) for line in (TINY / "topics.tsv").read_text().splitlines()]
    frame = pandas.DataFrame(pairs, columns=["qid", "query"])
    runs = [
        tiny.run(form) for form in (TINY / "topics.tsv", dict(pairs), pairs, iter(pairs), frame)
    ]
    for run in runs:
        assert run.topics == runs[0].topics and run.docids.tolist() == runs[0].docids.tolist()
    table = runs[0].to_pandas()
    assert list(table.columns) == ["qid", "docno", "rank", "score", "docid"]
    assert table["rank"].iloc[0] == 1 and len(table) == len(runs[0].docids)
    with pytest.raises(gannet.UsageError, match="twice"):
        tiny.run([("1", "a"), ("1", "b")])
    with pytest.raises(gannet.UsageError, match="pairs"):
        tiny.run([5])


def test_dictionary_and_postings(index: gannet.Index) -> None:
    terms = index.terms("so")
    assert [term.text for term in terms] == ["solar", "some"]
    assert terms[0].document_frequency == 2 and terms[0].collection_frequency == 3
    assert len(index.terms()) == index.stats["terms"]
    assert [term.text for term in index.terms(limit=2)] == [term.text for term in index.terms()[:2]]
    docids, frequencies = index.postings("Solar")
    assert docids.tolist() == [0, 1] and frequencies.tolist() == [2, 1]
    assert [len(array) for array in index.postings("zebra")] == [0, 0]
    with pytest.raises(gannet.UsageError, match="2 terms"):
        index.postings("solar power")
    assert index.analyze("The Panels") == ["the", "panel"]
    assert index.document_lengths.tolist() == [
        len(index.analyze(d)) for d in (index.text(i) or "" for i in range(4))
    ]
    assert index.stats["documents"] == len(index) == 4
    assert "solar" in index.plan("solar^2 power")


def test_explanations_add_up(index: gannet.Index) -> None:
    cases: list[dict[str, Any]] = [{}, {"scorer": "pl2"}, {"expand": "rm3"}]
    for options in cases:
        hits = index.search("solar^2 power", **options)
        assert len(hits) > 0
        for hit in hits:
            made = index.explain("solar^2 power", hit.id, **options)
            assert made["matches"] and made["mismatches"] == [] and made["docid"] == hit.docid
            total = np.float32(0)
            for term in made["terms"]:
                total += np.float32(term["contribution"])
                assert (term["formula"] != "") == (term["contribution"] > 0)
            assert total == np.float32(made["score"]) == np.float32(hit.score)
    hit = index.search("solar")[0]
    reasons = index.explain("solar -solar +zebra", hit.id)["mismatches"]
    assert {reason["kind"] for reason in reasons} == {"excluded", "missing"}
    with pytest.raises(gannet.UsageError, match="no document has the id 'nobody'"):
        index.explain("solar", "nobody")


def test_phrases_and_inexact_words_are_marked_and_explained(tmp_path: Path) -> None:
    text = "The boundary of a layer. A boundary layer is thin."
    index = gannet.Index.build(
        [{"id": "a", "contents": text}], tmp_path / "layers", store=True, progress=False
    )
    hits = index.search('"boundary layer"')
    assert hits.snippets(highlight="text") == [
        "The boundary of a layer. A *boundary* *layer* is thin."
    ]
    hits = index.search('"layer boundary"~2 OR thi*')
    assert hits.snippets(highlight="html") == [
        "The boundary of a <mark>layer</mark>. A <mark>boundary</mark> <mark>layer</mark> is "
        "<mark>thin</mark>."
    ]
    made = index.explain('"boundary layer" thik~1', "a")
    phrase = made["terms"][0]
    assert phrase["positions"] == [6] and phrase["frequency"] == 1
    assert [word["word"] for word in phrase["phrase_words"]] == ["boundari", "layer"]
    assert made["expansions"] == [
        {
            "word": "thik~1",
            "found": 1,
            "terms": [{"term": "thin", "frequency": 1, "distance": 1, "boost": 0.75}],
        }
    ]
    assert index.explain("layer", "a")["expansions"] == []


def test_documents(tmp_path: Path) -> None:
    documents = [
        {"id": "a", "contents": "red fox", "year": 2001, "tag": ["x", "y"]},
        {"id": "b", "contents": "blue whale", "year": None},
    ]
    schema = {"year": "i32", "tag": "keyword:multi"}
    gannet.Index.build(documents, tmp_path / "idx", schema=schema, store=True)
    with gannet.Writer(tmp_path / "idx", merge_tier=0) as writer:
        assert writer.delete("b")
    index = gannet.Index.open(tmp_path / "idx")
    assert index.document("a") == {
        "id": "a",
        "docid": 0,
        "segment": 0,
        "live": True,
        "fields": {"year": 2001, "tag": ["x", "y"]},
        "text": "red fox",
    }
    gone = index.document("b")
    assert gone is not None and not gone["live"] and gone["text"] == "blue whale"
    assert index.explain("whale", "b")["mismatches"][0]["kind"] == "deleted"
    assert index.document("c") is None


def test_postings_are_what_the_texts_have(tmp_path: Path) -> None:
    generator = np.random.default_rng(3)
    texts = [" ".join(f"w{w}" for w in generator.zipf(1.3, 30) if w < 500) for _ in range(2000)]
    index = gannet.Index.build(texts, tmp_path / "idx", stemmer="none")
    for term in index.terms(limit=50):
        docids, frequencies = index.postings(term.text, analyze=False)
        counts = [text.split().count(term.text) for text in texts]
        assert docids.tolist() == [i for i, count in enumerate(counts) if count]
        assert frequencies.tolist() == [count for count in counts if count]
        assert (term.document_frequency, term.collection_frequency) == (len(docids), sum(counts))


def test_postings_of_deleted_documents(tmp_path: Path) -> None:
    texts = ["red fox", "red red whale", "blue whale", "red sea"]
    documents = [{"id": str(number), "contents": text} for number, text in enumerate(texts)]
    gannet.Index.build(documents[:2], tmp_path / "idx", stemmer="none")
    with gannet.Writer(tmp_path / "idx") as writer:
        for document in documents[2:]:
            writer.add(document)
    with gannet.Writer(tmp_path / "idx", merge_tier=0) as writer:
        assert writer.delete("0") and writer.delete("3")
    index = gannet.Index.open(tmp_path / "idx")
    assert [array.tolist() for array in index.postings("red")] == [[1], [2]]
    assert [array.tolist() for array in index.postings("red", deleted=True)] == [[0, 1, 3], [1, 2, 1]]
    assert index.terms("red")[0].document_frequency == 3, "until a merge, as scores have it"


def test_threads(tiny: gannet.Index) -> None:
    texts = [line.split("\t")[1] for line in (TINY / "topics.tsv").read_text().splitlines()]
    alone = [tiny.search(text, operators=False).docids.tolist() for text in texts]

    def work(i: int) -> list[Any]:
        if i % 3 == 0:
            batch = tiny.search_batch(texts)
            return [docids.tolist() for docids, _ in batch]
        return [tiny.search(text, operators=False).docids.tolist() for text in texts]

    with ThreadPoolExecutor(8) as pool:
        for made in pool.map(work, range(32)):
            assert made == alone


def test_to_pandas(index: gannet.Index) -> None:
    pytest.importorskip("pandas")
    frame = index.search("power", fields="year").to_pandas()
    assert list(frame.columns) == ["rank", "docid", "id", "score", "year"]
    assert frame["id"].tolist() == index.search("power").ids
