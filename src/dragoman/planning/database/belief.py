"""The first reading of a question is taken where none of the others is a rival of it.

What the weights give a reading, they give by how it was found; they do not see that everything beside it is
objected to, leaves words out, or is the same by a longer way. Where that is so, and it is likely by itself,
there is nothing to choose from.
"""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from dragoman.contracts.program import Map, Statement
from dragoman.language.types import parts
from dragoman.planning.database.detours import Detours
from dragoman.planning.database.doubts import Doubts
from dragoman.planning.database.hearing import LEAD, LIKELY, SURE, Heard, is_sure, scaled
from dragoman.planning.database.lean import lean_of
from dragoman.planning.database.planner import Reading
from dragoman.planning.database.sameness import BOUNDS, alike
from dragoman.planning.database.told_readings import lead
from dragoman.planning.database.vocabulary import words_in
from dragoman.planning.tables.lexicon import ENGLISH
from dragoman.planning.tables.table_reading import TableReading
from dragoman.planning.tables.words import tokens_of, verb_of

_FAR = 3.0
_LEFT = 1 - SURE
"""So likely others are at most, where the first is sure."""
_RIVAL = 0.5
"""So much of the probability of the first a rival among the offers has."""
_LEAST = 0.5
"""So likely the first must be among the offers."""
_LEANING = 0.7
"""So much a message must lean on what is in hand to be believed as a change of it."""
_MOST_WORDS = 10
"""Longer messages say what they want, and less of it is known."""
_SURELY_LEANING = 0.9
"""From here on a message is no question of its own, whatever it could be."""
_NEAR = 0.8
"""How far a change that nobody objects to may be from the first reading."""
_EXACT = 0.95
_AHEAD = 0.5
"""How far a change must be from the next reading that nobody objects to."""
_LIKELY = 0.6
"""From this probability on the other planner's reading counts, of messages that lean."""
_HARMLESS = frozenset({"unit", "word", "value", "figure", "date"})
"""Guesses at what a word means. Other guesses add what no word says."""


def believed(
    found: tuple[TableReading, ...],
    weighed: Sequence[TableReading],
    heard: Heard,
    detours: Detours,
    will_do: Callable[[Statement], bool],
) -> tuple[TableReading, ...]:
    """The offers, the first of them sure if nothing rivals it. `weighed`: the readings as they were judged
    before; `will_do`: whether a statement finds anything, and nobody objects to it."""
    if not found or heard.framed is None:
        return found
    listed = _bare_list(found, heard, will_do)
    if listed is not None:
        return _taken(listed, found)
    best, framed = found[0], heard.framed
    likely = {each.statement for each in weighed if each.score >= scaled(LIKELY)}
    if (
        best.statement != framed.reading.statement
        or best.statement not in likely
        or best.uncovered
        or best.score < _LEAST
        or not _is_plain(framed.reading)
        or _leaves_a_grade_open(best.statement, detours.text)
        or _is_known_otherwise(heard, detours)
        or not will_do(best.statement)
    ):
        return found

    def is_rival(statement: Statement) -> bool:
        return not detours.is_none_of_its_own(best.statement, statement) and detours.is_clear(statement)

    near = [each for each in found[1:] if each.score >= best.score * _RIVAL and not each.uncovered]
    ahead = lead(heard.frames, lambda each: int(not is_rival(each.statement)), _FAR)
    if ahead < LEAD or any(is_rival(each.statement) for each in near):
        return found
    return _taken(best, found)


def _taken(best: TableReading, found: tuple[TableReading, ...]) -> tuple[TableReading, ...]:
    others = (replace(each, score=round(min(each.score, _LEFT), 4)) for each in found if each is not best)
    return (replace(best, score=SURE), *others)


def _bare_list(
    found: tuple[TableReading, ...], heard: Heard, will_do: Callable[[Statement], bool]
) -> TableReading | None:
    """ "List all tracks": one name, which is that of one table letter for letter, and nothing else. That
    there are many ways to show its rows makes none of them less meant."""
    bare = [each for each in heard.frames if _is_bare(each)]
    if len({each.statement.verb for each in bare}) != 1:
        return None
    best = next((each for each in found if each.statement == bare[0].statement), None)
    return best if best is not None and not best.uncovered and will_do(best.statement) else None


def _is_bare(reading: Reading) -> bool:
    support = reading.support
    named = support.names == 1 and support.weakest >= _EXACT and not support.values and support.tables == 1
    bare = reading.statement.verb.endswith(".list") and not reading.explicit
    says_more = {argument.name for argument in reading.statement.arguments} - {"columns"}
    return named and bare and not (says_more or reading.uncovered or reading.guesses or support.unknown)


def believed_edit(
    text: str,
    in_hand: Statement,
    found: tuple[TableReading, ...],
    heard: Heard,
    will_do: Callable[[Statement], bool],
    doubts: Doubts,
) -> tuple[TableReading, ...]:
    """The offers to a short message that leans on what is in hand, the first of them sure if it changes that,
    names everything exactly, nothing makes it doubtful, and nothing else is near that nobody objects to."""
    if not found or is_sure(found[0]) or heard.framed is None or lean_of(text).words > _MOST_WORDS:
        return found
    near = [each for each in heard.frames if heard.frames[0].score - each.score <= _NEAR]
    reading = next((each for each in near if will_do(each.statement)), None)
    if reading is None or not _is_plain_edit(reading) or _is_led_away(reading, in_hand):
        return found
    best = next((each for each in found if each.statement == reading.statement), None)
    if best is None or best.uncovered or not best.follow_up or _differs(heard, reading, will_do):
        return found
    rivals = (
        each
        for each in heard.frames
        if reading.score - each.score < _AHEAD
        and (each.follows or reading.leans < _SURELY_LEANING)
        and not each.uncovered
        and not alike(each.statement, reading.statement)
    )
    if any(will_do(each.statement) for each in rivals):
        return found
    sure = replace(best, score=SURE)
    if doubts.doubted(sure, text, in_hand, unclear=False) != sure:
        return found
    return _taken(best, found)


def _is_plain_edit(reading: Reading) -> bool:
    """Whether a reading leaves nothing open: no word is left, no name is inexact, nothing was guessed."""
    exact = min(reading.support.weakest, reading.support.weakest_value) >= _EXACT
    leans = reading.follows and reading.leans >= _LEANING
    return leans and exact and not (reading.uncovered or reading.guesses)


def _is_led_away(reading: Reading, in_hand: Statement) -> bool:
    """ "Who won them" leads to other rows, although no word names any."""
    same = reading.statement.verb.rpartition(".")[0] == in_hand.verb.rpartition(".")[0]
    return not same and not reading.support.names


def _differs(heard: Heard, reading: Reading, will_do: Callable[[Statement], bool]) -> bool:
    """Whether the other planner goes on otherwise, is likely right, and nothing speaks against it. That it
    forgets what is in hand says nothing."""
    learned = heard.learned
    if learned is None or learned.reading.score < _LIKELY or learned.reading.uncovered:
        return False
    other = learned.reading
    goes_on = other.follow_up and not alike(other.statement, reading.statement)
    return goes_on and not learned.objections and will_do(other.statement)


def _is_plain(reading: Reading) -> bool:
    """Whether a reading has nothing that no word says, and nothing that often means something else: rows that
    are shown once for each of others; different values, where rows may be meant; the least of each group,
    where who has it may be asked for."""
    statement = reading.statement
    does = statement.verb.rpartition(".")[2]
    different = statement.argument("of") is not None and statement.argument("distinct") is not None
    ends = does in ("min", "max") and statement.argument("by") is not None
    return set(reading.guesses) <= _HARMLESS and not (
        different or ends or statement.argument("with") is not None
    )


def _leaves_a_grade_open(statement: Statement, text: str) -> bool:
    """Whether rows are asked for by an adjective that can be graded, "expensive", and nothing holds them to a
    figure: from where on they are, only whoever asks can know."""
    if not statement.verb.endswith(".list") or statement.argument("order") is not None:
        return False
    values = [argument.value for argument in statement.arguments]
    while values:
        value = values.pop()
        if isinstance(value, Map) and any(entry.key in BOUNDS for entry in value.entries):
            return False
        values.extend(parts(value))
    # What was paid or delayed is said of what happened.
    graded = {each for each in words_in(ENGLISH).base if not each.endswith("ed") and verb_of(each) is None}
    return any(token.low in graded for token in tokens_of(text))


def _is_known_otherwise(heard: Heard, detours: Detours) -> bool:
    """Whether the other planner is sure of something else that nothing speaks against."""
    framed, learned = heard.framed, heard.learned
    if framed is None or learned is None or learned.reading.score < SURE:
        return False
    mine, yours = framed.reading.statement, learned.reading.statement
    against = learned.objections or learned.reading.uncovered
    return not against and not detours.is_none_of_its_own(mine, yours)
