"""The verbs of a pack in the words of the compiler: what a program may say to each."""

from collections.abc import Callable, Mapping

from dragoman.contracts.answer import CellType, Column
from dragoman.contracts.pack import DATE_ARGUMENTS, ArgumentKind, DateUse, PackArgument, PackColumn, PackVerb
from dragoman.contracts.schema import ValueType
from dragoman.contracts.verb import (
    ArgumentType,
    BoolType,
    DateType,
    DecimalType,
    EntityType,
    EnumType,
    IntType,
    PeriodType,
    StringType,
    VerbArgument,
    VerbSignature,
)
from dragoman.locales.registry import FALLBACK

_TYPES: Mapping[ArgumentKind, ArgumentType] = {
    ArgumentKind.TEXT: StringType(),
    ArgumentKind.INTEGER: IntType(),
    ArgumentKind.DECIMAL: DecimalType(),
    ArgumentKind.BOOLEAN: BoolType(),
    ArgumentKind.DATE: DateType(),
    ArgumentKind.PERIOD: PeriodType(),
}
_CELLS = {
    ValueType.DECIMAL: CellType.DECIMAL,
    ValueType.FLOAT: CellType.DECIMAL,
    ValueType.INTEGER: CellType.INTEGER,
    ValueType.DATE: CellType.DATE,
}


def pack_signature(name: str, verb: PackVerb, entity: Callable[[str], str] = str) -> VerbSignature:
    """The signature of a verb. `entity` says what programs call a type of the pack; a key that the runtime
    makes is no argument, since nobody is asked for it."""
    asked = {key: each for key, each in verb.arguments.items() if each.kind is not ArgumentKind.NEW_KEY}
    required = [_argument(key, each, entity) for key, each in asked.items() if each.required]
    optional = [_argument(key, each, entity) for key, each in asked.items() if not each.required]
    date = () if verb.date is None else (VerbArgument(DATE_ARGUMENTS[verb.date], _date(verb.date)),)
    return VerbSignature(
        name=name,
        domain=name.partition(".")[0],
        title=_title(verb),
        effect=verb.effect,
        arguments=(*required, *date, *optional),
        columns=tuple(result_column(column) for column in verb.columns),
    )


def result_column(column: PackColumn) -> Column:
    return Column(column.name, _CELLS.get(column.type, CellType.TEXT))


def _title(verb: PackVerb) -> str:
    return verb.title.get(FALLBACK) or next(iter(verb.title.values()), "")


def _date(use: DateUse) -> ArgumentType:
    return DateType() if use is DateUse.AS_OF else PeriodType()


def _argument(name: str, argument: PackArgument, entity: Callable[[str], str]) -> VerbArgument:
    if argument.entity:
        return VerbArgument(name, EntityType(entity(argument.entity)), argument.required)
    wanted = EnumType(argument.options) if argument.options else _TYPES[argument.kind]
    return VerbArgument(name, wanted, argument.required)
