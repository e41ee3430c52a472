"""The little Markdown that the pages are made of."""

import enum
import inspect
import re
import types
import typing
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

GENERATED = "<!-- Written by ./do docs from the code. Edit the code instead. -->"


def page(title: str, *blocks: str) -> str:
    """A page: its title, where it comes from, its blocks with an empty line between."""
    return "\n\n".join((f"# {title}", GENERATED, *(block for block in blocks if block))) + "\n"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def code(values: Iterable[str], nothing: str = "nothing") -> str:
    """Names as code, with commas between."""
    return ", ".join(f"`{value}`" for value in values) or nothing


def fenced(language: str, text: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"


def own_words(thing: type) -> str:
    """The docstring a class has itself, in one paragraph; empty when it has none of its own."""
    text = vars(thing).get("__doc__")
    return " ".join(inspect.cleandoc(text).split()) if isinstance(text, str) else ""


def anchor(heading: str) -> str:
    """The anchor that a heading gets where Markdown is shown."""
    return re.sub(r"[^\w\- ]", "", heading.casefold()).replace(" ", "-")


def type_words(annotation: Any) -> str:
    """A type in words, its names linked to where they are described."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Literal:
        return " or ".join(f"`{value!r}`" for value in arguments)
    if origin is tuple:
        return f"list of {_grouped(arguments[0])}"
    if origin in (types.UnionType, typing.Union):
        names = [type_words(option) for option in arguments if option is not type(None)]
        return " or ".join([*names, *(["null"] if type(None) in arguments else [])])
    return _name(annotation)


def _grouped(annotation: Any) -> str:
    words = type_words(annotation)
    return f"({words})" if " or " in words else words


def _name(annotation: type) -> str:
    if issubclass(annotation, enum.Enum):
        return f"[{annotation.__name__}](vocabulary.md#{anchor(annotation.__name__)})"
    if issubclass(annotation, msgspec.Struct):
        return f"[{annotation.__name__}](state.md#{anchor(annotation.__name__)})"
    return {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}.get(
        annotation.__name__, annotation.__name__
    )


def fields_table(struct: type[msgspec.Struct]) -> str:
    """The fields of a record: name, type, and what it is when it is left out."""
    hints = typing.get_type_hints(struct)
    rows = [
        (f"`{field.encode_name}`", type_words(hints[field.name]), _default(field))
        for field in msgspec.structs.fields(struct)
    ]
    return table(("field", "type", "default"), rows) if rows else "No fields."


def _default(field: msgspec.structs.FieldInfo) -> str:
    if field.required:
        return ""
    if field.default is msgspec.NODEFAULT:
        # A list or a map is made anew for each.
        return f"`{msgspec.json.encode(field.default_factory()).decode()}`"
    default = msgspec.to_builtins(field.default)
    if isinstance(default, dict):
        return "as below" if not default else f"`{msgspec.json.encode(default).decode()}`"
    return f"`{msgspec.json.encode(default).decode()}`"
