"""Lucene with a Java to run it, and the program of java/ compiled for both."""

import fnmatch
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

from peers.errors import Exit, PeersError
from peers.work.processes import Runner

REQUIREMENTS = Path(__file__).parents[1] / "requirements-java.txt"
SOURCES = Path(__file__).parents[1] / "java"
#: Parts of the wheels that are unpacked: what they are called there, and the folder here.
PARTS = {
    "arcadedb_embedded/jre/*": "jre",
    "arcadedb_embedded/jars/lucene-core-*.jar": "lib",
    "arcadedb_embedded/jars/lucene-analysis-common-*.jar": "lib",
    "*/org.eclipse.jdt.core.compiler.batch_*.jar": "compiler",
}
COMPILER = "org.eclipse.jdt.internal.compiler.batch.Main"
#: The language's version is that of the Java which runs it.
RELEASE = "-25"


def sources() -> list[Path]:
    """The program's files."""
    return sorted(SOURCES.glob("*.java"))


def key() -> list[str]:
    """What the folder is made of."""
    return [REQUIREMENTS.read_text(), *(path.read_text() for path in sources())]


def make(runner: Runner, python: Path, folder: Path) -> None:
    """Fills a folder: jre, lib and classes."""
    wheels = folder / "wheels"
    pip = [str(python), "-m", "pip", "download", "--disable-pip-version-check", "--no-deps"]
    pip += ["--only-binary", ":all:", "-d", str(wheels), "-r", str(REQUIREMENTS)]
    try:
        runner.run("pip-java", pip)
    except PeersError as error:
        raise PeersError(
            Exit.OTHER,
            "Lucene's wheels could not be had from PyPI; --peers without lucene does without "
            f"them.\n{error}",
        ) from error
    for wheel in sorted(wheels.glob("*.whl")):
        unpack(wheel, folder)
    shutil.rmtree(wheels)
    compile_program(runner, folder)


def unpack(wheel: Path, folder: Path) -> None:
    """Unpacks what is used of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        for name, place in members(archive.namelist()):
            target = folder / place
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(name) as source, target.open("wb") as output:
                shutil.copyfileobj(source, output)
            # The mode that the wheel was made with.
            target.chmod(archive.getinfo(name).external_attr >> 16 & 0o777 | 0o600)


def members(names: list[str]) -> Iterator[tuple[str, Path]]:
    """What is used of a wheel, and where it goes."""
    for name in names:
        for pattern, place in PARTS.items():
            if not name.endswith("/") and fnmatch.fnmatchcase(name, pattern):
                inner = name.partition("/jre/")[2] if place == "jre" else Path(name).name
                yield name, Path(place) / inner


def compile_program(runner: Runner, folder: Path) -> None:
    """Compiles the program."""
    java = folder / "jre/bin/java"
    java.chmod(0o755)
    library = ":".join(map(str, sorted((folder / "lib").glob("*.jar"))))
    compiler = ":".join(map(str, (folder / "compiler").glob("*.jar")))
    command = [str(java), "-cp", compiler, COMPILER, RELEASE, "-cp", library]
    runner.run("java-compiler", [*command, "-d", str(folder / "classes"), *map(str, sources())])
