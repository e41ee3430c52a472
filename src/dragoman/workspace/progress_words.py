"""How far a turn is, in a few words: what a door shows while somebody waits."""

from dragoman.contracts import events as ev
from dragoman.contracts.model_events import ModelText
from dragoman.contracts.run import RunEvent, StepBegun
from dragoman.workspace.text import counted


def stage_of(event: ev.SessionEvent | ModelText | RunEvent) -> str:
    """The stage that an event of a turn begins or ends; empty where it is of no interest."""
    match event:
        case ev.MessageRead(language=language):
            return f"read as {language}"
        case ev.TurnRouted(entry_class=entry):
            return f"routed as {entry}"
        case ModelText() | ev.ModelAsked():
            return "a language model writes"
        case ev.RegenerationAttempt():
            return "the program is repaired"
        case ev.OmlSynthesisComplete() | ev.ProgramEdited():
            return "program written"
        case ev.RefsUnresolved():
            return "names are looked up"
        case ev.CompileComplete():
            return "compiled"
        case StepBegun(step=step):
            return f"running {step}"
        case ev.RunStarted():
            return "running"
        case ev.RunFinished(ok=True, rows=rows):
            return f"read {counted(rows, 'row')}"
        case ev.RunFinished():
            return "the run failed"
        case ev.GateComputed():
            return "checked"
        case _:
            return ""
