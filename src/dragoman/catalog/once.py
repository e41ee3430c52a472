"""Attributes that are computed when they are first asked for, once, whichever thread asks first."""

from collections.abc import Callable
from threading import RLock
from typing import Any, Generic, Protocol, Self, TypeVar, overload

Value = TypeVar("Value")


class Locked(Protocol):
    """Whatever has such attributes has one lock for all of them: they often need each other."""

    lock: RLock


class once(Generic[Value]):  # noqa: N801 - it is written like `property`.
    """As `functools.cached_property`, which since Python 3.12 computes twice when two threads ask at once."""

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self._compute = compute
        self._name = ""
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: Locked, owner: type) -> Value: ...
    def __get__(self, instance: Locked | None, owner: type) -> Self | Value:
        """Called for the first time only: then the value stands in the instance itself."""
        if instance is None:
            return self
        # One lock for all attributes of an instance, and re-entrant: computing one often asks for another.
        with instance.lock:
            held: dict[str, Value] = instance.__dict__
            if self._name not in held:
                held[self._name] = self._compute(instance)
            return held[self._name]


def forget(instance: Locked, *names: str) -> None:
    """Have attributes computed again when they are next asked for."""
    with instance.lock:
        for name in names:
            instance.__dict__.pop(name, None)
