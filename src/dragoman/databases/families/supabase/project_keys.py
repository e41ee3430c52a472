"""What the key of a project says about itself, without asking anybody."""

import base64
import binascii

import msgspec

from dragoman.contracts.decoding import decoded

_SECRET = "sb_secret_"  # noqa: S105
_RULER = "service_role"


class _Claims(msgspec.Struct):
    role: str = ""


def rules_all(key: str) -> bool:
    """Whether it is the key that no policy binds: by its beginning, or by the role in its token."""
    if key.startswith(_SECRET):
        return True
    parts = key.split(".")
    if len(parts) != 3:
        return False
    try:
        claims = base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4))
        return decoded(claims, _Claims).role == _RULER
    except (binascii.Error, ValueError, msgspec.MsgspecError):
        return False
