"""Texts, from a command line or a form, as the values that a verb's arguments take."""

from collections.abc import Mapping

from dragoman.contracts import verb as types
from dragoman.contracts.errors import ArgumentsNotFit
from dragoman.contracts.program import Date, Sequence, Text, Value
from dragoman.contracts.verb import VerbSignature
from dragoman.language.parameters import ParameterType, parsed
from dragoman.language.types import describe

_PERIOD = ".."
_KINDS: dict[type, ParameterType] = {
    types.IntType: ParameterType.INT,
    types.DecimalType: ParameterType.DECIMAL,
    types.BoolType: ParameterType.BOOL,
    types.DateType: ParameterType.DATE,
}


def values_for(signature: VerbSignature, given: Mapping[str, str]) -> dict[str, Value]:
    """The values of arguments. Raises `ArgumentsNotFit`."""
    found: dict[str, Value] = {}
    for name, text in given.items():
        declared = signature.argument(name)
        if declared is None:
            known = ", ".join(each.name for each in signature.arguments)
            message = f"{signature.name} has no argument {name}"
            raise ArgumentsNotFit(message, hint=f"it takes {known}", argument=name)
        value = _value(text, declared.type)
        if value is None:
            hint = f"give {describe(declared.type)}"
            raise ArgumentsNotFit(f"{name} of {signature.name} does not fit", hint=hint, argument=name)
        found[name] = value
    return found


def _value(text: str, wanted: types.ArgumentType) -> Value | None:
    if isinstance(wanted, types.PeriodType):
        days = [parsed(day.strip(), ParameterType.DATE) for day in text.split(_PERIOD)]
        dates = tuple(day for day in days if isinstance(day, Date))
        return Sequence(dates) if len(dates) == len(days) == len(("first", "last")) else None
    kind = _KINDS.get(type(wanted))
    return Text(text) if kind is None else parsed(text, kind)
