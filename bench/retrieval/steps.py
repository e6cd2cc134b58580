"""What each step of the GPU's pruned search is worth, by builds that leave one of them out."""

import argparse
import re
import subprocess
from pathlib import Path
from typing import Any

from retrieval import speed, table
from retrieval.errors import FAILED, USAGE, RetrievalError
from retrieval.gannet import ROOT, Gannet

STEPS = ROOT / "query" / "gpu" / "plan" / "pruned" / "steps.hpp"
ARCHITECTURE = "native"


def declare(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("--builds", type=Path, required=True, help="the folder of the builds")
    parser.add_argument(
        "--build", action="store_true", help="make them first (each takes some minutes)"
    )
    parser.add_argument(
        "--architecture", default=ARCHITECTURE, help="of the GPU, as CMake names it (90)"
    )
    parser.add_argument("--index", type=Path, help="without an index, builds are made, not run")
    parser.add_argument("--topics", type=Path, help="the query log")
    speed.declare_settings(parser, "1,1000")


def steps() -> dict[int, str]:
    """The steps by number, in words; 0: none is left out."""
    found = {0: "all steps"}
    text = STEPS.read_text()
    for match in re.finditer(r"^  k(\w+) = (\d+),", text, re.MULTILINE):
        words = re.sub(r"(?<!^)([A-Z])", r" \1", match.group(1)).lower()
        found[int(match.group(2))] = f"without {words}"
    return found


def build(folder: Path, number: int, architecture: str) -> None:
    """Makes folder/NUMBER/gannet."""
    made = folder / str(number)
    configure = ["cmake", "-S", str(ROOT), "-B", str(made), "-G", "Ninja"]
    configure += ["-DCMAKE_BUILD_TYPE=Release", "-DGANNET_CUDA=ON", "-DGANNET_LINEINFO=OFF"]
    configure += [f"-DCMAKE_CUDA_ARCHITECTURES={architecture}", f"-DGANNET_WITHOUT_STEP={number}"]
    for command in (configure, ["cmake", "--build", str(made), "--target", "gannet"]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RetrievalError(FAILED, f"{' '.join(command)}: {done.stdout}{done.stderr}")


def measure(folder: Path, number: int, options: argparse.Namespace) -> list[dict[str, Any]]:
    """The rates of one build."""
    program = folder / str(number) / "gannet"
    if not program.exists():
        raise RetrievalError(USAGE, f"there is no {program}: make the builds with --build")
    gannet = Gannet(program)
    return speed.rows(gannet, options.index, options.topics, "cuda", speed.settings(options))


def print_steps(rows: list[dict[str, Any]]) -> None:
    """A line a step, a column a setting: queries/s, and what remains of those of all steps."""
    settings = list(dict.fromkeys((r["mode"], r["k"], r["batch"]) for r in rows))
    whole = {(r["mode"], r["k"], r["batch"]): r for r in rows if r["step"] == "all steps"}
    lines = []
    for step in dict.fromkeys(row["step"] for row in rows):
        cells = [step]
        found = {(r["mode"], r["k"], r["batch"]): r for r in rows if r["step"] == step}
        for setting in settings:
            rate = found[setting]["queries_per_second"]
            share = rate / whole[setting]["queries_per_second"]
            cells.append(f"{rate:,.0f} ({share:.2f})")
        lines.append(cells)
    heads = [f"{mode} {k}, batch {batch:,}" for mode, k, batch in settings]
    table.print_markdown(["queries/s (of all steps')", *heads], lines)


def main(options: argparse.Namespace) -> int:
    """The command."""
    if (options.index is None) != (options.topics is None):
        raise RetrievalError(USAGE, "--index and --topics go together")
    if options.build:
        for number in steps():
            build(options.builds, number, options.architecture)
    if options.index is None:
        return 0
    rows = []
    for number, name in steps().items():
        for row in measure(options.builds, number, options):
            rows.append({**row, "step": name})
    print_steps(rows)
    table.write_json(options.output, rows)
    return 0
