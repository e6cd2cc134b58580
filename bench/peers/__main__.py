"""bench/peers.sh"""

import shlex
import signal
import sys
import traceback
from types import FrameType

from peers.columns.comparison import ColumnComparison
from peers.columns.report import ColumnReport
from peers.comparison import Comparison, require_files, say, write_json
from peers.errors import Exit, PeersError
from peers.options import parse
from peers.report import plot
from peers.report.markdown import markdown
from peers.report.report import Report
from peers.work import workplace


def interrupt(number: int, frame: FrameType | None) -> None:
    """Ends the run as Ctrl-C does."""
    raise KeyboardInterrupt


def main(arguments: list[str]) -> int:
    """Does what the command line says; the exit code."""
    options = parse(arguments)
    signal.signal(signal.SIGTERM, interrupt)
    signal.signal(signal.SIGHUP, interrupt)
    try:
        require_files(options)
        with workplace.opened(options.work) as folder:
            kind = ColumnComparison if options.columns else Comparison
            report = kind(options, folder).run()
            report.called = shlex.join(["bench/peers.sh", *arguments])
        text = report.markdown() if isinstance(report, ColumnReport) else markdown(report)
        print(text, end="", flush=True)
        if options.json:
            write_json(report, options.json)
        if options.plot and isinstance(report, Report):
            plot.plot(report, options.plot)
        return Exit.DONE if report.passed else Exit.DISAGREE
    except PeersError as error:
        print(f"bench/peers.sh: {error}", file=sys.stderr)
        return error.code
    except OSError as error:
        print(f"bench/peers.sh: {error}", file=sys.stderr)
        return Exit.FILES
    except Exception:
        # Python's own exit code, 1, says that engines disagree.
        traceback.print_exc()
        return Exit.OTHER
    except KeyboardInterrupt:
        say(f"interrupted; {options.work} keeps what is complete, run again to go on")
        return Exit.INTERRUPTED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
