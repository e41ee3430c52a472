"""The little SVG that the pictures are made of: self-contained elements as strings, text escaped."""

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

FONT = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', Arial, sans-serif"

INK, QUIET, FAINT, PAPER = "#1e293b", "#64748b", "#cbd5e1", "#ffffff"
CALM, CALM_PAPER = "#00796b", "#e0f2f1"
WARM, WARM_PAPER = "#b45309", "#fff4e0"
ALARM, ALARM_PAPER = "#b3261e", "#fdecea"

_WIDE_LETTER = 0.6
"""The width of an average letter, in font sizes, of the widest of the fonts above."""


def document(width: int, height: int, title: str, description: str, elements: Iterable[str]) -> str:
    """A whole picture on white paper, with a title for those who cannot see it."""
    lines = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" font-family={quoteattr(FONT)}>',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(description)}</desc>",
        "<defs>",
        f'<marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
        f'orient="auto"><path d="M0 0 L10 5 L0 10 z" fill="{QUIET}"/></marker>',
        "</defs>",
        box(0, 0, width, height, fill=PAPER, stroke="none", radius=0),
        *elements,
        "</svg>",
    )
    return "\n".join(lines) + "\n"


def box(x: float, y: float, width: float, height: float, *, fill: str, stroke: str, radius: float = 8) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" '
        f'fill="{fill}" stroke="{stroke}"/>'
    )


def text(
    x: float,
    y: float,
    words: str,
    *,
    size: float = 12,
    fill: str = INK,
    anchor: str = "start",
    bold: bool = False,
    turned: int = 0,
) -> str:
    weight = ' font-weight="600"' if bold else ""
    turn = f' transform="rotate({turned} {x:g} {y:g})"' if turned else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}" text-anchor="{anchor}"'
        f"{weight}{turn}>{escape(words)}</text>"
    )


def lines_of_text(x: float, y: float, lines: Iterable[str], *, size: float, fill: str = INK) -> list[str]:
    """Lines one below the other, the first with its foot on `y`."""
    return [text(x, y + number * size * 1.3, line, size=size, fill=fill) for number, line in enumerate(lines)]


def dot(x: float, y: float, radius: float, *, fill: str, stroke: str = "none") -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{stroke}" stroke-width="2"/>'


def line(x1: float, y1: float, x2: float, y2: float, *, stroke: str = FAINT) -> str:
    return f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{stroke}"/>'


def arrow(points: Iterable[tuple[float, float]]) -> str:
    """A line through the points with a tip at the last."""
    path = " L".join(f"{x:g} {y:g}" for x, y in points)
    return f'<path d="M{path}" fill="none" stroke="{QUIET}" stroke-width="1.5" marker-end="url(#tip)"/>'


def letters_in(width: float, size: float) -> int:
    """How many letters of a size surely fit into a width."""
    return max(1, int(width / (size * _WIDE_LETTER)))
