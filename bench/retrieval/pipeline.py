"""gannet run from topics to run file, beside what the device does by itself."""

import argparse
import tempfile
from pathlib import Path
from typing import Any

from retrieval import speed, table
from retrieval.gannet import Gannet, backends


def declare(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--topics", type=Path, required=True, help="100,000 queries or more")
    parser.add_argument("--k", default="10")
    parser.add_argument("--mode", default="or")
    parser.add_argument("--batch", default="1024,4096,16384", help="queries in a batch")
    parser.add_argument("--threads", default="0", help="of the host, some numbers; 0: all")
    parser.add_argument("--backend", choices=("cuda", "cpu"), help="only this one")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--output", type=Path, help="also write the figures as JSON")


def best_run(arguments: list[str], gannet: Gannet, repeats: int) -> dict[str, Any]:
    """Of some runs the one with the median rate."""
    runs = [gannet.json(*arguments) for _ in range(repeats)]
    runs.sort(key=lambda run: run["queries_per_second"])
    return runs[len(runs) // 2]


def measure(options: argparse.Namespace, gannet: Gannet, backend: str, folder: Path) -> list[dict]:
    """A row a batch size and number of threads."""
    rows = []
    common = ["--k", options.k, "--mode", options.mode]
    for batch in options.batch.split(","):
        bench = [*common, "--batch", batch, "--limit", "0", "--repeats", str(options.repeats)]
        alone = speed.rows(gannet, options.index, options.topics, backend, bench)[0]
        for threads in options.threads.split(","):
            arguments = ["run", "--index", str(options.index), "--topics", str(options.topics)]
            arguments += ["--backend", backend, "--batch", batch, "--threads", threads, *common]
            arguments += ["--output", str(folder / "out.run"), "--overwrite"]
            run = best_run(arguments, gannet, options.repeats)
            run["search_alone"] = alone
            run["batch"] = int(batch)
            run["threads"] = int(threads)
            run["backend"] = backend
            rows.append(run)
    return rows


def line(row: dict[str, Any]) -> list[str]:
    """A row's cells."""
    alone = row["search_alone"]
    device = alone["device_seconds"]
    device_rate = alone["queries"] / device if device > 0 else alone["queries_per_second"]
    cells = [row["backend"], f"{row['batch']:,}", str(row["threads"] or "all")]
    rate = row["queries_per_second"]
    cells += [f"{rate:,.0f}", f"{alone['queries_per_second']:,.0f}", f"{device_rate:,.0f}"]
    cells.append(f"{100 * rate / device_rate:.0f}")
    report = row["report"]
    share = {**row["seconds"], "device": report["device_seconds"]}
    # A run meets most lists for the first time; searching alone was warmed up.
    share["bounds"] = report["bounds_seconds"]
    share["transfer"] = report["transfer_seconds"]
    times = [f"{stage} {1e6 * share[stage] / row['queries']:.2f}" for stage in share]
    return [*cells, ", ".join(times)]


def main(options: argparse.Namespace) -> int:
    """The command."""
    gannet = Gannet()
    rows = []
    with tempfile.TemporaryDirectory(prefix="gannet-pipeline-") as folder:
        chosen = [options.backend] if options.backend else None
        for backend in chosen or backends(gannet, options.index, options.topics):
            rows += measure(options, gannet, backend, Path(folder))
    heads = ["back end", "batch", "threads", "run queries/s", "searching alone", "device alone"]
    table.print_markdown([*heads, "% of the device", "us a query"], [line(row) for row in rows])
    table.write_json(options.output, rows)
    return 0
