"""The line that somebody types in a chat: edited, completed, remembered. Only a terminal needs this."""

import sys
import threading
from collections.abc import Iterable, Iterator

import click
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import History
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import Output, create_output

from dragoman.cli.chat_commands import COMMANDS, MARK, ChatDesk
from dragoman.cli.chat_history import ChatHistory, safe
from dragoman.cli.chat_state import state_line
from dragoman.cli.failures import printable, warn
from dragoman.contracts.errors import DragomanError
from dragoman.workspace import Workspace
from dragoman.workspace.typed_text import goes_on

PROMPT = "> "
LEAVING = "Ctrl-D leaves, “help” says what can be asked"


def typed_lines(desk: ChatDesk, *, to_stderr: bool) -> Iterator[str]:
    """Lines, until somebody leaves with Ctrl-D. Ctrl-C clears the line."""
    workspace, prompt = desk.workspace, _Prompt(desk)
    history = ChatHistory(workspace.folder)
    # What has to be read for the first completion is read while the first line is typed.
    threading.Thread(target=_warm, args=(workspace,), name="completion", daemon=True).start()
    session: PromptSession[str] = PromptSession(
        history=_Kept(history),
        completer=_Words(workspace),
        complete_while_typing=False,
        complete_in_thread=True,
        enable_history_search=True,
        output=_output(to_stderr=to_stderr),
        multiline=True,
        prompt_continuation=". ",
        key_bindings=prompt.keys,
    )
    said = False
    while True:
        try:
            line = session.prompt(prompt.text, default=prompt.begin()).strip()
        except EOFError:
            break
        except KeyboardInterrupt:
            if not said:
                click.secho(LEAVING, dim=True, err=True)
                said = True
            continue
        if line:
            yield line
    if history.problem:
        warn(f"the lines of this chat are not remembered: {history.problem}")


class _Prompt:
    """What stands before the line: the state of the conversation above it, until the screen is cleared."""

    def __init__(self, desk: ChatDesk) -> None:
        self._desk = desk
        self._state = ""
        self.keys = KeyBindings()
        self.keys.add("enter")(_entered)
        self.keys.add("c-l")(self._cleared)

    def begin(self) -> str:
        """A new line; what it begins as."""
        try:
            self._state = printable(state_line(self._desk.state)).replace("\n", " ")
        except DragomanError:
            # Whoever asks the next question is told.
            self._state = ""
        draft, self._desk.draft = self._desk.draft, ""
        return draft

    def text(self) -> FormattedText:
        state = [("fg:ansibrightblack", f"{self._state}\n")] if self._state else []
        return FormattedText([*state, ("", PROMPT)])

    def _cleared(self, event: KeyPressEvent) -> None:
        self._state = ""
        event.app.renderer.clear()


def _entered(event: KeyPressEvent) -> None:
    """A program that goes on gets another line; an empty one ends it whatever it is."""
    buffer = event.current_buffer
    if buffer.document.current_line.strip() and buffer.document.is_cursor_at_the_end and goes_on(buffer.text):
        buffer.newline(copy_margin=True)
    else:
        buffer.validate_and_handle()


def _output(*, to_stderr: bool) -> Output:
    """Standard output may be a file that only answers belong in."""
    return create_output(stdout=sys.stderr if to_stderr else sys.stdout)


def _warm(workspace: Workspace) -> None:
    try:
        workspace.completion()
    except DragomanError:
        # Whoever asks the next question is told.
        return


class _Kept(History):
    """The history of the folder, and of this chat. Secrets are in neither."""

    def __init__(self, kept: ChatHistory) -> None:
        super().__init__()
        self._kept = kept

    def load_history_strings(self) -> Iterable[str]:
        return reversed(self._kept.lines())

    def append_string(self, string: str) -> None:
        super().append_string(safe(string))

    def store_string(self, string: str) -> None:
        self._kept.add(string)


class _Words(Completer):
    """Commands of the chat at the beginning of a line, words of the database anywhere else."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        line = document.text_before_cursor
        if line.startswith(MARK):
            for name, command in COMMANDS.items():
                if name.startswith(line):
                    yield Completion(name, start_position=-len(line), display=command.usage)
            return
        try:
            found = self._workspace.completion().of_line(line)
        except DragomanError:
            return
        for each in found:
            told = f"{each.kind} of {each.of}" if each.of else each.kind
            shown = printable(each.text)
            if shown == each.text:
                yield Completion(each.text, -each.typed, display_meta=printable(told))
