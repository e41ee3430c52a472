"""What holds for any message over the hire shop."""

from hypothesis import example, given
from hypothesis import strategies as st

from dragoman.contracts.program import Statement
from dragoman.contracts.schema import Dialect
from dragoman.planning.database.hearing import SURE
from tests.planning.database.hire_shop import TODAY, HireShop, periods_in
from tests.planning.database.test_questions import CONVERSATIONS, QUESTIONS

ASKED = [block[0] for block in QUESTIONS]
SAID = [line[2:] for block in CONVERSATIONS for line in block if line.startswith("+ ")]
WORDS = sorted({word for text in (*ASKED, *SAID) for word in text.split()})
ODD = [
    "-5",
    "1,000.5",
    "30 kg",
    "not",
    "?",
    "“",
    "“Leeds”",
    "2023-02-31",
    "everybody",
    "wie",
    "지난달",
    "кроме",
]
MESSAGES = st.one_of(
    st.text(max_size=120),
    st.lists(st.sampled_from([*WORDS, *ODD]), max_size=12).map(" ".join),
    st.tuples(st.sampled_from(ASKED), st.sampled_from([*SAID, *WORDS, *ODD])).map(" ".join),
)


def _compiles(shop: HireShop, statement: Statement) -> bool:
    return not shop.tables.findings(statement) and not isinstance(
        shop.tables.compile(statement, Dialect.SQLITE), tuple
    )


@given(message=MESSAGES)
def test_every_reading_of_any_message_compiles(hire_shop: HireShop, message: str) -> None:
    for reading in hire_shop.frames.readings(message, periods_in(message), TODAY):
        assert _compiles(hire_shop, reading.statement), reading.statement


@given(message=MESSAGES, before=st.one_of(st.none(), st.sampled_from(ASKED)))
# One column twice, beside a value that it has already.
@example(message="0/Garde%empty", before="names of items in Garden, most expensive first")
# A number beside a bound that is another column.
@example(message=">0", before="which staff earn less than their boss")
def test_heard_together_they_are_probable_compile_and_are_always_the_same(
    hire_shop: HireShop, message: str, before: str | None
) -> None:
    previous = None if before is None else hire_shop.asked(before)
    readings = hire_shop.readings(message, previous)
    assert readings == hire_shop.readings(message, previous)
    sure = [reading for reading in readings if reading.score >= SURE and not reading.uncovered]
    assert not sure or readings[0] in sure, "what is sure and leaves nothing over comes first"
    for reading in readings:
        assert 0.0 <= reading.score <= 1.0
        assert _compiles(hire_shop, reading.statement), reading.statement
