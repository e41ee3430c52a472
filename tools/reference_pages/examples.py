"""The smallest example of any record, and a state with something in every part."""

import datetime as dt
import enum
import types
import typing
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from dragoman.contracts import state as st
from dragoman.contracts.answer import AnswerObject, CoverageGateState
from dragoman.contracts.vocabulary import Lifecycle, TurnStatus

_S = TypeVar("_S", bound=msgspec.Struct)

_PLAIN: dict[Any, Any] = {str: "example", int: 1, float: 0.5, bool: True, dt.date: dt.date(2020, 3, 31)}


def smallest(struct: type[_S]) -> _S:
    """An example with every required field: text, a number, the first word of a vocabulary."""
    hints = typing.get_type_hints(struct)
    fields = msgspec.structs.fields(struct)
    return struct(**{field.name: _value(hints[field.name]) for field in fields if field.required})


def _value(annotation: Any) -> Any:
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is tuple:
        return (_value(arguments[0]),)
    if origin is dict:
        return {_value(arguments[0]): _value(arguments[1])}
    if origin in (types.UnionType, typing.Union):
        return _value(arguments[0])
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    if issubclass(annotation, enum.Enum):
        return next(iter(annotation))
    return smallest(annotation)


@cache
def full_state() -> st.SessionState:
    """A state in which every part holds something, so that whatever is dropped is seen to be dropped."""
    gate = smallest(CoverageGateState)
    frames = st.FramesRegion(
        root=replace(smallest(st.RootFrameState), domain_id="other"),
        selected_object=replace(smallest(st.SelectedObjectFrameState), focus_object_kind="other"),
        meta=replace(smallest(st.MetaFrameState), source_answer_object_ref="other"),
        clarification=replace(smallest(st.ClarificationState), resume_target_route="other"),
        default_scope=(st.EntityRef("other", "1", "other"),),
    )
    history = (smallest(st.Checkpoint),)
    return st.SessionState(
        lifecycle=Lifecycle.OPEN,
        turn=st.TurnRegion(status=TurnStatus.CLOSED, index=7, turn_id="other"),
        program=st.ProgramRegion(source="other", epoch=3, history=history, edited_by_user=True),
        frames=frames,
        answers=st.AnswersRegion(items=(smallest(AnswerObject),), grounded_count=1),
        gate=replace(gate, reason_codes=("other",)),
    )
