"""A database server as a child process: its folder, its user, its port, its beginning and its certain end."""

import ctypes
import fcntl
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

LOOPBACK: Final = "127.0.0.1"
PREPARE_SECONDS: Final = 120
START_SECONDS: Final = 60
STOP_SECONDS: Final = 20
PORT_ATTEMPTS: Final = 5
SET_PARENT_DEATH_SIGNAL: Final = 1  # PR_SET_PDEATHSIG of Linux's prctl
OWNER: Final = "owner"


class ServerFailedError(Exception):
    """A server did not start; carries the end of its log."""


class PortTakenError(Exception):
    """Somebody else was quicker to the port that was free a moment ago."""


@dataclass(frozen=True)
class Account:
    """The user that a server runs as; nothing of it is set where it is simply the one who runs the tests."""

    uid: int | None = None
    gid: int | None = None
    groups: tuple[int, ...] | None = None

    @classmethod
    def unprivileged(cls, preferred: str) -> "Account":
        """Servers refuse to run as root, and rightly so."""
        if os.geteuid() != 0:
            return cls()
        for name in (preferred, "nobody"):
            try:
                entry = pwd.getpwnam(name)
            except KeyError:
                continue
            return cls(entry.pw_uid, entry.pw_gid, ())
        raise ServerFailedError(f"root may not run a server, and there is no user {preferred} or nobody")


@dataclass(frozen=True)
class Home:
    """A temporary folder that belongs to a server's user."""

    folder: Path
    account: Account

    def write(self, name: str, text: str) -> Path:
        """Put down a file that only the server's user may read."""
        path = self.folder / name
        path.touch(mode=0o600)
        path.write_text(text, "utf-8")
        self.hand_over(path)
        return path

    def hand_over(self, path: Path) -> None:
        if self.account.uid is not None and self.account.gid is not None:
            os.chown(path, self.account.uid, self.account.gid)

    def run(self, command: Sequence[str | Path]) -> None:
        """Run a program that prepares the server's data, as the server's user."""
        outcome = subprocess.run(
            command,
            cwd=self.folder,
            env=_plain_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PREPARE_SECONDS,
            check=False,
            user=self.account.uid,
            group=self.account.gid,
            extra_groups=self.account.groups,
        )
        if outcome.returncode != 0:
            raise ServerFailedError(f"{command[0]}: {outcome.stdout[-2000:]}{outcome.stderr[-2000:]}")

    def launch(self, command: Sequence[str | Path], ending: signal.Signals) -> subprocess.Popen[bytes]:
        """Start the server itself. It outlives a Ctrl-C at the terminal, but never the tests."""
        with self.log.open("wb") as log:
            return subprocess.Popen(
                command,
                cwd=self.folder,
                env=_plain_environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_end_with_parent(ending),
                user=self.account.uid,
                group=self.account.gid,
                extra_groups=self.account.groups,
            )

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    def log_text(self) -> str:
        return self.log.read_text("utf-8", errors="replace")


@contextmanager
def temporary_home(family: str, account: Account) -> Iterator[Home]:
    """A home that goes when the server does. Homes of test runs that were killed are cleared away first."""
    clear_abandoned(family)
    home = Home(Path(tempfile.mkdtemp(prefix=f"dragoman-{family}-")), account)
    owner = _claim(home.folder)
    home.hand_over(home.folder)
    try:
        yield home
    finally:
        shutil.rmtree(home.folder, ignore_errors=True)
        os.close(owner)


def _claim(folder: Path) -> int:
    """Mark a home as in use for as long as this process lives. It gets its name only once it is locked."""
    draft = folder / f"{OWNER}.draft"
    descriptor = os.open(draft, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    draft.rename(folder / OWNER)
    return descriptor


def clear_abandoned(family: str) -> None:
    """Remove the homes of servers whose owners are dead."""
    for owner in Path(tempfile.gettempdir()).glob(f"dragoman-{family}-*/{OWNER}"):
        try:
            with owner.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(owner.parent, ignore_errors=True)
        except OSError:
            continue  # In use, or not ours to touch.


@dataclass
class RunningServer:
    """A server that runs, and can be stopped and started again where it was."""

    home: Home
    command: Callable[[int], Sequence[str | Path]]
    answers: Callable[[int], bool]
    ending: signal.Signals
    process: subprocess.Popen[bytes]
    port: int

    def restart(self, away: float) -> None:
        """Stop it, and start it again on the same port after a while."""
        stop(self.process, self.ending)
        time.sleep(away)
        self.process = self.home.launch(self.command(self.port), self.ending)
        _wait_until(self.process, self.home, partial(self.answers, self.port))


@contextmanager
def running(
    home: Home,
    command: Callable[[int], Sequence[str | Path]],
    answers: Callable[[int], bool],
    ending: signal.Signals,
) -> Iterator[RunningServer]:
    """Keep a server running.

    `command` and `answers` are given the port; `ending` is the signal that makes the server stop quickly
    and cleanly.
    """
    process, port = _start(home, command, answers, ending)
    server = RunningServer(home, command, answers, ending, process, port)
    try:
        yield server
    finally:
        stop(server.process, ending)


def _start(
    home: Home,
    command: Callable[[int], Sequence[str | Path]],
    answers: Callable[[int], bool],
    ending: signal.Signals,
) -> tuple[subprocess.Popen[bytes], int]:
    for _ in range(PORT_ATTEMPTS):
        port = free_port()
        process = home.launch(command(port), ending)
        try:
            _wait_until(process, home, partial(answers, port))
        except PortTakenError:
            continue
        except BaseException:  # Ctrl-C too: whoever interrupts the wait must not leave a server behind.
            stop(process, ending)
            raise
        return process, port
    raise ServerFailedError(f"every port was taken, {PORT_ATTEMPTS} times over:\n{home.log_text()[-2000:]}")


def _wait_until(process: subprocess.Popen[bytes], home: Home, answers: Callable[[], bool]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            log = home.log_text()
            if "in use" in log:
                raise PortTakenError
            raise ServerFailedError(f"the server ended with code {process.returncode}:\n{log[-4000:]}")
        if answers():
            return
        time.sleep(0.05)
    raise ServerFailedError(f"no answer after {START_SECONDS} seconds:\n{home.log_text()[-4000:]}")


def stop(process: subprocess.Popen[bytes], ending: signal.Signals) -> None:
    """End the process: politely first, and for certain after a while."""
    process.send_signal(ending)
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


def is_alive(pid: int) -> bool:
    """Whether a process still runs. One that has ended and waits for its parent to notice does not."""
    try:
        os.kill(pid, 0)
        status = Path(f"/proc/{pid}/stat").read_text("utf-8", errors="replace")
    except (ProcessLookupError, FileNotFoundError):
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def _end_with_parent(ending: signal.Signals) -> Callable[[], None] | None:
    """Have the kernel send `ending` to the child when the tests die, even of SIGKILL."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    parent = os.getpid()

    # Runs after the change of user, which would clear the setting, and before the server's program starts.
    def arrange() -> None:
        prctl(SET_PARENT_DEATH_SIGNAL, int(ending))
        if os.getppid() != parent:
            os._exit(1)

    return arrange


def _plain_environment() -> dict[str, str]:
    # Nothing of the person's own settings (PGDATA, PGHOST, a locale) may decide how a server behaves.
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}
