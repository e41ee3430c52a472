"""The risk and coverage of answers as a picture: how precise they are, the more questions are answered."""

from typing import Final

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 720, 440, 64, 56, 48, 24
TITLE: Final = "Questions over databases never seen: precision by coverage"
MOST_POINTS: Final = 240
LEAST: Final = 0.5

Point = tuple[float, float]


def picture(points: list[Point], shipped: Point, forced: float) -> str:
    """An SVG of the curve, with what is shipped and what all answers together would be."""
    step = max(1, len(points) // MOST_POINTS)
    # The first few questions say nothing: one wrong among three is no curve.
    kept = [
        point for number, point in enumerate(points, 1) if number % step == 0 and number >= len(points) // 50
    ]
    line = " ".join(f"{_x(coverage):.1f},{_y(precision):.1f}" for coverage, precision in kept)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"',
        '  font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{LEFT}" y="26" font-size="16">{TITLE}</text>',
        *(_grid(tenth / 10) for tenth in range(5, 11)),
        *(_tick(fifth / 5) for fifth in range(6)),
        f'<polyline points="{line}" fill="none" stroke="#1f5fa8" stroke-width="2"/>',
        _mark(shipped, f"shipped: {shipped[1]:.1%} at {shipped[0]:.1%}", -14),
        _mark((1.0, forced), f"forced: {forced:.1%}", 22),
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 14}" text-anchor="middle">share of questions answered</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _x(coverage: float) -> float:
    return LEFT + coverage * (WIDTH - LEFT - RIGHT)


def _y(precision: float) -> float:
    share = (max(precision, LEAST) - LEAST) / (1 - LEAST)
    return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)


def _grid(precision: float) -> str:
    y = _y(precision)
    line = f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
    return f'{line}<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{precision:.0%}</text>'


def _tick(coverage: float) -> str:
    x = _x(coverage)
    return f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{coverage:.0%}</text>'


def _mark(point: Point, text: str, shift: int) -> str:
    x, y = _x(point[0]), _y(point[1])
    anchor = "end" if point[0] > 0.7 else "start"
    dot = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="#b5401f"/>'
    beside = x - 6 if anchor == "end" else x + 6
    return f'{dot}<text x="{beside:.1f}" y="{y + shift:.1f}" text-anchor="{anchor}">{text}</text>'
