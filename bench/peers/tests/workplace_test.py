"""The work folder."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

from peers.errors import Exit, PeersError
from peers.work import workplace


class Claims(unittest.TestCase):
    """Whose a folder is."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "work"

    def refused(self, message: str) -> None:
        """Opening the folder is a usage error."""
        with self.assertRaisesRegex(PeersError, message) as caught, workplace.opened(self.folder):
            pass
        self.assertEqual(caught.exception.code, Exit.USAGE)

    def test_a_new_folder_and_an_empty_one_are_taken_and_known_again(self) -> None:
        for _ in range(2):
            with workplace.opened(self.folder) as opened:
                self.assertEqual(opened.folder, self.folder)

    def test_a_folder_of_others_is_refused_and_left_alone(self) -> None:
        self.folder.mkdir()
        thesis = self.folder / "thesis.txt"
        thesis.write_text("years")
        self.refused("no work folder of bench/peers.sh")
        self.assertEqual(list(self.folder.iterdir()), [thesis])

    def test_a_file_is_refused(self) -> None:
        self.folder.write_text("")
        self.refused("no work folder")

    def test_another_version_is_refused(self) -> None:
        self.folder.mkdir()
        (self.folder / workplace.MARK).write_text("{}")
        self.refused("another version")

    def test_one_run_at_a_time(self) -> None:
        with workplace.opened(self.folder):
            self.refused("another run works in it")

    def test_a_process_that_inherits_the_lock_keeps_it(self) -> None:
        with workplace.opened(self.folder) as opened:
            child = subprocess.Popen(
                [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, pass_fds=[opened.lock]
            )
        self.refused("another run works in it")
        child.communicate(b"\n")
        with workplace.opened(self.folder):
            pass


class Parts(unittest.TestCase):
    """What is made once."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        opened = workplace.opened(Path(folder.name) / "work")
        self.workplace = opened.__enter__()
        self.addCleanup(opened.__exit__, None, None, None)
        self.made = 0

    def make(self, folder: Path) -> Any:
        """Counts how often it is called."""
        self.made += 1
        (folder / "number").write_text(str(self.made))
        return {"number": self.made}

    def test_a_part_is_made_once(self) -> None:
        for _ in range(2):
            folder, facts = self.workplace.part("a", ["key", (1, 2)], self.make)
            self.assertEqual(facts, {"number": 1})
            self.assertEqual((folder / "number").read_text(), "1")

    def test_another_key_makes_it_again(self) -> None:
        self.workplace.part("a", "key", self.make)
        folder, facts = self.workplace.part("a", "other", self.make)
        self.assertEqual(facts, {"number": 2})
        self.assertEqual((folder / "number").read_text(), "2")

    def test_it_is_made_again_when_that_is_asked_for(self) -> None:
        self.workplace.part("a", "key", self.make)
        self.assertEqual(self.workplace.part("a", "key", self.make, anew=True)[1], {"number": 2})

    def test_an_interrupted_part_is_not_there(self) -> None:
        def interrupted(folder: Path) -> None:
            (folder / "half").write_text("")
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            self.workplace.part("a", "key", interrupted)
        folder, facts = self.workplace.part("a", "key", self.make)
        self.assertEqual(facts, {"number": 1})
        self.assertFalse((folder / "half").exists())

    def test_an_interrupted_rebuild_leaves_the_old_part(self) -> None:
        self.workplace.part("a", "key", self.make)

        def interrupted(folder: Path) -> None:
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            self.workplace.part("a", "key", interrupted, anew=True)
        self.assertEqual(self.workplace.part("a", "key", self.make)[1], {"number": 1})
