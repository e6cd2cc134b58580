"""Charts in SVG with logarithmic axes: bars, and curves."""

import dataclasses
import math
from html import escape

WIDTH = 860
COLORS = ("#1b5e9e", "#d9822b", "#3b8f4c", "#8e44ad", "#7f8c8d")


@dataclasses.dataclass(frozen=True)
class Bar:
    """One bar; what is said of it stands in front of it and behind it."""

    name: str
    value: float
    label: str
    ours: bool


@dataclasses.dataclass(frozen=True)
class Curve:
    """Points from left to right."""

    name: str
    points: list[tuple[float, float]]


def bars(title: str, unit: str, shown: list[Bar]) -> str:
    """Horizontal bars, in the order given."""
    left, top, row = 330, 48, 26
    low = 10 ** math.floor(math.log10(min(bar.value for bar in shown)))
    high = 10 ** math.ceil(math.log10(max(bar.value for bar in shown)))
    span = WIDTH - left - 90

    def x(value: float) -> float:
        return left + span * math.log(value / low) / math.log(high / low)

    bottom = top + row * len(shown)
    parts = [_text(WIDTH / 2, 18, title, "middle", bold=True)]
    parts += [
        _line(x(tick), top - 4, x(tick), bottom)
        + _text(x(tick), bottom + 16, f"{tick:,.0f}", "middle")
        for tick in _decades(low, high)
    ]
    for place, bar in enumerate(shown):
        y = top + row * place
        color = COLORS[0] if bar.ours else COLORS[4]
        parts += [
            _text(left - 8, y + 14, bar.name, "end"),
            _box(left, y, x(bar.value) - left, 19, color),
            _text(x(bar.value) + 5, y + 14, bar.label, "start"),
        ]
    parts.append(_text(left + span / 2, bottom + 34, f"{unit}, logarithmic scale", "middle"))
    return _svg(bottom + 44, parts)


def curves(title: str, across: str, up: str, shown: list[Curve]) -> str:
    """Curves over two logarithmic axes."""
    left, top, bottom, right = 90, 40, 330, WIDTH - 150
    every = [point for curve in shown for point in curve.points]
    low_x, high_x = min(p[0] for p in every), max(p[0] for p in every)
    low_y = 10 ** math.floor(math.log10(min(p[1] for p in every)))
    high_y = 10 ** math.ceil(math.log10(max(p[1] for p in every)))

    def x(value: float) -> float:
        return left + (right - left) * math.log(value / low_x) / math.log(high_x / low_x)

    def y(value: float) -> float:
        return bottom - (bottom - top) * math.log(value / low_y) / math.log(high_y / low_y)

    parts = [_text(WIDTH / 2, 18, title, "middle", bold=True)]
    for tick in _decades(low_y, high_y):
        parts += [
            _line(left, y(tick), right, y(tick)),
            _text(left - 6, y(tick) + 4, f"{tick:,.0f}", "end"),
        ]
    for tick in sorted({point[0] for point in every}):
        parts += [
            _line(x(tick), top, x(tick), bottom),
            _text(x(tick), bottom + 16, f"{tick:,.0f}", "middle"),
        ]
    for number, curve in enumerate(shown):
        color = COLORS[number % len(COLORS)]
        points = " ".join(f"{x(px):.1f},{y(py):.1f}" for px, py in curve.points)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [
            f'<circle cx="{x(px):.1f}" cy="{y(py):.1f}" r="3" fill="{color}"/>'
            for px, py in curve.points
        ]
        parts += [
            _box(right + 14, top + 22 * number, 14, 4, color),
            _text(right + 34, top + 22 * number + 6, curve.name, "start"),
        ]
    parts.append(
        _text((left + right) / 2, bottom + 36, f"{across}; up: {up}; both logarithmic", "middle")
    )
    return _svg(bottom + 46, parts)


def _decades(low: float, high: float) -> list[float]:
    first, last = round(math.log10(low)), round(math.log10(high))
    return [10.0**power for power in range(first, last + 1)]


def _box(x: float, y: float, width: float, height: float, color: str) -> str:
    size = f'width="{width:.1f}" height="{height}"'
    return f'<rect x="{x}" y="{y}" {size} fill="{color}"/>'


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#ddd"/>'


def _text(x: float, y: float, text: str, anchor: str, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{weight}>{escape(text)}</text>'


def _svg(height: float, parts: list[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" '
        f'width="{WIDTH}" height="{height:.0f}" font-family="sans-serif" font-size="13">'
    )
    return "\n".join(
        [head, '<rect width="100%" height="100%" fill="white"/>', *parts, "</svg>", ""]
    )
