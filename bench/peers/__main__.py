"""bench/peers.sh"""

import shlex
import signal
import sys
import traceback
from pathlib import Path
from types import FrameType

from peers.columns.comparison import ColumnComparison
from peers.columns.report import ColumnReport
from peers.comparison import Comparison, require_files, say, without_paths, write_json
from peers.errors import Exit, PeersError
from peers.game.comparison import GameComparison
from peers.game.plot import game_panels
from peers.game.report import GameReport
from peers.options import Options, parse
from peers.report import plot
from peers.report.markdown import markdown
from peers.report.report import Report
from peers.work import workplace


def interrupt(number: int, frame: FrameType | None) -> None:
    """Ends the run as Ctrl-C does."""
    raise KeyboardInterrupt


def comparison_of(
    options: Options,
) -> type[Comparison] | type[ColumnComparison] | type[GameComparison]:
    """What is to be run."""
    if options.game:
        return GameComparison
    return ColumnComparison if options.columns else Comparison


def draw(report: Report | ColumnReport | GameReport, output: Path) -> None:
    """Writes the figure of a report that has one."""
    if isinstance(report, Report):
        plot.plot(plot.panels(report), report.engines, output)
    elif isinstance(report, GameReport):
        plot.plot(game_panels(report), report.engines, output)


def main(arguments: list[str]) -> int:
    """Does what the command line says; the exit code."""
    options = parse(arguments)
    signal.signal(signal.SIGTERM, interrupt)
    signal.signal(signal.SIGHUP, interrupt)
    try:
        require_files(options)
        with workplace.opened(options.work) as folder:
            report = comparison_of(options)(options, folder).run()
            report.called = without_paths(shlex.join(["bench/peers.sh", *arguments]), options)
        text = markdown(report) if isinstance(report, Report) else report.markdown()
        print(text, end="", flush=True)
        if options.json:
            write_json(report, options.json)
        if options.plot:
            draw(report, options.plot)
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
