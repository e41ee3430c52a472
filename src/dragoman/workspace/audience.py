"""Who may look at the sessions and runs of a workspace.

What was answered to one viewer may be hidden from another. So each session and each run says who its viewer
was, and where packs have policies nobody else may look at it. An operator's run is an operator's to look at.
"""

from functools import cached_property
from pathlib import Path
from typing import Final

from dragoman.contracts.viewer import Viewer

_NOBODY: Final = Viewer()


class Audience:
    """The viewer of a workspace; an `operator` is held to nothing. Without a `home`, only the demo is asked,
    which hides nothing."""

    def __init__(self, home: Path | None, *, operator: bool = False) -> None:
        self._home = home
        self._operator = operator

    @cached_property
    def viewer(self) -> Viewer | None:
        if self._home is None:
            return None
        from dragoman.catalog.settings import read_settings

        return read_settings(self._home).viewer

    def may_see(self, viewer: Viewer | None, *, by_operator: bool = False) -> bool:
        """Whether this viewer may look at what was shown to another, or to an operator."""
        mine = not by_operator and _sees(viewer) == _sees(self.viewer)
        return mine or self._operator or not self._has_policies

    @cached_property
    def _has_policies(self) -> bool:
        if self._home is None:
            return False
        from dragoman.packs.installed import installed_packs

        installed = installed_packs(self._home)
        installed.refuse_lost_policies()
        return any(pack.policies for pack in installed.packs)


def _sees(viewer: Viewer | None) -> tuple[str, frozenset[str]]:
    """What policies ask of a viewer."""
    asked = viewer or _NOBODY
    return asked.name, frozenset(asked.roles)
