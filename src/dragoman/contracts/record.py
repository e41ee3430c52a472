"""The kind of record everything in the contracts is made of: frozen, closed, without defaults on the wire."""

import msgspec


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A frozen value. Unknown fields in stored data are an error, never ignored."""
