"""Words that are read as others before a message is cut: short forms, contractions, opposites."""

from collections.abc import Callable
from functools import cache
from itertools import pairwise

from msgspec.structs import replace

from dragoman.planning.database.vocabulary import english
from dragoman.planning.tables.words import Kind, Token, stem, tokens_of, verb_of

_LONGEST = 4
_SHORTEST_BASE = 4
_ENDINGS = (
    ("ied", "y"),
    ("ies", "y"),
    ("ed", ""),
    ("ed", "e"),
    ("s", ""),
    ("es", ""),
    ("ing", ""),
    ("ing", "e"),
)
"""What verbs end in, and what their plain form has in its place."""
_SHORTEST_VERB = 3
_NOUNS = (("ent", "ence"), ("ant", "ance"))
_THOUSANDS = 3
_WHO_DID = 2
_SHORTEST_DOER = 5
_WIDE = "-wide"
_AS_A_WHOLE = ("as", "a", "whole")
_WHOLE_BEHIND = 5
_APART = 7
"""How many words there are at most from a verb to what it says of."""

Known = Callable[[Token], bool]
"""Whether a word means something by itself in this database."""


def _always(token: Token) -> bool:
    return True


def reworded(
    tokens: tuple[Token, ...], known: Known, named: Known = _always, doers: frozenset[str] = frozenset()
) -> tuple[Token, ...]:
    """The words of a message as they are read. A new word stands where the old one stood. `named`: whether a
    word stands in the name of a table or a column itself. `doers`: the last words of tables, by their
    stems."""
    tokens = _wholes(_takings(_agents(_deeds(_percents(tokens), named), doers)))
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        length, others = (
            _one_number(tokens, at)
            or _figure_said(tokens[at], named)
            or _other_words(tokens, at, known, named)
        )
        found += others
        at += length
    return tuple(found)


def by_years(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """The words of a message over a database that keeps its rows year by year: a season is a year."""
    year = tokens_of("year")[0]
    return tuple(
        replace(year, start=each.start, end=each.end)
        if each.low in english().seasons and each.kind is Kind.WORD
        else each
        for each in tokens
    )


def as_outcomes(tokens: tuple[Token, ...], counted: Callable[[str], bool]) -> tuple[Token, ...]:
    """ "Won more than 90 games" is more than 90 wins. `counted`: whether a column is called so, and no table
    has the games themselves."""
    verbs = [place for place, token in enumerate(tokens) if token.low in english().outcomes]
    games = [place for place, token in enumerate(tokens) if token.low in english().contests]
    if len(verbs) != 1 or len(games) != 1 or not counted(english().outcomes[tokens[verbs[0]].low]):
        return tokens
    (verb,), (game,) = verbs, games
    if abs(game - verb) > _APART:
        return tokens
    found = list(tokens)
    noun = tokens_of(english().outcomes[tokens[verb].low])[0]
    found[game] = replace(noun, start=tokens[game].start, end=tokens[game].end)
    found[verb] = replace(tokens_of("had")[0], start=tokens[verb].start, end=tokens[verb].end)
    return tuple(found)


def _one_number(tokens: tuple[Token, ...], at: int) -> tuple[int, tuple[Token, ...]] | None:
    """Thousands that are set apart: 50 000."""
    end = at + 1
    while end < len(tokens) and _goes_on(tokens[end - 1], tokens[end]):
        end += 1
    digits = "".join(token.low for token in tokens[at:end])
    if end == at + 1 or not digits.isdigit() or len(tokens[at].low) > _THOUSANDS:
        return None
    return end - at, (replace(tokens[at], text=digits, low=digits, stem=digits, end=tokens[end - 1].end),)


def _wholes(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """ "Better than the company as a whole", "the company-wide average": than average, whatever it is of."""
    found = list(tokens)
    for at, token in enumerate(found):
        if token.kind is Kind.WORD and token.low.endswith(_WIDE):
            found[at] = replace(tokens_of("overall")[0], start=token.start, end=token.end)
    for at, token in enumerate(found):
        if token.low != "than":
            continue
        for place in range(at + 2, min(at + _WHOLE_BEHIND, len(found))):
            end = place + len(_AS_A_WHOLE)
            if tuple(each.low for each in found[place:end]) == _AS_A_WHOLE:
                average = replace(tokens_of("average")[0], start=found[at + 1].start, end=found[end - 1].end)
                return (*found[: at + 1], average, *found[end:])
    return tuple(found)


def _agents(tokens: tuple[Token, ...], doers: frozenset[str]) -> tuple[Token, ...]:
    """ "Who managed the mill" asks for its managers, where a table is called so."""
    if len(tokens) <= _WHO_DID or tokens[0].low not in english().who or tokens[1].kind is not Kind.WORD:
        return tokens
    verb = tokens[1].low
    bases = [verb.removesuffix(ending) for ending in ("ed", "es", "d", "s") if verb.endswith(ending)]
    bases += [base] if (base := verb_of(verb)) is not None else []
    nouns = [f"{base}{ending}" for base in bases for ending in ("er", "r", "or")]
    noun = next((each for each in nouns if len(each) > _SHORTEST_DOER and stem(each) in doers), None)
    if noun is None or tokens[2].low in english().prepositions:
        return tokens
    others = tokens_of(f"{noun}s of")
    start, end = tokens[0].start, tokens[1].end
    return (*(replace(each, start=start, end=end) for each in others), *tokens[2:])


def _percents(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """ "What % of the boats": a percentage, where the sign stands behind no number."""
    share = tokens_of("percentage")[0]
    return tuple(
        replace(share, start=token.start, end=token.end)
        if token.low == "%" and (at == 0 or tokens[at - 1].kind is not Kind.NUMBER)
        else token
        for at, token in enumerate(tokens)
    )


def _deeds(tokens: tuple[Token, ...], named: Known) -> tuple[Token, ...]:
    """ "Who tried out" had a tryout, where something is called so in one word."""
    found: list[Token] = []
    for token in tokens:
        noun = _in_one_word(found[-1], token, named) if found else None
        if noun is None:
            found.append(token)
        else:
            found[-1] = noun
    return tuple(found)


def _in_one_word(verb: Token, particle: Token, named: Known) -> Token | None:
    if verb.kind is not Kind.WORD or particle.low not in english().particles or named(verb):
        return None
    base = verb_of(verb.low)
    bases = {verb.low, *(() if base is None else (base,))}
    bases |= {verb.low.removesuffix(ending) + put for ending, put in _ENDINGS if verb.low.endswith(ending)}
    for each in sorted(bases):
        noun = tokens_of(f"{each}{particle.low}s")[0]
        if len(each) >= _SHORTEST_VERB and named(noun):
            return replace(noun, start=verb.start, end=particle.end)
    return None


def _takings(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """ "How much did the harbour take in": money. How many guests it took in, is something else."""
    if not any(one.low == "how" and other.low == "much" for one, other in pairwise(tokens)):
        return tokens
    for at, (verb, particle) in enumerate(pairwise(tokens)):
        meant = english().taken_in.get(f"{verb.low} {particle.low}")
        if meant is not None:
            other = replace(tokens_of(meant)[0], start=verb.start, end=particle.end)
            return (*tokens[:at], other, *tokens[at + 2 :])
    return tokens


def _figure_said(token: Token, named: Known) -> tuple[int, tuple[Token, ...]] | None:
    """A noun for a figure: the payroll is the total of the salaries, whatever else it is near to."""
    meant = english().figures_said.get(token.low)
    if meant is None or token.kind is Kind.QUOTED or named(token):
        return None
    return 1, tuple(replace(each, start=token.start, end=token.end) for each in tokens_of(meant))


def _goes_on(token: Token, after: Token) -> bool:
    numbers = token.kind is after.kind is Kind.NUMBER
    return numbers and len(after.low) == _THOUSANDS and after.low.isdigit() and after.start == token.end + 1


def _other_words(
    tokens: tuple[Token, ...], at: int, known: Known, named: Known
) -> tuple[int, tuple[Token, ...]]:
    parts = _parts(tokens[at], known) or _superlative_parts(tokens[at], known)
    if parts:
        return 1, parts
    table = _table()
    for length in range(min(_LONGEST, len(tokens) - at), 0, -1):
        said = tokens[at : at + length]
        others = table.get(" ".join(each.low for each in said))
        if others is None or any(each.kind is Kind.QUOTED for each in said):
            continue
        if length == 1 and known(said[0]):
            break
        start, end = said[0].start, said[-1].end
        return length, tuple(replace(each, start=start, end=end) for each in others)
    return 1, _noun(tokens[at], known, named) or _opposite(tokens[at], known) or (tokens[at],)


def _parts(token: Token, known: Known) -> tuple[Token, ...]:
    """The words of a quoted text that is not a value, where each of them is: the two names of somebody."""
    if token.kind is not Kind.QUOTED or not 1 < len(token.text.split()) < _LONGEST or known(token):
        return ()
    words = tokens_of(token.text)
    if not all(each.kind is Kind.WORD and each.text[:1].isupper() and known(each) for each in words):
        return ()
    return tuple(replace(each, start=token.start, end=token.end) for each in words)


def _noun(token: Token, known: Known, named: Known) -> tuple[Token, ...]:
    """ "Became independent" speaks of independence, where something is called so to the letter: "current" is
    no slip of a currency."""
    if token.kind is not Kind.WORD or known(token):
        return ()
    for ending, noun in _NOUNS:
        other = tokens_of(token.low.removesuffix(ending) + noun)[0]
        if token.low.endswith(ending) and named(other):
            return (replace(other, start=token.start, end=token.end),)
    return ()


def _superlative_parts(token: Token, known: Known) -> tuple[Token, ...]:
    """ "Best-selling" is said as two words are, unless something is called so."""
    first, hyphen, last = token.low.partition("-")
    if token.kind is not Kind.WORD or not hyphen or not last.isalpha() or known(token):
        return ()
    if first not in english().hyphened and not (first in english().forms and first.endswith("st")):
        return ()
    return tuple(replace(each, start=token.start, end=token.end) for each in tokens_of(f"{first} {last}"))


def _opposite(token: Token, known: Known) -> tuple[Token, ...]:
    """ "Unpaid" is not paid, where something in the data is paid or not."""
    if token.kind is not Kind.WORD or known(token):
        return ()
    for beginning in english().opposites:
        base = token.low.removeprefix(beginning)
        if base == token.low or len(base) < _SHORTEST_BASE or (beginning == "in" and base.endswith("s")):
            # Inpatients are patients.
            continue
        other = tokens_of(base)[0]
        if known(other):
            negation = tokens_of("not")[0]
            return tuple(replace(each, start=token.start, end=token.end) for each in (negation, other))
    return ()


@cache
def _table() -> dict[str, tuple[Token, ...]]:
    return {said: tokens_of(meant) for said, meant in english().reworded.items()}
