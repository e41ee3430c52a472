"""An answer to the question which one is meant, said in words that are no name: what fits of the named."""

import re

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.named_entity import NamedEntity
from dragoman.contracts.program import UnresolvedRef
from dragoman.contracts.state import CandidateScope, ClarificationState, EntityRef, SessionState
from dragoman.reading.cues import is_soft
from dragoman.reading.reading import MentionKind, Reading
from dragoman.reading.tokens import fold

_WORD = re.compile(r"[^\W_]+")
_CLOSE = 84.0
_SHORT = 3
_MOST = 50


def narrowed_reading(reading: Reading, state: SessionState, catalog: Catalog) -> Reading:
    """The reading with the object that the message picks out of what was named before.

    A word of its name or of what tells it apart (its country, its role) is enough, when every word that
    nothing covers, and every other entity that was named, is such. A new name is searched for.
    """
    pending = state.frames.clarification
    if pending is None or pending.waits_for_yes:
        return reading
    # What is searched for an open reference is narrowed there (`narrowed_matches`).
    if open_ref(state) is not None:
        return reading
    kind = _kind(pending, catalog)
    if not kind or reading.objects or reading.picks or reading.verbs or reading.actions or reading.phrase:
        return reading
    said = (*reading.uncovered, *(m.text for m in reading.of_kind(MentionKind.NUMBER)))
    words = tuple(dict.fromkeys(word for word in said if not is_soft(word, reading.language)))
    told = [(ref.id, ref.name) for ref in reading.entities]
    if not words and not told:
        return reading
    pool = _pool(pending, kind, catalog)
    fitting = [entity for entity in pool if _fits(entity, words, told)]
    if not fitting and words and not told:
        fitting = _searched(" ".join(words), kind, catalog)
    if not fitting:
        return reading
    refs = tuple(entity.ref for entity in fitting[:_MOST])
    return replace(reading, objects=(refs,), uncovered=(), entities=())


def _kind(pending: ClarificationState, catalog: Catalog) -> str:
    """The kind of object that the question is about; none where it is about something else."""
    verb = catalog.verb(pending.resume_target_route)
    missing = pending.missing_anchors[0] if pending.missing_anchors else ""
    argument = verb.spec.arguments.get(missing) if verb is not None else None
    kind = argument.entity if argument is not None else missing
    return kind if kind in catalog.cards else ""


def _pool(pending: ClarificationState, kind: str, catalog: Catalog) -> list[NamedEntity]:
    """What was offered."""
    offered = (_held(candidate, kind, catalog) for candidate in pending.candidate_scopes)
    return [entity for entity in offered if entity is not None]


def open_ref(state: SessionState) -> UnresolvedRef | None:
    """The reference that the session waits for: what was skipped is left in the program, and open no more."""
    reference = state.program.open_reference
    return reference.ref if reference is not None else None


def _held(candidate: CandidateScope, kind: str, catalog: Catalog) -> NamedEntity | None:
    return catalog.entity(kind, candidate.key)


def _searched(text: str, kind: str, catalog: Catalog) -> list[NamedEntity]:
    """The entities of a kind whose names have all the words; where none are held, what the index finds."""
    wanted = [fold(word) for word in _WORD.findall(text)]
    held = [entity for entity in catalog.entities if entity.ref.kind == kind]
    if not held:
        matches = catalog.entity_matches(kind, text)
        return [
            NamedEntity(EntityRef(kind, match.entity_id, match.display), (match.display,))
            for match in matches
        ]
    kinds = {fold(word) for words in catalog.kinds.get(kind, {}).values() for word in words}
    wanted = [word for word in wanted if word not in kinds] or wanted
    return [entity for entity in held if _fits(entity, tuple(wanted), [])]


def _fits(entity: NamedEntity, words: tuple[str, ...], told: list[tuple[str, str]]) -> bool:
    pool = [fold(word) for text in (*entity.names, *entity.told) for word in _WORD.findall(text)]
    values = {value.casefold() for value in entity.told} | {key.casefold() for _, key in entity.belongs}
    if not all(any(name.casefold() in values for name in names) for names in told):
        return False
    return all(any(_same(fold(word), each) for each in pool) for word in words)


def _same(one: str, other: str) -> bool:
    if len(one) <= _SHORT or len(other) <= _SHORT:
        return one == other
    if other.startswith(one):
        return True
    # Few messages narrow a name, and only they need what compares spellings.
    from rapidfuzz import fuzz

    return fuzz.ratio(one, other) >= _CLOSE
