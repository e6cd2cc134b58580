"""The command lines of shell text: which of them call gannet, and how."""

from __future__ import annotations

import re
import shlex

#: Programs that run the command that follows them; and options of theirs that take a value.
RUNNERS = ("mpirun", "srun", "time", "env", "nice", "sudo", "flock", "timeout", "!")
_SEPARATORS = re.compile(r"[|&;()]+")
_KEYWORDS = ("do", "then", "else", "if", "while")
_HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")


def without_heredocs(text: str) -> str:
    """The text without the bodies of here-documents."""
    kept, end = [], None
    for line in text.splitlines():
        if end is not None:
            end = None if line.strip() == end else end
            continue
        kept.append(line)
        found = _HEREDOC.search(line)
        end = found[2] if found else None
    return "\n".join(kept) + "\n"


def _is_assignment(word: str) -> bool:
    return re.match(r"[A-Za-z_]\w*=", word) is not None


def _words(line: str) -> list[str]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;()<>")
    lexer.whitespace_split = True
    lexer.commenters = "#"
    return list(lexer)


def simple_commands(text: str) -> list[list[str]]:
    """Every simple command as its words, without redirections. Throws ValueError for quotes that
    are not closed."""
    joined = without_heredocs(text).replace("\\\n", " ")
    commands: list[list[str]] = []
    pending = ""
    for line in joined.splitlines():
        pending += line
        try:
            words = _words(pending)
        except ValueError:
            pending += "\n"
            continue
        pending = ""
        current: list[str] = []
        skip = False
        for word in words:
            if skip:
                skip = False
            elif word.startswith("(") and current:
                break  # find_package(gannet ...): not a shell's
            elif _SEPARATORS.fullmatch(word):
                commands.append(current)
                current = []
            elif set(word) <= set("<>&") and word:
                if current and current[-1].isdigit():
                    current.pop()  # 2>
                skip = True
            else:
                current.append(word)
        commands.append(current)
    if pending.strip():
        raise ValueError(f"no closing quotation: {pending.strip()[:60]}")
    return [command for command in commands if command]


def calls(text: str, program: str = "gannet") -> list[list[str]]:
    """The calls of gannet: the words from `gannet` on."""
    found = []
    for command in simple_commands(text):
        words = list(command)
        while words and (_is_assignment(words[0]) or words[0] in _KEYWORDS):
            words.pop(0)
        if words and words[0] in RUNNERS and program in words:
            words = words[words.index(program) :]
        if len(words) > 1 and words[0] == program:
            found.append(words)
    return found
