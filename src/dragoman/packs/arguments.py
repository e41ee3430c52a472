"""What a statement says to a verb of a pack, as the values its SQL asks for."""

import datetime as dt
import decimal
from collections.abc import Mapping

from dragoman.contracts import program
from dragoman.contracts.errors import ArgumentsNotFit
from dragoman.contracts.pack import (
    DATE_ARGUMENTS,
    ArgumentKind,
    DateUse,
    KeyType,
    Pack,
    PackArgument,
    PackVerb,
)
from dragoman.contracts.program import Statement
from dragoman.contracts.query import Value
from dragoman.language.types import describe, misfits
from dragoman.packs.signatures import pack_signature


def verb_values(pack: Pack, statement: Statement, new_key: str = "") -> dict[str, Value]:
    """The value of every parameter; an argument that was left out is None. Raises `ArgumentsNotFit`.

    `new_key` is what a verb that makes something calls it, where nobody is asked for that.
    """
    verb = pack.verbs[statement.verb]
    signature = pack_signature(statement.verb, verb)
    types = {each.name: each.type for each in signature.arguments}
    given = {argument.name: argument.value for argument in statement.arguments if argument.name != "mode"}
    taken = [name for name in given if name in types]
    unfit = {taken[place] for place in misfits([(given[name], types[name]) for name in taken])}
    for name in given:
        if name not in types:
            known = ", ".join(each.name for each in signature.arguments) or "nothing"
            raise ArgumentsNotFit(
                f"{statement.verb} has no argument {name}", hint=f"it takes {known}", argument=name
            )
        if name in unfit:
            raise _misfit(statement.verb, name, describe(types[name]))
    for declared in signature.arguments:
        if declared.required and declared.name not in given:
            hint = f"give it: {describe(declared.type)}"
            message = f"{statement.verb} needs {declared.name}"
            raise ArgumentsNotFit(message, hint=hint, argument=declared.name)
    values = _dates(verb, given)
    for name, argument in verb.arguments.items():
        values |= _parameters(pack, statement.verb, name, argument, given, new_key)
    return values


def makes_a_key(verb: PackVerb) -> bool:
    """Whether the runtime has to say what a new thing is called."""
    return any(argument.kind is ArgumentKind.NEW_KEY for argument in verb.arguments.values())


def _dates(verb: PackVerb, given: Mapping[str, program.Value]) -> dict[str, Value]:
    if verb.date is None:
        return {}
    match verb.date, given[DATE_ARGUMENTS[verb.date]]:
        case DateUse.AS_OF, program.Date(value=day):
            return {"as_of": day}
        case _, program.Sequence(items=(program.Date(value=first), program.Date(value=last))):
            return {"start": first, "end": last}
        case _:
            raise _misfit("the verb", DATE_ARGUMENTS[verb.date], "a date")


def _parameters(
    pack: Pack,
    verb: str,
    name: str,
    argument: PackArgument,
    given: Mapping[str, program.Value],
    new_key: str,
) -> dict[str, Value]:
    parameter = name.replace("-", "_")
    value = given.get(name)
    match argument.kind:
        case ArgumentKind.NEW_KEY:
            return {parameter: _made(pack, verb, name, new_key)}
        case ArgumentKind.PERIOD:
            first, last = _period(value)
            return {f"{parameter}_start": first, f"{parameter}_end": last}
        case _:
            number = bool(argument.entity) and pack.entities[argument.entity].key_type is KeyType.INT
            return {parameter: _plain(verb, name, value, number=number)}


def _made(pack: Pack, verb: str, name: str, new_key: str) -> str:
    kinds = [entity.key_type for entity in pack.entities.values() if entity.create == verb]
    if not new_key or KeyType.INT in kinds:
        hint = "let the pack ask for the key: only a key of text can be made here"
        raise ArgumentsNotFit(f"nobody says what {name} of {verb} is", hint=hint, argument=name)
    return new_key


def _period(value: program.Value | None) -> tuple[dt.date | None, dt.date | None]:
    match value:
        case program.Sequence(items=(program.Date(value=first), program.Date(value=last))):
            return first, last
        case _:
            return None, None


def _plain(verb: str, name: str, value: program.Value | None, *, number: bool) -> Value:
    match value:
        case None:
            return None
        case program.Text(value=text) if number:
            try:
                return int(text)
            except ValueError:
                raise _misfit(verb, name, "a key, which is a whole number here") from None
        case program.Text(value=text):
            if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
                raise _misfit(verb, name, "a text without a NUL or half of a character")
            return text
        case program.Integer(value=whole):
            return whole
        case program.Number(value=digits):
            return decimal.Decimal(digits)
        case program.Boolean(value=truth):
            return truth
        case program.Date(value=day):
            return day
        case _:
            raise _misfit(verb, name, "a plain value")


def _misfit(verb: str, name: str, wanted: str) -> ArgumentsNotFit:
    return ArgumentsNotFit(f"{name} of {verb} does not fit", hint=f"write {wanted}", argument=name)
