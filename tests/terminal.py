"""A terminal that a test types into and whose screen it reads: tmux, with a server of the test's own."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.patience import until


class Terminal:
    """What is on the screen, and what is typed. Every wait is for a state of the screen."""

    def __init__(self, tmux: Path, socket: Path) -> None:
        self._command = [str(tmux), "-u", "-S", str(socket), "-f", os.devnull]

    def tmux(self, *arguments: str, **settings: str) -> str:
        ran = subprocess.run(
            [*self._command, *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            env={**_surroundings(), "LC_ALL": "C.UTF-8", **settings},
            check=True,
        )
        return ran.stdout

    @property
    def screen(self) -> str:
        """The lines on the screen, and those that have left it at its upper edge."""
        return self.tmux("capture-pane", "-p", "-J", "-S", "-")

    @property
    def visible(self) -> list[str]:
        """The lines as they stand on the screen, folded at its edge."""
        return self.tmux("capture-pane", "-p").splitlines()

    @property
    def line(self) -> str:
        """The line that the cursor stands in."""
        at = int(self.tmux("display-message", "-p", "#{cursor_y}"))
        lines = self.visible
        return lines[at] if at < len(lines) else ""

    def keys(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def type(self, text: str) -> None:
        """Type a text, and wait until the line shows it."""
        self.tmux("send-keys", "-l", text)
        self.wait(re.escape(text))

    def ask(self, text: str, pattern: str) -> str:
        """Type a line, send it, and wait for what it brings and for the next prompt."""
        self.clear()
        self.type(text)
        self.keys("Enter")
        return self.wait(pattern + r"[\s\S]*^> ?$")

    def wait(self, pattern: str) -> str:
        """Wait until the screen matches; the screen."""
        found = re.compile(pattern, re.MULTILINE)
        try:
            until(lambda: found.search(self.screen), pattern)
        except AssertionError as late:
            raise AssertionError(f"{late}\n{self.screen}") from late
        return self.screen

    def clear(self) -> None:
        """An empty screen with a fresh prompt, so that nothing older is waited for."""
        self.keys("C-l")
        # What leaves the screen goes into its history, which `screen` reads too.
        until(lambda: "".join(self.visible).strip() in ("", ">"), "an empty screen")
        self.tmux("clear-history")

    def resize(self, width: int, height: int) -> None:
        self.tmux("resize-window", "-x", str(width), "-y", str(height))


def _surroundings() -> dict[str, str]:
    """The environment without the size of another terminal, which would count before that of this one."""
    return {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}


@contextmanager
def terminal(
    tmux: Path, folder: Path, *arguments: str, width: int = 100, height: int = 40, **settings: str
) -> Iterator[Terminal]:
    """A terminal in which `dragoman` was started with these arguments; a shell comes behind it."""
    # A socket of its own, in a short path: a server that was told to end may still be there.
    home = Path(tempfile.mkdtemp(prefix="tmux-"))
    opened = Terminal(tmux, home / "socket")
    command = shlex.join([sys.executable, "-m", "dragoman.cli", *arguments])
    # The end of the command is a state on the screen too.
    script = f"{command}; printf 'exit=%s\\n' $?; exec cat"
    try:
        opened.tmux(
            *("new-session", "-d", "-x", str(width), "-y", str(height), "-c", str(folder)),
            f"exec sh -c {shlex.quote(script)}",
            PYTHONIOENCODING="utf-8",
            **settings,
        )
        yield opened
    finally:
        subprocess.run([*opened._command, "kill-server"], capture_output=True, check=False)
        shutil.rmtree(home, ignore_errors=True)
