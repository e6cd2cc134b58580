"""Stop words of one's own and synonyms: as the command has them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import gannet
import pytest
from indexes import same_bytes, write_jsonl

DOCUMENTS = [
    {"id": "a", "contents": "the red car"},
    {"id": "b", "contents": "an automobile, an auto"},
    {"id": "c", "contents": "a bus"},
]


def test_stop_words(tmp_path: Path, command: str) -> None:
    source = write_jsonl(tmp_path / "docs.jsonl", DOCUMENTS)
    words = tmp_path / "words.txt"
    words.write_text("# articles\nthe | and so on\nan\na\n")
    made = tmp_path / "command"
    arguments: list[str | Path] = [command, "index", source, "-o", made, "--stop-words", words]
    subprocess.run(arguments, check=True)
    gannet.Index.build(DOCUMENTS, tmp_path / "file", stop_words=words)
    index = gannet.Index.build(DOCUMENTS, tmp_path / "words", stop_words=["the", "a", "an", "a"])
    assert same_bytes(tmp_path / "command", tmp_path / "file")
    assert same_bytes(tmp_path / "command", tmp_path / "words")
    assert index.analyzer["stopword_list"] == ["a", "an", "the"]
    assert index.count("the") == 0
    assert index.analyze("the cars") == ["car"]
    with pytest.raises(gannet.UsageError, match="'frnch' is neither none nor english nor a file"):
        gannet.Index.build(DOCUMENTS, tmp_path / "none", stop_words="frnch")


def test_synonyms(tmp_path: Path) -> None:
    path = tmp_path / "idx"
    plain = gannet.Index.build(DOCUMENTS, path)
    assert plain.search("cars").ids == ["a"]
    rules = tmp_path / "synonyms.txt"
    rules.write_text("car, auto, automobile\n")
    index = gannet.Index.open(path, synonyms=rules)
    assert sorted(index.search("cars").ids) == ["a", "b"]
    assert index.count("auto") == 2
    docids, _ = index.search_batch(["car"])[0]
    assert sorted(docids.tolist()) == [0, 1]
    mapped = [{**d, "contents": d["contents"].replace("automobile", "car")} for d in DOCUMENTS]
    mapped = [{**d, "contents": d["contents"].replace("auto", "car")} for d in mapped]
    one = gannet.Index.build(mapped, tmp_path / "one")
    scores = [hit.score for hit in one.search("car bus")]
    assert [hit.score for hit in index.search("car bus")] == scores
    rules.write_text("ny, new york\n")
    with pytest.warns(UserWarning, match="line 1: 'new york'"):
        gannet.Index.open(path, synonyms=rules)
    with pytest.raises(gannet.IoError):
        gannet.Index.open(path, synonyms=tmp_path / "none.txt")
