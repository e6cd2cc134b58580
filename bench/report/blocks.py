"""Marked blocks of a document: from `<!-- report: NAME -->` to the next empty line."""

import re

_BLOCK = re.compile(r"^<!-- report: (\S+) -->\n((?:.+\n)*)", re.MULTILINE)


class BlockError(Exception):
    """A document asks for a block that there is not."""


def filled(text: str, blocks: dict[str, str], document: str) -> str:
    """The document with its blocks as they are to be. Throws BlockError."""

    def block(found: re.Match[str]) -> str:
        if found[1] not in blocks:
            raise BlockError(f"{document}: no block is called '{found[1]}': {', '.join(blocks)}")
        return f"<!-- report: {found[1]} -->\n{blocks[found[1]].rstrip()}\n"

    if not _BLOCK.search(text):
        raise BlockError(f"{document} has no block: no line '<!-- report: NAME -->'")
    return _BLOCK.sub(block, text)
