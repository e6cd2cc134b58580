"""Errors with what, where and what to do next, and the exit codes of bench/peers.sh."""

import enum


class Exit(enum.IntEnum):
    """Exit codes, as the command gannet has them."""

    DONE = 0
    DISAGREE = 1
    USAGE = 2
    MALFORMED = 3
    FILES = 4
    OTHER = 6
    INTERRUPTED = 130


class PeersError(Exception):
    """An error whose text is meant for the user."""

    def __init__(self, code: Exit, message: str) -> None:
        super().__init__(message)
        self.code = code
