"""bench/report.sh."""

import argparse
import sys
from pathlib import Path

from report import blocks, content

BENCH = Path(__file__).resolve().parents[1]
#: Documents that have blocks of the report, and where they find bench/results.
DOCUMENTS = {
    BENCH / "RESULTS.md": "results/",
    BENCH / "results" / "README.md": "",
    BENCH.parent / "README.md": "bench/results/",
}
PLOTS = BENCH / "results" / "plots"


def wanted() -> dict[Path, str]:
    """All files that the report makes, with what is to be in them."""
    files = {PLOTS / f"{name}.svg": svg for name, svg in content.plots().items()}
    for document, results in DOCUMENTS.items():
        text = document.read_text(encoding="utf-8")
        files[document] = blocks.filled(text, content.blocks(results), document.name)
    return files


def main() -> int:
    """Exit code 1: --check has found a difference."""
    parser = argparse.ArgumentParser(prog="bench/report.sh", description=content.__doc__)
    parser.add_argument("--check", action="store_true", help="compare only")
    check = parser.parse_args().check
    try:
        files = wanted()
    except blocks.BlockError as error:
        print(f"bench/report.sh: {error}", file=sys.stderr)
        return 1
    different = [
        path
        for path, text in files.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    if PLOTS.exists():
        different += sorted(set(PLOTS.iterdir()) - set(files))
    for path in different:
        name = path.relative_to(BENCH.parent)
        if check:
            print(f"{name} is not what the JSON files give: run bench/report.sh", file=sys.stderr)
        elif path in files:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(files[path], encoding="utf-8")
            print(f"{name} written")
        else:
            path.unlink()
            print(f"{name} removed")
    return 1 if check and different else 0


if __name__ == "__main__":
    sys.exit(main())
