"""How the contract says what is printed and what is taken: shapes of JSON, and options in a few words.

A shape is a type (`text`, `number`, `flag`, `cell`, `option`, `anything`), the name of a shape, `[shape]` for
a list of such, or a mapping from keys to shapes, which allows no other keys. What stands in brackets may be
absent: a `(key)` may be left out, a `(type)` may be null. The key `*` stands for any others. An option is a
text, or a program with its sentence.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import click

TYPES: Final[Mapping[str, Callable[[object], bool]]] = {
    "text": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "flag": lambda value: isinstance(value, bool),
    "cell": lambda value: value is None or isinstance(value, str | int | float),
    "anything": lambda value: True,
    "option": lambda value: (
        isinstance(value, str) or (isinstance(value, dict) and value.keys() == {"text", "program"})
    ),
}


def misfits(value: object, shape: Any, shapes: Mapping[str, Any], place: str = "") -> Iterator[str]:
    """Every place where a value has not the shape."""
    match shape:
        case str() if shape != bare(shape):
            if value is not None:
                yield from misfits(value, bare(shape), shapes, place)
        case str() if shape in TYPES:
            if not TYPES[shape](value):
                yield f"{place or 'it'} is not {shape}: {value!r}"
        case str():
            yield from misfits(value, shapes[shape], shapes, place)
        case [inner]:
            if not isinstance(value, list):
                yield f"{place or 'it'} is not a list: {value!r}"
                return
            for number, item in enumerate(value):
                yield from misfits(item, inner, shapes, _below(place, number))
        case dict():
            if not isinstance(value, dict):
                yield f"{place or 'it'} is not an object: {value!r}"
                return
            yield from _object_misfits(value, shape, shapes, place)
        case _:
            raise ValueError(f"{shape!r} is not a shape")


def bare(name: str) -> str:
    """A key or a type without the brackets that say it may be absent."""
    return name[1:-1] if name.startswith("(") else name


def _object_misfits(
    value: dict[str, object], shape: dict[str, Any], shapes: Mapping[str, Any], place: str
) -> Iterator[str]:
    known = {bare(key): inner for key, inner in shape.items()}
    needed = {key for key in shape if key == bare(key) != "*"}
    yield from (f"{_below(place, key)} is missing" for key in sorted(needed - value.keys()))
    for key, item in value.items():
        inner = known.get(key, known.get("*"))
        if inner is None:
            yield f"{_below(place, key)} is not in the contract: {item!r}"
        else:
            yield from misfits(item, inner, shapes, _below(place, key))


def at(value: Any, path: str) -> Any:
    """What is at a place: keys and numbers with dots between them. Python's errors say what is not there."""
    for part in path.split("."):
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def described(command: click.Command) -> dict[str, object]:
    """The arguments and options of a command, each in a few words that change when what it takes does."""
    arguments = [_argument(p) for p in command.params if isinstance(p, click.Argument)]
    options = {" ".join(p.opts): _option(p) for p in command.params if isinstance(p, click.Option)}
    return {"arguments": arguments, "options": options}


def _argument(argument: click.Argument) -> str:
    words = ["required" if argument.required else "optional"]
    words += ["many"] if argument.nargs == -1 else []
    return ", ".join((*words, *_otherwise(argument)))


def _option(option: click.Option) -> str:
    words = ["flag" if option.is_flag else _kind(option.type)]
    words += ["required"] if option.required else []
    words += ["may be repeated"] if option.multiple else []
    words += _otherwise(option)
    words += [f"variable {option.envvar}"] if option.envvar else []
    return ", ".join(words)


def _otherwise(parameter: click.Parameter) -> list[str]:
    """Its default, if it is a text that says something."""
    default = parameter.default
    return [f"otherwise {default}"] if isinstance(default, str) and default else []


def _kind(kind: object) -> str:
    match kind:
        case click.Choice():
            return f"one of {' '.join(kind.choices)}"
        case click.IntRange() | click.FloatRange():
            lowest = f"more than {kind.min}" if kind.min_open else f"at least {kind.min}"
            highest = "" if kind.max is None else f", at most {kind.max:g}"
            return f"{kind.name.removesuffix(' range')} {lowest}{highest}"
        case click.Path():
            return "path"
        case click.ParamType(name=name):
            return name
        case _:
            raise ValueError(f"{kind!r} is not a type of click")


def _below(place: str, part: object) -> str:
    return f"{place}.{part}" if place else str(part)
