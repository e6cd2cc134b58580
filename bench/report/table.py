"""Tables in Markdown, and figures as readers want them."""

import textwrap


def table(heads: list[str], rows: list[list[str]]) -> str:
    """A table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def whole(value: float) -> str:
    """A rate in three digits, or all of its digits from a thousand on."""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def rounded(value: float) -> str:
    """A rate in three digits."""
    return f"{round(value, min(0, 3 - len(str(int(value))))):,.0f}"


def ratio(value: float) -> str:
    """How many times as fast. What is below one is bold and never rounded up to one."""
    return f"**{min(value, 0.99):.2f}**" if value < 1 else f"{value:.2f}"


def wrapped(text: str) -> str:
    """A paragraph in lines that are no longer than other prose of the documents."""
    return textwrap.fill(text, width=190, break_long_words=False, break_on_hyphens=False)


def bullet(text: str) -> str:
    """An item of a list."""
    return textwrap.indent(wrapped(text), "  ").replace("  ", "- ", 1)
