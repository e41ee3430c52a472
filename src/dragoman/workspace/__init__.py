"""A folder, and everything of Dragoman opened from it: all that doors import beside `contracts`.

`Workspace` has sessions and turns, and a part for each of the other things that can be done in a folder.
A command that needs one part alone opens that part, and does not wait for the rest.
"""

from typing import TYPE_CHECKING

from dragoman._lazy import lazy

if TYPE_CHECKING:
    from dragoman.session.living_mode import living_mode
    from dragoman.session.stores.protocol import SessionHead
    from dragoman.workspace.replays import Replay
    from dragoman.workspace.workspace import Workspace

__all__ = ["Replay", "SessionHead", "Workspace", "living_mode"]

__getattr__ = lazy(
    __name__,
    {
        "Replay": "dragoman.workspace.replays",
        "SessionHead": "dragoman.session.stores.protocol",
        "Workspace": "dragoman.workspace.workspace",
        "living_mode": "dragoman.session.living_mode",
    },
)
