"""bench/peers.sh as users call it; nothing here gets as far as installing the peers."""

import contextlib
import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from peers.errors import Exit

SCRIPT = Path(__file__).resolve().parents[2] / "peers.sh"
#: Options that ask for no data.
NOTHING = ["--collections", "", "--judged", "", "--logs", ""]
#: In place of gannet: tells its version, then works for a long time, and says who it is.
SLOW = """#!/bin/sh
echo $$ >>"$PIDS"
case $1 in version) echo '{"version":"0"}' ;; *) sleep 600 ;; esac
"""
#: Fails as gannet does for a damaged index.
FAILING = """#!/bin/sh
echo 'gannet version: this went wrong' >&2
exit 3
"""


class CommandLine(unittest.TestCase):
    """Exit codes and messages."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.work = self.folder / "work"
        self.gannet = self.program("gannet", SLOW)
        self.environment = os.environ | {"PIDS": str(self.folder / "pids")}

    def program(self, name: str, text: str) -> Path:
        """A script that can be run."""
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def call(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Calls the script with a command and a work folder of the test's."""
        named = ["--gannet", str(self.gannet), "--work", str(self.work), "--data", str(self.folder)]
        command = [str(SCRIPT), *named, *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, env=self.environment, check=False
        )

    def test_columns_ask_for_no_file_that_they_do_not_read(self) -> None:
        """Of the default collections and logs the first, and no judged collection."""
        for name in ("wikipedia-a/docs.jsonl.zst", "queries/terabyte05.efficiency.tsv"):
            (self.folder / name).parent.mkdir(exist_ok=True)
            (self.folder / name).touch()
        self.program("gannet", FAILING)
        done = self.call("--columns")
        self.assertNotIn("is missing", done.stderr)
        self.assertIn("this went wrong", done.stderr)

    def test_the_game_asks_for_its_file_and_one_collection(self) -> None:
        (self.folder / "wikipedia-a").mkdir()
        (self.folder / "wikipedia-a/docs.jsonl.zst").touch()
        game = self.folder / "queries.txt"
        done = self.call("--game", str(game))
        self.assertEqual(done.returncode, Exit.FILES)
        self.assertIn(f"{game} is missing: the query file of the Search", done.stderr)
        self.assertFalse(self.work.exists())
        game.touch()
        self.program("gannet", FAILING)
        done = self.call("--game", str(game))
        self.assertNotIn("is missing", done.stderr)
        self.assertIn("this went wrong", done.stderr)

    def test_help_teaches(self) -> None:
        done = self.call("--help")
        self.assertEqual(done.returncode, Exit.DONE)
        for part in ("--quick", "GANNET_DATA", "examples:", "exit codes:", "docs.jsonl.zst"):
            self.assertIn(part, done.stdout)
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)

    def test_wrong_options_are_told_before_anything_is_made(self) -> None:
        wrong = {
            ("--qick",): "--qick",
            ("--peers", "pisa,terrier"): "'terrier' is none of pisa, tantivy, bm25s, lucene",
            ("--rounds", "0"): "'0' is no whole number from 1 to 100",
            ("--queries", "many"): "'many' is no whole number",
            ("--collections", "../secrets"): "'../secrets' is no collection",
            ("--collections", "wikipedia-a:0"): "FOLDER:40 for passages of 40 words",
            ("--logs", "a/b"): "'a/b' is no log's name",
            ("--gannet", "/nowhere/gannet"): "build it",
            ("--columns", "--plot", "figure.svg"): "there is no figure of --columns",
            ("--columns", "--game", "queries.txt"): "leave one of them out",
            ("--only", "and-*"): "it chooses among the questions of --columns",
            ("--columns", "--only", "xor-*"): "no question's name matches",
        }
        for arguments, message in wrong.items():
            done = self.call(*arguments)
            self.assertEqual(done.returncode, Exit.USAGE, arguments)
            self.assertIn(message, done.stderr)
        self.assertFalse(self.work.exists())

    def test_a_work_folder_of_others_is_refused(self) -> None:
        self.work.mkdir()
        (self.work / "thesis.txt").write_text("years")
        done = self.call(*NOTHING)
        self.assertEqual(done.returncode, Exit.USAGE)
        self.assertIn(f"--work {self.work}", done.stderr)
        self.assertEqual([path.name for path in self.work.iterdir()], ["thesis.txt"])

    def test_missing_data_is_told_before_the_peers_are_installed(self) -> None:
        done = self.call("--quick")
        self.assertEqual(done.returncode, Exit.FILES)
        self.assertIn(f"{self.folder}/medquad/docs.jsonl.zst is missing", done.stderr)
        self.assertFalse((self.work / "parts").exists())

    def test_a_json_file_that_cannot_be_written_is_told_first(self) -> None:
        done = self.call(*NOTHING, "--json", f"{self.folder}/nowhere/peers.json")
        self.assertEqual(done.returncode, Exit.FILES)
        self.assertIn("nowhere/peers.json: its folder is missing", done.stderr)
        self.assertFalse(self.work.exists())

    def test_a_command_that_fails_is_shown_with_its_words_and_its_code(self) -> None:
        self.gannet = self.program("broken", FAILING)
        done = self.call(*NOTHING)
        self.assertEqual(done.returncode, Exit.MALFORMED)
        self.assertIn("gannet version: this went wrong", done.stderr)

    def test_a_signal_ends_what_was_started(self) -> None:
        self.gannet = self.program("slow", SLOW.replace("version)", "never)"))
        command = [str(SCRIPT), "--gannet", str(self.gannet), "--work", str(self.work)]
        running = subprocess.Popen(
            [*command, *NOTHING], stderr=subprocess.PIPE, text=True, env=self.environment
        )
        pids = Path(self.environment["PIDS"])
        deadline = time.monotonic() + 30
        while not (pids.exists() and pids.read_text().strip()) and time.monotonic() < deadline:
            time.sleep(0.01)
        running.send_signal(signal.SIGTERM)
        _, said = running.communicate(timeout=30)
        self.assertEqual(running.returncode, Exit.INTERRUPTED)
        self.assertIn("run again to go on", said)
        for pid in map(int, pids.read_text().split()):
            self.assertFalse(alive(pid))


def alive(pid: int) -> bool:
    """Whether a process runs."""
    with contextlib.suppress(OSError):
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state != "Z"
    return False
