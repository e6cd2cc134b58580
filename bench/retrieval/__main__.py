"""The command line of bench/retrieval.sh."""

import argparse
import sys

from retrieval import (
    curves,
    differential,
    learned_sparse,
    pipeline,
    real_collections,
    segments,
    several_texts,
    steps,
)
from retrieval.errors import RetrievalError

COMMANDS = {
    "differential": differential,
    "learned-sparse": learned_sparse,
    "pipeline": pipeline,
    "collections": real_collections,
    "steps": steps,
    "curves": curves,
    "segments": segments,
    "texts": several_texts,
}


def main() -> int:
    """Runs what the command line asks for; the exit code."""
    parser = argparse.ArgumentParser(
        prog="bench/retrieval.sh", description="Measures retrieval; GANNET names the command."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, module in COMMANDS.items():
        module.declare(commands.add_parser(name, help=module.__doc__, description=module.__doc__))
    options = parser.parse_args()
    try:
        return COMMANDS[options.command].main(options)
    except RetrievalError as error:
        print(f"bench/retrieval.sh {options.command}: {error}", file=sys.stderr)
        return error.code


if __name__ == "__main__":
    sys.exit(main())
