"""Where files of a step may stand: inside the workspace, as the path guard says."""

from pathlib import Path

from dragoman.contracts.errors import StepRefused
from dragoman.engine.component import Config, StepContext
from dragoman.guards.paths import judge_path


def judged(path: object, context: StepContext) -> Path:
    """The place a path of a program leads to, links followed. Raises StepRefused."""
    written = path if isinstance(path, str) else ""
    verdict = judge_path(str(context.workspace), written)
    if verdict.resolved is None:
        raise StepRefused(
            f"the path of {context.step} cannot be taken: {verdict.message}",
            hint="name a file inside the workspace",
            reason=verdict.code.value if verdict.code else "",
        )
    return Path(verdict.resolved)


def target_file(config: Config, context: StepContext) -> Path:
    """The file that a step writes. Raises StepRefused."""
    path = judged(config.get("path"), context)
    if path.is_dir() or str(config.get("path")).endswith("/"):
        raise StepRefused(f"{shown(path, context)} is a folder", hint="name a file in it")
    return path


def shown(path: Path, context: StepContext) -> str:
    """A path as a person in the workspace would write it."""
    root = context.workspace.resolve()
    return str(path.relative_to(root)) if path.is_relative_to(root) else path.name
