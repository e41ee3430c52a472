"""A resolution that waits while something new is made for one of its references, and the way back to it."""

from dragoman.answering import resolving
from dragoman.answering.context import TurnContext
from dragoman.answering.draft import Conclusion
from dragoman.answering.resolving import Events
from dragoman.contracts import events as ev
from dragoman.contracts.resolution import WaitingResolution
from dragoman.contracts.state import ProgramRegion
from dragoman.entities.name_resolution import Resolution


def give_up(context: TurnContext, waiting: WaitingResolution) -> Conclusion:
    """Nothing is made: the resolution is in hand again as it was, and asks again."""
    resolution = waiting_resolution(waiting)
    events: Events = [ev.CheckpointTaken(), ev.ResolutionResumed()]
    said = context.phrases.say("not_created")
    return resolving.asked(context, resolution, events, context.routing.entry_class, said)


def waiting_resolution(waiting: WaitingResolution) -> Resolution:
    """The resolution, in the text that it stands in."""
    return resolving.resolution_of(
        ProgramRegion(notation=waiting.notation, source=waiting.source, resolution=waiting.resolution)
    )
