"""What tools/package.sh pins is what the build asks for, and its scripts say how they are used. Needs nothing that is built."""

from __future__ import annotations

import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def version() -> str:
    return re.search(r'VERSION_STRING "(.*)"', read("codecs/base/version.hpp"))[1]


class Pins(unittest.TestCase):
    def test_debian_packages_are_those_of_setup(self) -> None:
        pinned = dict(
            line.split("=", 1)
            for line in read("tools/package/packages.txt").splitlines()
            if not line.startswith("#")
        )
        libraries = re.search(r"# libraries\n(.*?)# tests", read("tools/setup.sh"), re.DOTALL)[
            1
        ].split()
        self.assertGreater(len(libraries), 10)
        self.assertEqual(set(libraries) - set(pinned), set())
        self.assertTrue(all(pinned.values()))

    def test_python_packages_are_those_of_pyproject(self) -> None:
        pinned = dict(
            re.findall(
                r"^([\w-]+)==([\w.]+)$", read("tools/package/requirements.txt"), re.MULTILINE
            )
        )
        required = re.search(r"^requires = \[(.*)\]", read("pyproject.toml"), re.MULTILINE)[1]
        for name, least in re.findall(
            r'"([\w-]+)>=([\d.]+)"', required.replace("scikit_build_core", "scikit-build-core")
        ):
            self.assertIn(name, pinned)
            self.assertGreaterEqual(
                [int(n) for n in pinned[name].split(".")], [int(n) for n in least.split(".")]
            )

    def test_a_version_in_one_place(self) -> None:
        self.assertIn(f"\nversion: {version()}\n", read("CITATION.cff"))
        self.assertIn(f"\n## {version()} - ", read("CHANGELOG.md"))


class Scripts(unittest.TestCase):
    def _run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [ROOT / words[0], *words[1:]], capture_output=True, text=True, check=False
        )

    def test_help(self) -> None:
        scripts = [
            "tools/package.sh",
            "tools/release.sh",
            "tests/package/made/stranger.sh",
            "tests/package/made/gpu_wheel.sh",
        ]
        scripts += [f"tools/package/{name}.sh" for name in ("build", "link", "root", "third_party")]
        for script in scripts:
            done = self._run(script, "--help")
            self.assertIn(Path(script).name, done.stdout, script)
            self.assertEqual((done.returncode, done.stderr), (0, ""), script)

    def test_wrong_options(self) -> None:
        for words in (
            ["tools/package.sh", "rpm"],
            ["tools/package.sh", "--build", "x", "deb"],
            ["tools/release.sh", "now"],
        ):
            done = self._run(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertNotEqual(done.stderr, "")


if __name__ == "__main__":
    unittest.main()
