"""What every event of a session is: a frozen record with its kind as a tag."""

import msgspec


def _kind(class_name: str) -> str:
    """`TurnOpened` is stored as `turn_opened`; OML and LLM stay words of their own."""
    spaced = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in class_name)
    return spaced.lstrip("_")


class Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag=_kind, gc=False):
    """Something that happened. Defaults are written out: what is stored says everything."""
