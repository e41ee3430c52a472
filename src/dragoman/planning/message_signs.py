"""Signs in a message that mean something to somebody, and are no words: > 50, a percent sign."""

import re
from collections.abc import Collection

from msgspec.structs import replace

from dragoman.language.verbs.printer import print_program
from dragoman.planning.tables.table_reading import TableReading

SIGNS = re.compile(r"[%_<>=*#$^~|\\{}\[\]]+")
"""Signs that mean something to somebody, and are no words."""


_COMPARED = {">": "above", "<": "below", ">=": "at-least", "=>": "at-least", "<=": "at-most", "<>": "not"}


def with_signs(reading: TableReading, signs: Collection[str]) -> TableReading:
    """The reading, with the signs of the message that it does not use among the words left over, and with
    words for an opinion that nothing in the database is called by."""
    if not signs:
        return reading
    program = print_program((reading.statement,)).casefold()
    known = {word.casefold() for word in reading.uncovered}
    verb = reading.statement.verb
    # A currency says nothing beside a number, a percent sign is what a share is, a sign between two things
    # is how they compare, and who is best is answered by an order.
    said = {"$", "€", "£", "=", *("%" for _ in (1,) if verb.endswith(".share"))}
    said |= {sign for sign, compared in _COMPARED.items() if f":{compared} " in program}
    ranked = any(argument.name in ("order", "top") for argument in reading.statement.arguments)
    left = tuple(
        sign
        for sign in signs
        if sign not in program and sign not in known and sign not in said and not (ranked and sign.isalpha())
    )
    return replace(reading, uncovered=(*reading.uncovered, *left)) if left else reading
