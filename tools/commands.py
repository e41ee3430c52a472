"""The subcommands of ./do. The first line of a function's docstring is its help."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NoReturn

from tools.checkout import ROOT, SetupError, say
from tools.environments import BENCH, DEV, RUN, Environment, ready

Arguments = Sequence[str]


def demo(arguments: Arguments) -> int:
    """See Dragoman at work: dragoman demo."""
    dragoman(["demo", *arguments])


def dragoman(arguments: Arguments) -> NoReturn:
    """Run the dragoman command from this checkout."""
    _become(ready(RUN).program("dragoman"), *arguments)


def test(arguments: Arguments) -> int:
    """Every check, then the tests; arguments go to pytest."""
    from tools.checks import failed_checks

    failed = failed_checks(ready(DEV))
    outcome = _pytest(arguments, {})
    if failed:
        say(f"failed checks: {', '.join(failed)} (see above; ./do check repeats them)")
    return outcome or bool(failed)


def prove(arguments: Arguments) -> int:
    """The long forms of the tests that have one; arguments go to pytest."""
    # A test without a limit of its own may take longer than every day. Each is named as it ends: a proof that
    # fails in the first minutes need not be waited for.
    return _pytest(arguments, {"DRAGOMAN_PROOF": "long", "PYTEST_TIMEOUT": "1200"}, "--verbose")


def check(arguments: Arguments) -> int:
    """Layout, lint, types, and which room may import which."""
    from tools.checks import failed_checks

    return bool(failed_checks(ready(DEV)))


def tidy(arguments: Arguments) -> int:
    """Lay the source out, with its imports in order."""
    import subprocess

    ruff = ready(DEV).program("ruff")
    steps = (["check", "--select", "I", "--fix", "--quiet"], ["format"])
    return max(subprocess.run([ruff, *step, "."], cwd=ROOT, check=False).returncode for step in steps)


def bench(arguments: Arguments) -> int:
    """Run benchmarks/NAME.py."""
    names = sorted(path.stem for path in (ROOT / "benchmarks").glob("[!_]*.py"))
    if not arguments or arguments[0] not in names:
        raise SetupError(f"which benchmark? There is: {', '.join(names) or 'none yet'}")
    name, *rest = arguments
    # Some benchmarks measure in the environment of the tests, which has none of the peers.
    ready(DEV)
    _become_script(ready(BENCH), ROOT / "benchmarks" / f"{name}.py", rest)


def docs(arguments: Arguments) -> int:
    """Write the generated parts of the documentation again."""
    script = ROOT / "tools" / "generate_docs.py"
    if not script.exists():
        raise SetupError("no part of the documentation is generated yet.")
    _become_script(ready(DEV), script, arguments)


def walk(arguments: Arguments) -> NoReturn:
    """Trace one turn: the rooms that it passes, in order, with counts."""
    _become_script(ready(DEV), ROOT / "tools" / "walk.py", arguments)


def lock(arguments: Arguments) -> int:
    """Choose the newest versions of all dependencies and write the lock files again."""
    from tools.locks import lock_all

    lock_all()
    return 0


COMMANDS: Final[Mapping[str, Callable[[Arguments], int]]] = {
    "demo": demo,
    "dragoman": dragoman,
    "test": test,
    "prove": prove,
    "check": check,
    "format": tidy,
    "bench": bench,
    "docs": docs,
    "walk": walk,
    "lock": lock,
}
TAKES: Final = {
    "dragoman": "ARGS...",
    "test": "[ARGS]",
    "prove": "[ARGS]",
    "bench": "NAME [ARGS]",
    "walk": "MESSAGE...",
}


def dispatch(arguments: Arguments) -> int:
    """Run the subcommand that the first argument names; returns the exit code."""
    name = arguments[0] if arguments else "--help"
    if name in ("-h", "--help", "help"):
        print(_help())
        return 0
    if name not in COMMANDS:
        say(f"there is no command {name!r}\n{_help()}")
        return 2
    try:
        return COMMANDS[name](arguments[1:])
    except SetupError as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        return 130


def _help() -> str:
    usages = {f"{name} {TAKES.get(name, '')}": command.__doc__ for name, command in COMMANDS.items()}
    return "\n".join(f"  ./do {usage:<18} {purpose}" for usage, purpose in usages.items())


def _pytest(arguments: Arguments, settings: Mapping[str, str], *flags: str) -> int:
    import signal
    import subprocess

    from tools.model_weights import weights_settings
    from tools.server_packages import server_settings
    from tools.signals import redirected

    # Named tests run here, where they can be looked at; all of them run side by side, a file at a time.
    # One more than there are processors: a test waits for a server or a disk as often as it computes.
    processes = min(4, (os.cpu_count() or 1) + 1)
    # tests/conftest.py puts the longest files first, and there they stay: otherwise those with few tests come
    # last, and a worker ends with minutes of one of them while the others wait.
    together = (f"--numprocesses={processes}", "--dist=loadfile", "--no-loadscope-reorder")
    spread = () if arguments else together
    command = [str(ready(DEV).python), "-m", "pytest", *flags, *spread, *arguments]
    environment = {**os.environ, **server_settings(), **weights_settings(), **settings}
    # Tests start commands by the hundred, and each would compile every module that it imports.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with (
        subprocess.Popen(command, cwd=ROOT, env=environment) as process,
        redirected(process.send_signal, signal.SIGTERM, signal.SIGHUP),
        # Ctrl-C reaches the tests by itself, and they have servers to stop before they end.
        redirected(lambda number: None, signal.SIGINT),
    ):
        code = process.wait()
    # A child that a signal ended has a negative code; shells know it as 128 and the signal.
    return code if code >= 0 else 128 - code


def _become_script(environment: Environment, script: Path, arguments: Arguments) -> NoReturn:
    # Scripts may import their neighbours by the name that the type checker knows: benchmarks.NAME.
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    _become(environment.python, str(script), *arguments)


def _become(program: Path, *arguments: str) -> NoReturn:
    """Turn into the program, so that input, signals, working directory and exit code are its own."""
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(program, [str(program), *arguments])
