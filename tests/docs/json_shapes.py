"""What --json prints is what the schemas of the manual say.

    python3 tests/docs/json_shapes.py --gannet build/dev/gannet

Runs every command on a small collection and validates what it prints, errors included. A member that a schema does not
name fails, too, and so does a command that is asked for nothing here. Needs the package jsonschema; without it the exit
code is 77.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

try:
    import jsonschema
except ImportError:
    print("SKIPPED: there is no Python package jsonschema (Debian: python3-jsonschema)")
    sys.exit(77)

SCHEMAS = Path(__file__).resolve().parents[2] / "tools" / "docs" / "pages" / "schemas"
SHARED = "common.schema.json#/$defs/"
DOCUMENTS = [
    {"id": "a", "contents": "a tiger in the grass", "year": 2001, "tag": ["cat", "big"], "price": "1.50", "note": "x"},
    {"id": "b", "contents": "tiger tiger and cat", "year": 1999, "tag": ["cat"], "price": "0.25", "new": True},
    {"id": "c", "contents": "a lamp beside the cat", "year": 2001, "title": "lamp"},
]


def strict(schema: Any) -> Any:
    """The schema, without members that it does not name, and with the shared parts at their place."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: strict(part) for name, part in schema.items()}
    if isinstance(made.get("$ref"), str):
        made["$ref"] = re.sub(r"^(\.\./)?" + re.escape(SHARED), "#/$defs/", made["$ref"])
    # A map of schemas by name, such as $defs, may have a member called "properties", but none here does.
    if isinstance(made.get("properties"), dict):
        made.setdefault("additionalProperties", False)
    return made


def validator(name: str) -> Any:
    """Of `name`.schema.json."""
    shared = strict(json.loads((SCHEMAS / "common.schema.json").read_text(encoding="utf-8")))["$defs"]
    schema = strict(json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8")))
    schema["$defs"] = {**shared, **schema.get("$defs", {})}
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


class JsonShapes(unittest.TestCase):
    """Tests share a collection; each writes to files of its own."""

    gannet = ""
    seen: set[str] = set()

    @classmethod
    def setUpClass(cls) -> None:
        cls.holder = tempfile.TemporaryDirectory(prefix="gannet-json-")
        cls.folder = Path(cls.holder.name)
        lines = "".join(json.dumps(document) + "\n" for document in DOCUMENTS)
        (cls.folder / "docs.jsonl").write_text(lines, encoding="utf-8")
        (cls.folder / "more.jsonl").write_text('{"id": "d", "contents": "a lion"}\n', encoding="utf-8")
        (cls.folder / "topics.tsv").write_text("1\ttiger\n2\tcat lamp\n3\tzebra\n", encoding="utf-8")
        (cls.folder / "qrels").write_text("1 0 a 1\n2 0 b 1\n", encoding="utf-8")
        (cls.folder / "raw").write_bytes(bytes(range(200)) * 8)
        fields = ["year:i32", "tag:keyword:multi", "price:decimal(2)", "new:bool", "note:stored", "title:text"]
        options = [word for field in fields for word in ("--field", field)]
        cls.build = ["index", "--input", "docs.jsonl", "--format", "jsonl", "--store", *options]
        cls.call([*cls.build, "--output", "idx", "--quiet"])
        cls.call(["index", "--input", "docs.jsonl", "--format", "jsonl", "--output", "plain", "--quiet"])
        cls.call(["encode", "--type", "u32", "--input", "raw", "--output", "column", "--quiet"])

    @classmethod
    def tearDownClass(cls) -> None:
        cls.holder.cleanup()

    @classmethod
    def call(cls, words: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [cls.gannet, *words],
            cwd=cls.folder,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )

    def validate(self, schema: str, text: str) -> Any:
        """The value, which is valid."""
        self.seen.add(schema)
        value = json.loads(text)
        problems = [
            f"{error.json_path}: {error.message}" for error in validator(schema).iter_errors(value)
        ]
        self.assertEqual(problems, [], f"{schema}: {text[:2000]}")
        return value

    def ask(self, schema: str, *words: str, code: int = 0) -> Any:
        """What the command prints, which is valid."""
        done = self.call([*words, "--json"])
        self.assertEqual(done.returncode, code, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 1, done.stdout)
        return self.validate(schema, lines[0])

    def search(self, *words: str) -> Any:
        return self.ask("search", "search", "--index", "idx", "--backend", "cpu", *words)

    def test_hits(self) -> None:
        plain = self.search("tiger")
        self.assertEqual(plain["total"], 2)
        self.assertNotIn("text", plain["hits"][0])
        self.assertNotIn("total", self.search("--k", "1", "tiger"))
        self.assertEqual(self.search("--k", "1", "--total", "tiger")["total"], 2)
        self.assertEqual(self.search("--k", "1", "--total", "--expand", "rm3", "tiger")["total"], 2)
        fields = self.search("--fields", "year,tag,price,new,note", "tiger", "lamp")["hits"]
        self.assertEqual({type(hit["fields"]["price"]) for hit in fields}, {str, type(None)})
        self.assertIn("text", self.search("--text", "tiger")["hits"][0])
        for style in ("html", "text", "ansi", "none"):
            self.search("--snippets=2", "--highlight", style, "tiger")
        self.assertEqual(self.search("--sort", "year", "tiger")["total"], 2)

    def test_pages(self) -> None:
        first = self.search("--k", "1", "tiger")
        second = self.search("--k", "1", "--after", first["next"], "--total", "tiger")
        self.assertEqual((second["hits"][0]["rank"], second["next"]), (2, None))
        self.assertIsNone(self.search("tiger")["next"])

    def test_counts_and_ids(self) -> None:
        counted = self.search("--count", "tiger")
        self.assertEqual((counted["total"], "hits" in counted), (2, False))
        listed = self.search("--docids", "tiger")
        self.assertEqual((listed["total"], listed["ids"]), (2, ["a", "b"]))

    def test_columns(self) -> None:
        asked = ["--facet", "tag", "--facet", "year", "--histogram", "price:1", "--stats", "year,price,tag,new"]
        found = self.search(*asked, "--filter", "year:>1900", "tiger")
        self.assertEqual(found["total"], 2)
        groups = self.search("--group", "tag", "tiger OR lamp")
        self.assertEqual((groups["grouping"]["groups"][0]["count"], "hits" in groups), (2, False))
        self.assertEqual(groups["total"], 3)

    def test_corrections(self) -> None:
        found = self.search("tigr")
        self.assertEqual(found["did_you_mean"]["query"], "tiger")
        self.assertNotIn("did_you_mean", self.search("tiger"))
        self.assertNotIn("did_you_mean", self.search("--did-you-mean", "tiger"))

    def test_plans(self) -> None:
        plan = self.search("--plan", "(tiger OR year:2001) AND NOT title:lamp cat^2")["plan"]
        self.assertEqual(plan["want"], "hits")
        self.search("--plan", "--scorer", "bm25f", "--search-fields", "contents,title^2", "lamp")
        self.assertEqual(self.search("--plan", "--docids", "!")["plan"]["matches"], {"op": "nothing"})

    def test_explanations(self) -> None:
        def explain(*words: str) -> Any:
            return self.ask("search-explain", "search", "--index", "idx", "--backend", "cpu", "--explain", *words)

        explanation = explain("b", "tiger cat^2")["explanation"]
        self.assertEqual((explanation["id"], explanation["matches"]), ("b", True))
        explain("b", "--scorer", "pl2", "--filter", "year:1999 AND tag:cat", "tiger")
        explain("c", "--scorer", "bm25f", "--search-fields", "contents,title^2", "lamp zebra")
        made = explain("b", '"tiger tiger" tig* cab~1')["explanation"]
        self.assertEqual(made["terms"][0]["positions"], [0])
        self.assertEqual([one["word"] for one in made["terms"][0]["phrase_words"]], ["tiger", "tiger"])
        self.assertEqual([one["found"] for one in made["expansions"] if ":" not in one["word"]], [1, 1])
        reasons = explain("c", "--filter", "year:1999", "+tiger -cat")["explanation"]["mismatches"]
        self.assertEqual(sorted(one["kind"] for one in reasons), ["excluded", "filter", "missing"])
        self.assertEqual(explain("c", "!")["explanation"]["mismatches"][0]["kind"], "nothing")

    def test_documents(self) -> None:
        self.assertEqual(self.ask("get", "get", "idx", "a")["fields"]["year"], 2001)
        self.assertNotIn("text", self.ask("get", "get", "plain", "a"))
        self.assertEqual(self.ask("get", "get", "idx", "nobody", code=1)["state"], "unknown")

    def test_completions(self) -> None:
        made = self.ask("suggest", "suggest", "idx", "the tig")["completions"]
        self.assertEqual([(one["term"], one["text"]) for one in made], [("tiger", "the tiger")])
        self.assertEqual(self.ask("suggest", "suggest", "idx", "-k", "0", "tig")["completions"], [])
        self.ask("suggest", "suggest", "idx", "--field", "title", "l")

    def test_run(self) -> None:
        base = ["run", "--index", "idx", "--topics", "topics.tsv", "--backend", "cpu"]
        self.ask("run", *base, "--output", "a.run", "--results", "a.jsonl", "--k", "2")
        self.ask("run", *base, "--results", "b.jsonl", "--sort", "year", "--fields", "tag", "--facet", "tag:2")
        self.ask("run", *base, "--results", "c.jsonl", "--group", "tag", "--stats", "year")
        lines = [line for name in "abc" for line in (self.folder / f"{name}.jsonl").read_text().splitlines()]
        self.assertEqual(len(lines), 9)
        for line in lines:
            self.validate("run-results", line)
        self.assertEqual(json.loads(lines[2])["total"], 0)
        self.ask("eval", "eval", "--qrels", "qrels", "--run", "a.run", "--per-query")

    def test_the_life_of_an_index(self) -> None:
        self.ask("index", *self.build, "--output", "life")
        self.ask("index", *self.build, "--output", "ordered", "--order", "id")
        self.ask("add", "add", "--index", "life", "--input", "more.jsonl", "--format", "jsonl")
        self.ask("add", "update", "--index", "life", "--input", "more.jsonl", "--format", "jsonl", "--no-merge")
        self.ask("delete", "delete", "--index", "life", "--id", "a", "--id", "nobody", code=1)
        self.ask("merge", "merge", "life")
        self.ask("set-codec", "set-codec", "life", "--field", "year", "--codec", "gpu-for")
        self.ask("reorder", "reorder", "life", "--order", "random")
        self.ask("shard", "shard", "life", "--shards", "2", "--output", "shards")
        self.ask("shard", "shard", "--join", "shards", "--output", "joined")
        self.ask("verify", "verify", "life")
        self.ask("repair", "repair", "life", "--output", "repaired")
        self.ask("inspect", "inspect", "life")
        self.ask("inspect", "inspect", "shards")
        self.ask("inspect", "inspect", "idx", "--term", "tiger", "--term", "zebra")
        self.ask("export", "export", "--index", "plain", "--format", "ciff", "--output", "x.ciff")

    def test_columns_of_integers(self) -> None:
        self.ask("encode", "encode", "--type", "u32", "--input", "raw", "--output", "again")
        self.ask("decode", "decode", "--input", "column", "--output", "back", "--backend", "cpu")
        self.ask("inspect", "inspect", "column")
        self.ask("verify", "verify", "column")
        damaged = bytearray((self.folder / "column").read_bytes())
        damaged[len(damaged) // 2] ^= 1
        (self.folder / "damaged").write_bytes(damaged)
        self.ask("verify", "verify", "damaged", code=1)

    def test_the_demo(self) -> None:
        done = self.call(["demo", "--output", "elements", "--backend", "cpu", "--json"])
        *searches, measured = done.stdout.splitlines()
        self.assertEqual(len(searches), 3, done.stderr)
        for line in searches:
            self.validate("search", line)
        self.assertEqual(self.validate("demo", measured)["documents"], 161)

    def test_what_is_left(self) -> None:
        self.ask("version", "version")
        self.ask("help", "help", "search")
        self.ask("commands", "help")
        self.ask("completion", "completion", "bash")
        self.ask("generate", "generate", "--documents", "20", "--output", "made.jsonl")

    def test_benchmarks(self) -> None:
        self.ask(
            "bench/query", "bench", "query", "--index", "idx", "--topics", "topics.tsv", "--by-length",
            "--repeats", "1", "--backend", "cpu", "--check", "2",
        )  # fmt: skip
        self.ask(
            "bench/codecs", "bench", "codecs", "--type", "u32", "--input", "raw", "--codec", "none,gpu-bp128,auto",
            "--repeats", "1", "--values", "400", "--backend", "cpu",
        )  # fmt: skip
        self.ask(
            "bench/decode", "bench", "decode", "--codec", "gpu-bp128", "--lengths", "2^10", "--quick",
            "--repeats", "1", "--backend", "cpu", "--batch", "4",
        )  # fmt: skip

    def test_errors(self) -> None:
        cases = [
            (["search", "--index", "idx", "ab (cat"], 2, "usage", "search", 4),
            (["search", "--index", "idx", "--filter", "yea:1", "cat"], 2, "usage", "search", 1),
            (["search", "--index", "nowhere", "cat"], 4, "io", "search", None),
            (["search", "--index", "idx", "--no-such-option"], 2, "usage", "search", None),
            (["bench", "query", "--index", "idx"], 2, "usage", "bench query", None),
            (["eval", "--qrels", "docs.jsonl", "--run", "a.run"], 3, "input", "eval", None),
            (["no-such-command"], 2, "usage", None, None),
        ]
        for words, code, name, command, column in cases:
            with self.subTest(words):
                done = self.call([*words[:1], "--json", *words[1:]] if words[0] != "bench" else [*words, "--json"])
                self.assertEqual((done.returncode, done.stdout), (code, ""))
                value = self.validate("error", done.stderr.splitlines()[-1])
                error = value["error"]
                self.assertEqual((error["code"], error["exit_code"]), (name, code))
                self.assertEqual((value.get("command"), error.get("column")), (command, column), error)

    def test_notes(self) -> None:
        done = self.call(["index", "docs.jsonl", "--field", "nosuch:i32", "-o", "noted", "--json"])
        self.assertEqual(self.validate("note", done.stderr)["note"], "format jsonl")
        done = self.call(["delete", "plain", "--id", "nosuch", "--json"])
        self.assertEqual(done.returncode, 1)
        self.assertIn("not there", self.validate("note", done.stderr)["note"])

    def test_that_a_member_which_is_not_documented_fails(self) -> None:
        with self.assertRaises(AssertionError):
            self.validate("export", '{"version":1,"command":"export","output":"x","documents":1,"terms":1,"postings":1,"x":1}')


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gannet", required=True, type=Path)
    options, rest = parser.parse_known_args()
    JsonShapes.gannet = str(options.gannet.resolve())
    program = unittest.main(argv=[sys.argv[0], *rest], exit=False)
    if not program.result.wasSuccessful():
        return 1
    names = {str(path.relative_to(SCHEMAS)).removesuffix(".schema.json") for path in SCHEMAS.rglob("*.json")}
    untested = names - JsonShapes.seen - {"common"}
    if untested and not rest:
        print(f"nothing was validated against {', '.join(sorted(untested))}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
