"""Tables in Markdown."""

from peers.measure.indexes import GANNET
from peers.systems import SYSTEMS


def title(engine: str) -> str:
    """An engine's name for readers."""
    return "Gannet" if engine == GANNET else SYSTEMS[engine].title


def table(heads: list[str], rows: list[list[str]]) -> str:
    """A table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
