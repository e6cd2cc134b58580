"""Indexes of what other programs export: BM25 runs are those of our own build of the same text, byte
for byte. The Common Index File Format by the toolkit of its authors, lists by PISA."""

from __future__ import annotations

import json
import struct
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import gannet
import pytest
from conftest import TINY

Postings = dict[str, list[tuple[int, int]]]


@pytest.fixture(scope="module")
def documents() -> list[dict[str, Any]]:
    made = [json.loads(line) for line in (TINY / "docs.jsonl").read_text().splitlines()]
    # Words that are no ASCII; a document without any, of which a format may forget the length.
    made += [
        {"id": "café", "contents": "Schrödinger's café: solar power; ΣΊΣΥΦΟΣ, naïve 東京"},
        {"id": "empty", "contents": " ... "},
    ]
    return made


@pytest.fixture(scope="module")
def own(documents: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> gannet.Index:
    path = tmp_path_factory.mktemp("own") / "idx"
    return gannet.Index.build(documents, path, backend="cpu")


@pytest.fixture(scope="module")
def words(documents: list[dict[str, Any]], own: gannet.Index) -> list[list[str]]:
    """The words of each document, in their order: what all programs are given."""
    return [own.analyze(document["contents"]) for document in documents]


def inverted(words: list[list[str]]) -> Postings:
    """Every term's (docid, frequency), written down here once more; nothing of an index is read."""
    lists: Postings = {}
    for docid, terms in enumerate(words):
        for term, frequency in Counter(terms).items():
            lists.setdefault(term, []).append((docid, frequency))
    return dict(sorted(lists.items(), key=lambda item: item[0].encode()))


def runs(index: gannet.Index, folder: Path, **options: Any) -> bytes:
    topics = {
        **dict(line.split("\t", 1) for line in (TINY / "topics.tsv").read_text().splitlines()),
        "x1": "café sisyphos Σίσυφος",
        "x2": "東京 schrödinger's",
    }
    index.run(topics, **options).save(folder / "bm25.run", overwrite=True)
    return (folder / "bm25.run").read_bytes()


def assert_same_runs(made: gannet.Index, own: gannet.Index, folder: Path) -> None:
    expected = runs(own, folder)
    assert expected.count(b"\n") > 50 and "café".encode() in expected
    assert runs(made, folder) == expected
    mode = {"mode": "and", "k": 10, "scorer_params": {"k1": 1.2, "b": 0.75}}
    assert runs(made, folder, **mode) == runs(own, folder, **mode)
    assert made.document_lengths.tolist() == own.document_lengths.tolist()
    assert made.terms() == own.terms()


@pytest.mark.parametrize("average", [True, False], ids=["all", "least"])
def test_ciff_of_the_toolkit(
    documents: list[dict[str, Any]],
    words: list[list[str]],
    own: gannet.Index,
    tmp_path: Path,
    average: bool,
) -> None:
    pytest.importorskip(
        "ciff_toolkit", reason="ciff-toolkit is not installed: pip install ciff-toolkit"
    )
    from ciff_toolkit.ciff_pb2 import DocRecord, Header, PostingsList
    from ciff_toolkit.write import CiffWriter

    lists = inverted(words)
    header = Header(version=1, num_postings_lists=len(lists), num_docs=len(words))
    header.total_postings_lists, header.total_docs = len(lists), len(words)
    if average:
        header.total_terms_in_collection = sum(map(len, words))
        header.average_doclength = header.total_terms_in_collection / len(words)
        header.description = "of a test"

    def messages() -> Iterable[Any]:
        for term, postings in lists.items():
            message = PostingsList(
                term=term, df=len(postings), cf=sum(frequency for _, frequency in postings)
            )
            before = 0
            for docid, frequency in postings:
                message.postings.add(docid=docid - before, tf=frequency)
                before = docid
            yield message

    with CiffWriter(tmp_path / "peer.ciff") as writer:
        writer.write_header(header)
        writer.write_postings_lists(messages())
        writer.write_documents(
            DocRecord(docid=i, collection_docid=document["id"], doclength=len(words[i]))
            for i, document in enumerate(documents)
        )
    # The export says nothing of the stemmer that made its terms: whoever imports it does.
    made = gannet.Index.build(
        tmp_path / "peer.ciff", tmp_path / "idx", format="ciff", stemmer="english", backend="cpu"
    )
    assert_same_runs(made, own, tmp_path)


def test_the_toolkit_reads_what_we_export(
    own: gannet.Index, words: list[list[str]], documents: list[dict[str, Any]], tmp_path: Path,
    command: str,
) -> None:  # fmt: skip
    pytest.importorskip(
        "ciff_toolkit", reason="ciff-toolkit is not installed: pip install ciff-toolkit"
    )
    import subprocess

    from ciff_toolkit.read import CiffReader

    file = tmp_path / "own.ciff"
    subprocess.run(
        [command, "export", "--index", own.path, "--format", "ciff", "--output", file], check=True
    )
    read: Postings = {}
    with CiffReader(file) as reader:
        header = reader.header
        for message in reader.read_postings_lists():
            docid = 0
            read[message.term] = []
            for posting in message.postings:
                docid += posting.docid
                read[message.term].append((docid, posting.tf))
            assert message.df == len(read[message.term])
            assert message.cf == sum(frequency for _, frequency in read[message.term])
        records = [(one.docid, one.collection_docid, one.doclength)
                   for one in reader.read_documents()]  # fmt: skip
    assert list(read.items()) == list(inverted(words).items())
    assert records == [(i, document["id"], len(words[i])) for i, document in enumerate(documents)]
    assert (header.version, header.num_docs) == (1, len(words))
    assert header.num_postings_lists == header.total_postings_lists == len(read)
    assert header.total_terms_in_collection == sum(map(len, words))
    assert header.average_doclength == pytest.approx(sum(map(len, words)) / len(words))


def sequence(values: Iterable[int]) -> bytes:
    """32-bit words behind their number, as ds2i and PISA have them."""
    all_of_them = list(values)
    return struct.pack(f"<{len(all_of_them) + 1}I", len(all_of_them), *all_of_them)


def test_ds2i_in_the_layout_of_pisa(
    documents: list[dict[str, Any]], words: list[list[str]], own: gannet.Index, tmp_path: Path
) -> None:
    """Written as PISA's documentation describes it."""
    base = tmp_path / "peer"
    lists = inverted(words)
    docs = [sequence([len(words)])]
    docs += [sequence(docid for docid, _ in postings) for postings in lists.values()]
    freqs = [sequence(frequency for _, frequency in postings) for postings in lists.values()]
    base.with_suffix(".docs").write_bytes(b"".join(docs))
    base.with_suffix(".freqs").write_bytes(b"".join(freqs))
    base.with_suffix(".sizes").write_bytes(sequence(len(one) for one in words))
    base.with_suffix(".terms").write_text("".join(f"{term}\n" for term in lists), "utf-8")
    names = "".join(f"{document['id']}\n" for document in documents)
    base.with_suffix(".documents").write_text(names, "utf-8")
    made = gannet.Index.build(base, tmp_path / "idx", format="ds2i", stemmer="english")
    assert_same_runs(made, own, tmp_path)


def test_ds2i_of_pisa(
    documents: list[dict[str, Any]], words: list[list[str]], own: gannet.Index, tmp_path: Path
) -> None:
    """Inverted by PISA itself, from the same words."""
    pisa = pytest.importorskip(
        "pyterrier_pisa", reason="PISA is not installed: bench/peers/requirements.txt has it"
    )
    index = pisa.PisaIndex(str(tmp_path / "pisa"), stemmer="none", threads=1)
    index.toks_indexer(scale=1.0).index(
        {"docno": document["id"], "toks": dict(Counter(words[i]))}
        for i, document in enumerate(documents)
    )
    base = tmp_path / "peer"
    for part, of in [("docs", "inv"), ("freqs", "inv"), ("sizes", "inv"),
                     ("terms", "fwd"), ("documents", "fwd")]:  # fmt: skip
        (tmp_path / "pisa" / f"{of}.{part}").rename(base.with_suffix(f".{part}"))
    made = gannet.Index.build(base, tmp_path / "idx", format="ds2i", stemmer="english")
    assert_same_runs(made, own, tmp_path)
