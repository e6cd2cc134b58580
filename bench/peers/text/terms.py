"""Terms as words of ASCII letters and digits, which every engine's tokenizer leaves as they are.

Most terms are such words. Others (café, 東京, o'neil) are written as a prefix and their UTF-8 bytes
in hexadecimal. Terms that begin with the prefix are written so too, which makes it one to one.
"""

import re

ESCAPE = "zzx"
_PLAIN = re.compile(r"[a-z0-9]+", re.ASCII)


def to_word(term: str) -> str:
    """The word that stands for a term."""
    if _PLAIN.fullmatch(term) and not term.startswith(ESCAPE):
        return term
    return ESCAPE + term.encode().hex()


def from_word(word: str) -> str:
    """The term that a word stands for; ValueError if to_word() makes no such word."""
    if not word.startswith(ESCAPE):
        if not _PLAIN.fullmatch(word):
            raise ValueError(f"'{word}' stands for no term")
        return word
    term = bytes.fromhex(word.removeprefix(ESCAPE)).decode()
    if to_word(term) != word:
        raise ValueError(f"'{word}' stands for no term")
    return term
