"""What tools/package.sh made has what it should have, and nothing of the machine that made it.

    python3 tests/package/made/contents_test.py FOLDER
    python3 tests/package/made/contents_test.py --compiled-here FOLDER    a wheel of objects that this tree's own
                                                                          build made: they may name its files

Python's standard library does.
"""

from __future__ import annotations

import email.parser
import email.policy
import hashlib
import io
import re
import struct
import subprocess
import sys
import tarfile
import unittest
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
FOLDER = Path()
COMPILED_HERE = False
VERSION = re.search(r'VERSION_STRING "(.*)"', (ROOT / "codecs/base/version.hpp").read_text())[1]
#: Bytes of the largest wheel that is allowed.
LIMITS = {"gannet": 25_000_000, "gannet_cu": 90_000_000}
#: The newest glibc that a wheel may ask for, as its tag says.
GLIBC = (2, 28)
#: The shared libraries that every Linux of that glibc has.
SYSTEM = {
    "libc.so.6",
    "libm.so.6",
    "libdl.so.2",
    "librt.so.1",
    "libpthread.so.0",
    "libgcc_s.so.1",
    "ld-linux-x86-64.so.2",
}
#: Where builds run, on whatever machine: a path below one of these is the machine's.
PLACES = re.compile(
    rb"(?<![\w./-])(?:/(?:home|root|work|venv|gannet|somewhere-else|builds?)/[\w./+-]{3,}|/tmp/tmp[\w./+-]{3,}|[\w./-]*site-packages[\w./-]*)"
)


def machine_paths(content: bytes) -> list[bytes]:
    root = str(ROOT).encode() + b"/"
    if COMPILED_HERE:
        content = content.replace(root, b"")
    return sorted({*PLACES.findall(content), *([root] if root in content else [])})


def needed(elf: bytes) -> set[str]:
    """The shared libraries that a 64-bit little-endian ELF file names."""
    (sections,) = struct.unpack_from("<Q", elf, 40)
    size, count = struct.unpack_from("<HH", elf, 58)
    found = set()
    for i in range(count):
        _, kind, _, _, offset, length, link, _, _, _ = struct.unpack_from(
            "<IIQQQQIIQQ", elf, sections + i * size
        )
        if kind != 6:  # SHT_DYNAMIC
            continue
        (names,) = struct.unpack_from("<Q", elf, sections + link * size + 24)
        for at in range(offset, offset + length, 16):
            tag, value = struct.unpack_from("<qQ", elf, at)
            if tag == 1:  # DT_NEEDED
                found.add(elf[names + value : elf.index(b"\0", names + value)].decode())
    return found


def glibc_wanted(elf: bytes) -> tuple[int, int]:
    return max((int(a), int(b)) for a, b in re.findall(rb"\0GLIBC_(\d+)\.(\d+)", elf))


def static_thread_data(elf: bytes) -> int:
    """Bytes of thread-local data. glibc has room for some 1,600 in modules that ask for them as ours
    does (0065)."""
    (programs,) = struct.unpack_from("<Q", elf, 32)
    size, count = struct.unpack_from("<HH", elf, 54)
    for i in range(count):
        kind, _, _, _, _, _, memory, _ = struct.unpack_from("<IIQQQQQQ", elf, programs + i * size)
        if kind == 7:  # PT_TLS
            return memory
    return 0


#: How names of manual pages begin.
MANUAL = "share/man/man1/gannet"
#: What shells complete the command by.
COMPLETIONS = {
    "share/bash-completion/completions/gannet",
    "share/fish/vendor_completions.d/gannet.fish",
    "share/zsh/site-functions/_gannet",
}


class Wheels(unittest.TestCase):
    def setUp(self) -> None:
        self.wheels = sorted(FOLDER.glob("*.whl"))
        if not self.wheels:
            self.skipTest("no wheel")

    def test_names(self) -> None:
        for wheel in self.wheels:
            self.assertRegex(
                wheel.name,
                rf"^gannet(_cu\d+)?-{re.escape(VERSION)}-cp310-abi3-manylinux_2_28_x86_64\.whl$",
            )

    def test_files(self) -> None:
        package = {
            f"gannet/{path.relative_to(ROOT / 'tools/python/gannet')}"
            for path in (ROOT / "tools/python/gannet").rglob("*")
            if path.suffix in {".py", ".typed"}
        }
        for wheel in self.wheels:
            name = "-".join(wheel.name.split("-")[:2])
            own = {
                f"{name}.dist-info/{file}"
                for file in (
                    "METADATA",
                    "WHEEL",
                    "RECORD",
                    "licenses/LICENSE",
                    "licenses/NOTICE.third-party",
                )
            }
            own |= {"gannet/_gannet.abi3.so", "gannet/_gannet.pyi", f"{name}.data/scripts/gannet"}
            own |= {f"{name}.data/data/{file}" for file in COMPLETIONS}
            files = {file for file in zipfile.ZipFile(wheel).namelist() if not file.endswith("/")}
            if name.startswith("gannet_cu"):
                runtime = {file for file in files if ".libs/libcudart-" in file}
                self.assertEqual(len(runtime), 1)
                files -= runtime
            pages = {file for file in files if f".data/data/{MANUAL}" in file}
            self.assertGreater(len(pages), 20)
            self.assertEqual(files - pages, package | own)

    def test_sizes(self) -> None:
        for wheel in self.wheels:
            limit = LIMITS["gannet_cu" if wheel.name.startswith("gannet_cu") else "gannet"]
            self.assertLessEqual(wheel.stat().st_size, limit, wheel.name)

    def test_metadata(self) -> None:
        for wheel in self.wheels:
            archive = zipfile.ZipFile(wheel)
            (file,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
            data = email.parser.BytesParser(policy=email.policy.compat32).parsebytes(
                archive.read(file)
            )
            self.assertEqual(data["Name"].replace("-", "_"), wheel.name.split("-")[0])
            self.assertEqual(data["Version"], VERSION)
            self.assertEqual(data["Requires-Python"], ">=3.10")
            wanted = [name for name in data.get_all("Requires-Dist") if "extra ==" not in name]
            self.assertEqual(
                sorted(re.match(r"[\w-]+", name)[0] for name in wanted),
                ["nanobind-backend", "numpy"],
            )
            self.assertIn("search engine library", data.get_payload())

    def test_symbols(self) -> None:
        for wheel in self.wheels:
            module = zipfile.ZipFile(wheel).read("gannet/_gannet.abi3.so")
            self.assertLessEqual(glibc_wanted(module), GLIBC)
            others = {name for name in needed(module) if not name.startswith("libcudart-")}
            self.assertLessEqual(others, SYSTEM)
            self.assertLess(static_thread_data(module), 1024)

    def test_nothing_of_the_machine(self) -> None:
        for wheel in self.wheels:
            archive = zipfile.ZipFile(wheel)
            for name in archive.namelist():
                self.assertEqual(machine_paths(archive.read(name)), [], f"{wheel.name}: {name}")
            self.assertEqual(
                len({file.date_time for file in archive.infolist()}), 1, "times of files differ"
            )

    def test_the_command_is_a_script_of_pip(self) -> None:
        for wheel in self.wheels:
            archive = zipfile.ZipFile(wheel)
            (file,) = [name for name in archive.namelist() if name.endswith("scripts/gannet")]
            self.assertTrue(archive.read(file).startswith(b"#!python\n"))
            self.assertTrue(
                archive.getinfo(file).external_attr >> 16 & 0o111, "it may not be executed"
            )


class Tarball(unittest.TestCase):
    def setUp(self) -> None:
        found = sorted(FOLDER.glob("*.tar.gz"))
        if not found:
            self.skipTest("no tarball")
        self.name = found[0].name.removesuffix(".tar.gz")
        self.archive = tarfile.open(found[0])

    def test_files(self) -> None:
        files = {
            member.name.removeprefix(self.name + "/")
            for member in self.archive.getmembers()
            if member.isfile()
        }
        pages = {file for file in files if file.startswith(MANUAL)}
        self.assertGreater(len(pages), 20)
        rest = {"bin/gannet", "LICENSE", "NOTICE.third-party", "README.md", "CHANGELOG.md"}
        self.assertEqual(files - pages, rest | COMPLETIONS)

    def test_owners_and_times(self) -> None:
        self.assertEqual(
            {(member.uid, member.gid) for member in self.archive.getmembers()}, {(0, 0)}
        )
        self.assertEqual(len({member.mtime for member in self.archive.getmembers()}), 1)

    def test_the_command_needs_no_library(self) -> None:
        program = self.archive.extractfile(f"{self.name}/bin/gannet").read()
        self.assertEqual(needed(program), set())
        self.assertEqual(machine_paths(program), [])


class Debs(unittest.TestCase):
    def setUp(self) -> None:
        self.debs = {deb.name.split("_")[0]: deb for deb in FOLDER.glob("*.deb")}
        if not self.debs:
            self.skipTest("no Debian package")

    def _ask(self, *words: str) -> str:
        return subprocess.run(
            ["dpkg-deb", *words], check=True, capture_output=True, text=True
        ).stdout

    def _files(self, name: str) -> str:
        return self._ask("--contents", str(self.debs[name]))

    def test_two_packages(self) -> None:
        self.assertEqual(set(self.debs), {"gannet", "libgannet-dev"})
        for deb in self.debs.values():
            self.assertEqual(
                self._ask("--field", str(deb), "Version").strip().split("-")[0], VERSION
            )

    def test_what_they_depend_on(self) -> None:
        for name, some in {
            "gannet": ("libc6", "libicu", "libtbb"),
            "libgannet-dev": ("libicu-dev", "libfmt-dev", "pkg-config"),
        }.items():
            depends = self._ask("--field", str(self.debs[name]), "Depends")
            for package in some:
                self.assertIn(package, depends)

    def test_files(self) -> None:
        self.assertRegex(
            self._files("gannet"), r"\./usr/bin/gannet\n[\s\S]*man1/gannet-search\.1\n"
        )
        self.assertNotIn("include", self._files("gannet"))
        self.assertRegex(self._files("libgannet-dev"), r"cmake/gannet/gannet-config\.cmake\n")
        for library in ("codecs", "index", "corpora", "query"):
            self.assertIn(f"libgannet_{library}.a\n", self._files("libgannet-dev"))
        self.assertNotIn("usr/bin", self._files("libgannet-dev"))

    def test_nothing_of_the_machine(self) -> None:
        for name, deb in self.debs.items():
            tar = subprocess.run(
                ["dpkg-deb", "--fsys-tarfile", str(deb)], check=True, capture_output=True
            ).stdout
            for member in (archive := tarfile.open(fileobj=io.BytesIO(tar))):
                if member.isfile():
                    self.assertEqual(
                        machine_paths(archive.extractfile(member).read()),
                        [],
                        f"{name}: {member.name}",
                    )


class Sums(unittest.TestCase):
    def test_all_files_have_theirs(self) -> None:
        lines = (FOLDER / "SHA256SUMS").read_text().splitlines()
        sums = {
            name.removeprefix("./"): digest for digest, name in (line.split() for line in lines)
        }
        made = {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in FOLDER.iterdir()
            if path.name != "SHA256SUMS"
        }
        self.assertEqual(sums, made)


if __name__ == "__main__":
    COMPILED_HERE = "--compiled-here" in sys.argv
    sys.argv = [argument for argument in sys.argv if argument != "--compiled-here"]
    if len(sys.argv) < 2 or not Path(sys.argv[1]).is_dir():
        sys.exit(__doc__)
    FOLDER = Path(sys.argv.pop(1))
    unittest.main()
