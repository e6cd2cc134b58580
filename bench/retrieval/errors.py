"""What goes wrong, with an exit code of the gannet command's kind."""

USAGE = 2
FAILED = 6
NO_GPU = 5


class RetrievalError(Exception):
    """Says what, where and what to do next."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
