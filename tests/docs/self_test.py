#!/usr/bin/env python3
"""The harness itself: what it reads, and that it finds what is wrong."""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import blocks  # noqa: E402
import compare  # noqa: E402
from command_lines import calls, simple_commands  # noqa: E402
from machine import Machine  # noqa: E402
from options import Help  # noqa: E402
from session import Session  # noqa: E402

#: A gannet that knows one command, `search --index`, echoes, and fails for a query "damaged".
FAKE = """#!/bin/sh
case "$*" in
  "help") printf 'Commands:\\n  search    ask\\n\\n' ;;
  "help search") printf 'Options:\\n  -h [ --help ]  help\\n  --index arg  the index\\n\\n' ;;
  "version --json") echo '{"backends": {"cuda": {"usable": false}}}' ;;
  *damaged*) echo "damaged" >&2; exit 2 ;;
  *) echo "$@" ;;
esac
"""


class Blocks(unittest.TestCase):
    def test_a_block_has_its_marks_and_its_output(self) -> None:
        page = blocks.parse(
            "text `gannet search`\n\n<!-- test: needs=gpu exit=2 -->\n```sh\nls\n```\n"
            "```output\nx\n```\n",
            "p",
        )
        self.assertEqual(page.code, [(1, "gannet search")])
        (block,) = page.blocks
        self.assertEqual((block.language, block.text, block.output), ("sh", "ls\n", "x\n"))
        self.assertEqual(block.needs, ["gpu"])
        self.assertEqual(block.place, "p:4")

    def test_blocks_in_lists_lose_their_indent(self) -> None:
        page = blocks.parse("1. a\n\n    ```sh\n    if x\n      y\n    ```\n", "p")
        self.assertEqual(page.blocks[0].text, "if x\n  y\n")

    def test_what_is_not_understood_is_an_error(self) -> None:
        for text, message in [
            ("```shell\nls\n```\n", "no language"),
            ("```\nls\n```\n", "no language"),
            ("```sh\nls\n", "no end"),
            ("<!-- test: neds=gpu -->\n```sh\nls\n```\n", "no mark"),
            ("<!-- test: needs=gpu -->\ntext\n", "right before"),
            ("```output\nx\n```\n", "follows"),
            ("```sh\nls\n```\n\ntext\n\n```output\nx\n```\n", "follows"),
        ]:
            with self.assertRaisesRegex(blocks.PageError, message):
                blocks.parse(text, "p")

    def test_indented_blocks(self) -> None:
        text = "a\n\n    gannet x\n\n    gannet y\n\nb\n- c\n    no\n```sh\n    no\n```\n"
        self.assertEqual(blocks.indented(text), [(3, "gannet x\n\ngannet y\n\n")])


class Compare(unittest.TestCase):
    def test_wildcards(self) -> None:
        for expected, actual, same in [
            ("a\n", "a  \n\n", True),
            ("a\n", "a\nb\n", False),
            ("a\nb\n", "a\n", False),
            ("a ... s\n", "a 12 s\n", True),
            ("a ... s\n", "a 12 t\n", False),
            ("a\n...\nd\n", "a\nb\nc\nd\n", True),
            ("a\n...\nd\n", "a\nd\n", True),
            ("a\n...\n", "a\nb\n", True),
            ("...\nd\n", "a\nb\n", False),
            ("1.5\n", "1x5\n", False),
            ("", "a\n", False),
        ]:
            self.assertEqual(compare.matches(expected, actual), same, (expected, actual))


class CommandLines(unittest.TestCase):
    def test_calls_are_found_wherever_they_stand(self) -> None:
        text = (
            "# gannet none --of these\n"
            "X=1 gannet search --index 'my idx' a \\\n  b | head -n 1 && gannet version >out 2>&1\n"
            "for i in 1 2; do gannet merge i$i; done\n"
            "cat >f <<'EOF'\ngannet not this\nEOF\n"
            "mpirun -n 2 gannet run --mpi\n"
            "pip install gannet\nfind_package(gannet CONFIG)\n"
        )
        self.assertEqual(
            calls(text),
            [
                ["gannet", "search", "--index", "my idx", "a", "b"],
                ["gannet", "version"],
                ["gannet", "merge", "i$i"],
                ["gannet", "run", "--mpi"],
            ],
        )

    def test_quotes_over_lines(self) -> None:
        self.assertEqual(simple_commands("echo 'a\nb' c"), [["echo", "a\nb", "c"]])
        with self.assertRaisesRegex(ValueError, "quotation"):
            simple_commands("echo 'a\n")


class Running(unittest.TestCase):
    """A session over a page, with a gannet that is a few lines of shell."""

    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.work = Path(self.folder.name) / "work"
        self.work.mkdir()
        gannet = Path(self.folder.name) / "gannet"
        gannet.write_text(FAKE)
        gannet.chmod(0o755)
        self.machine = Machine(gannet, HERE.parents[1])

    def problems(self, text: str) -> list[str]:
        self.session = Session(self.machine, self.run_python)
        self.session.run_page(blocks.parse(text, "p"), self.work)
        return self.session.problems

    @staticmethod
    def run_python(block: blocks.Block) -> str:
        return block.text.partition("print ")[2]

    def test_what_is_right_passes(self) -> None:
        page = (
            "`gannet search --index idx a`, `--index`, `--bind-to none`\n\n"
            "```sh\ngannet search --index i a\n```\n\n```output\nsearch ... a\n```\n"
            "<!-- test: exit=2 -->\n```sh\ngannet search --wrong damaged\n```\n"
            "<!-- test: needs=gpu -->\n```sh\ngannet search --index gpu; exit 9\n```\n"
            "<!-- test: file=a.json -->\n```json\n{}\n```\n```sh\ncat a.json\n```\n"
            "```output\n{}\n```\n```python\n# print 7\n```\n```output\n7\n```\n"
        )
        self.assertEqual(self.problems(page), [])
        self.assertEqual(len(self.session.ran), 4)
        self.assertEqual(list(self.session.not_run), ["a GPU"])

    def test_what_is_wrong_is_found(self) -> None:
        for page, message in [
            ("```sh\ngannet serch a\n```\n", "no command 'serch"),
            ("```sh\ngannet search --indx a\n```\n", "no option --indx"),
            ("<!-- test: needs=gpu -->\n```sh\ngannet search --indx a\n```\n", "no option --indx"),
            ("<!-- test: needs=gpu -->\n```sh\ngannet search damaged\n```\n", "exit code 2"),
            ("<!-- test: needs=gold -->\n```sh\nls\n```\n", "nothing that a block may need"),
            ("`gannet search --indx a`\n", "no option --indx"),
            ("`--indx`\n", "no command of gannet"),
            ("```sh\nfalse; true\n```\n", "exit code 1"),
            ("<!-- test: exit=2 -->\n```sh\ntrue\n```\n", "exit code 0, not 2"),
            ("```sh\ngannet search a\n```\n```output\nsearch b\n```\n", "-search b"),
            ("```sh\nls tools/no_such.sh || true\n```\n", "there is no tools/no_such.sh"),
            ("```text\ngannet search a\n```\n", "blocks of sh"),
            ("<!-- test: file=a.cpp -->\n```cpp\nint main() {}\n```\n", "no block compiles"),
            ("```python\nprint 7\n```\n```output\n8\n```\n", "other output"),
            ("```python\nprint 7 # -> 8\n```\n", "does not print '8'"),
        ]:
            found = self.problems(page)
            self.assertTrue(any(message in problem for problem in found), (page, found))

    def test_help_is_asked(self) -> None:
        known = Help(str(self.machine.gannet))
        self.assertEqual(known.commands(), [("search",)])
        self.assertIsNone(known.problem(["gannet", "search", "--", "--indx"]))
        self.assertIsNone(known.problem(["gannet", "help", "search"]))
        self.assertIsNone(known.problem(["gannet", "help", "COMMAND"]))
        self.assertIsNotNone(known.problem(["gannet", "help", "serch"]))


if __name__ == "__main__":
    unittest.main()
