"""Runs a command and writes what it took: python launcher.py FACTS.json COMMAND...

A process starts with the peak memory of the one that it was forked from. This one is small, however
large the main program has become, so the peak is the command's.
"""

import json
import os
import sys
import time


def main() -> int:
    """Runs the command; its exit code, or 128 and the signal that ended it."""
    facts, *command = sys.argv[1:]
    start = time.monotonic()
    child = os.posix_spawnp(command[0], command, os.environ)
    _, status, usage = os.wait4(child, 0)
    cost = {
        "wall": time.monotonic() - start,
        "cpu": usage.ru_utime + usage.ru_stime,
        "peak": usage.ru_maxrss * 1024,
    }
    with open(facts, "w", encoding="utf-8") as file:
        json.dump(cost, file)
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
