"""What the measured turns are about, for both sides alike: the message, the program, the result, its words.

A session opens with a root query and goes on with follow-ups that ask for another month. Every turn makes
its own texts, so that neither side can profit from a value seen before.
"""

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

STAGES: Final = (
    "read",
    "route",
    "plan",
    "write",
    "compile",
    "run",
    "gate",
    "answer",
    "guard",
    "record",
)

DOMAIN: Final = "sales"
ROUTE: Final = "sales.revenue_by_customer"
CONNECTION: Final = "trade"
ORGANIZATION: Final = ("1", "Alfa Trade")
OPENING: Final = "Revenue of Alfa Trade by customer"
MONTHS: Final = (
    ("January", "01", "31"),
    ("February", "02", "28"),
    ("March", "03", "31"),
    ("April", "04", "30"),
    ("May", "05", "31"),
    ("June", "06", "30"),
    ("July", "07", "31"),
    ("August", "08", "31"),
    ("September", "09", "30"),
    ("October", "10", "31"),
    ("November", "11", "30"),
    ("December", "12", "31"),
)
COLUMNS: Final = (
    ("customer_id", "text"),
    ("customer", "text"),
    ("documents", "integer"),
    ("revenue", "decimal"),
    ("last_sale", "date"),
)
CUSTOMERS: Final = (
    ("301", "Vector Office Supplies"),
    ("302", "Horizon Interiors"),
    ("303", "School No. 5, purchasing"),
    ("304", "Orion Logistics"),
    ("305", "Vega"),
    ("306", "Vega Plus"),
    ("307", "Meridian Clinics"),
    ("308", "Polaris Print Works"),
)
QUERY: Final = (
    "SELECT cp.cp_id, cp.name, COUNT(*), SUM(d.amount), MAX(d.doc_date) FROM document d"
    " JOIN counterparty cp ON cp.cp_id = d.cp_id WHERE d.doc_type = 'sale' AND d.org_id = ?"
    " AND d.doc_date BETWEEN ? AND ? GROUP BY cp.cp_id, cp.name ORDER BY 4 DESC LIMIT 8"
)
RECOUNT: Final = (
    "SELECT SUM(l.qty * l.price) * 1.2 FROM doc_line l JOIN document d ON d.doc_id = l.doc_id"
    " WHERE d.doc_type = 'sale' AND d.org_id = ? AND d.doc_date BETWEEN ? AND ?"
)

# One argument of a statement: its name, the type of its value, the value, the name of the entity behind it.
Argument = tuple[str, str, str, str]
# One statement: its verb, its arguments, the name it binds.
Statement = tuple[str, tuple[Argument, ...], str]
Row = tuple[str, str, int, str, str]


@dataclass(frozen=True, slots=True)
class Period:
    start: str
    end: str
    label: str


def period(turn: int) -> Period:
    """The month that turn number `turn` asks for."""
    year, (name, number, last) = 2021 + turn // 12 % 3, MONTHS[turn % 12]
    return Period(f"{year}-{number}-01", f"{year}-{number}-{last}", f"{name} {year}")


def message(turn: int, mark: str = "") -> str:
    """What the user says; a mark makes the message of one client its own."""
    label = period(turn).label
    if turn == 1:
        return f"{OPENING} in {label}, the eight largest, with the last sale of each{mark}"
    return f"And the same for {label}, please: the eight largest customers, with the last sale of each{mark}"


def statements(asked: Period) -> tuple[Statement, ...]:
    """The program of the turn."""
    return (
        (
            "sales.revenue",
            (
                ("connection", "symbol", CONNECTION, ""),
                ("organization", "text", *ORGANIZATION),
                ("from", "date", asked.start, ""),
                ("to", "date", asked.end, ""),
                ("by", "text", "customer", ""),
                ("with", "text", "last_sale", ""),
            ),
            "revenue",
        ),
        (
            "table.sort",
            (
                ("input", "symbol", "revenue", ""),
                ("column", "text", "revenue", ""),
                ("order", "text", "descending", ""),
            ),
            "ranked",
        ),
        ("table.limit", (("input", "symbol", "ranked", ""), ("rows", "int", "8", "")), "largest"),
    )


def source(asked: Period) -> str:
    """The program as it is shown and kept."""
    key, name = ORGANIZATION
    return (
        f'(sales.revenue :connection @{CONNECTION} :organization "{key}" #| {name} |#'
        f' :from {asked.start} :to {asked.end} :by "customer" :with "last_sale" :as @revenue)\n'
        '(table.sort :input @revenue :column "revenue" :order "descending" :as @ranked)\n'
        "(table.limit :input @ranked :rows 8 :as @largest)"
    )


def steps(program: tuple[Statement, ...]) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """The plan: the id of a step, its verb, the steps it needs."""
    found = []
    for verb, arguments, binds in program:
        needs = [value for _, kind, value, _ in arguments if kind == "symbol" and value != CONNECTION]
        found.append((binds, verb, tuple(needs)))
    return tuple(found)


def rows(turn: int, asked: Period) -> tuple[Row, ...]:
    """What the run finds."""
    found = [
        (number, name, 3 + (turn + place) % 7, f"{9000 - 900 * place + turn % 90}.40", asked.end)
        for place, (number, name) in enumerate(CUSTOMERS)
    ]
    return tuple(found)


def total(found: tuple[Row, ...]) -> str:
    return str(sum([Decimal(revenue) for _, _, _, revenue, _ in found]))


def answer_text(asked: Period, found: tuple[Row, ...], sum_of_all: str) -> str:
    """What is said back."""
    named = "; ".join([f"{name}: {revenue}" for _, name, _, revenue, _ in found])
    return f"In {asked.label} the eight largest customers of Alfa Trade bought for {sum_of_all}. {named}."


def unsaid(text: str, found: tuple[Row, ...], sum_of_all: str) -> list[str]:
    """The guard: the amounts that were found and are not said."""
    amounts = [sum_of_all, *[revenue for _, _, _, revenue, _ in found]]
    return [amount for amount in amounts if amount not in text]
