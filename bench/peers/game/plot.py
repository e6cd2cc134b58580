"""A figure of the game's classes: a panel for each command."""

from peers.game.classes import COMMANDS
from peers.game.report import GameReport
from peers.report.plot import Panel, rate_of


def game_panels(report: GameReport) -> list[Panel]:
    """A group of bars for each class."""
    panels = []
    for command in COMMANDS:
        lines = [
            (row.queries.short, [rate_of(row.best.get(engine)) for engine in report.engines])
            for row in report.rows
            if row.command == command
        ]
        panels.append(Panel(f"{command.name} on {report.collection}, by number of terms", lines))
    return panels
