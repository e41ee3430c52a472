"""The answer to the question what a reference of the program means.

It stands before the planners that read words as data: while matches are offered, "the second" and "the
Luxembourg one" are about them. What is a question of its own, and what fits no match, is left to the others.
"""

from typing import Final

from dragoman.catalog.entity_names import MAX_MATCHES
from dragoman.contracts.resolution import Reference
from dragoman.contracts.state import NEXT_STEP, CandidateScope
from dragoman.contracts.vocabulary import Signal
from dragoman.entities import entity_matches
from dragoman.entities.records import Found, Match
from dragoman.planning.contract import CERTAIN, Asked, Narrowed, Picked, PlannerName, Proposal, Searched
from dragoman.reading.narrowed_matches import called, fitting, related, telling_words
from dragoman.reading.reading import MentionKind
from dragoman.reading.tokens import tokens_of

_AROUND: Final = " .,;:!?)(#№\"'“”„«»"
_POOL: Final = 100
_NAMED: Final = 30.0
_SHORTEST_SLIP: Final = 5
_STEPS: Final = {"create": Signal.ESCAPE_CREATE, "search": Signal.ESCAPE_SEARCH}


class ResolutionPlanner:
    """Says what a message is to the reference that the session waits for."""

    name = PlannerName.RESOLUTION

    def propose(self, asked: Asked) -> Proposal | None:
        if asked.state.program.waiting is not None and asked.reading.phrase is Signal.ESCAPE_CANCEL:
            # What is cancelled is the new entity; a second cancel ends the session.
            return Proposal(self.name, (Signal.ESCAPE_NONE,), CERTAIN)
        reference, pending = asked.continuity.resolving, asked.continuity.clarification
        if reference is None or pending is None or asked.written is not None:
            return None
        placed = _placed(asked, pending.candidate_scopes)
        if placed is not None and placed.anchor == NEXT_STEP:
            return Proposal(self.name, (_STEPS[placed.key],), CERTAIN)
        if placed is not None:
            return self._resolving(Picked(placed.key))
        if asked.reading.phrase is not None:
            return None
        if asked.reading.affirm is not None and not asked.reading.verbs:
            # A no is to all of them; a yes does not say to which.
            said = Signal.FITS_CLARIFICATION if asked.reading.affirm else Signal.ESCAPE_NONE
            return Proposal(self.name, (said,), CERTAIN)
        answer = _answer(asked, reference)
        if answer is not None:
            return self._resolving(answer)
        # Said as an answer is, and fitting nothing: it is asked again.
        unknown = asked.reading.unknown_name
        return Proposal(self.name, (Signal.FITS_CLARIFICATION,), CERTAIN) if unknown else None

    def _resolving(self, answer: Picked | Narrowed | Searched) -> Proposal:
        return Proposal(self.name, (Signal.FITS_CLARIFICATION,), CERTAIN, resolves=answer)


def _placed(asked: Asked, offered: tuple[CandidateScope, ...]) -> CandidateScope | None:
    """The closed answer that is said by its place or its label, or that a yes means where there is one."""
    text, reading = asked.text.strip(_AROUND).casefold(), asked.reading
    if text.isdecimal():
        return offered[int(text) - 1] if 1 <= int(text) <= len(offered) else None
    labelled = [each for each in offered if text in (each.label.casefold(), each.key.casefold())]
    if labelled:
        return labelled[0] if len(labelled) == 1 else None
    if reading.affirm is not None:
        return offered[0] if reading.affirm and len(offered) == 1 else None
    if len(reading.picks) != 1 or reading.uncovered or reading.verbs or reading.objects or reading.entities:
        return None
    pick = reading.picks[0]
    place = pick.place - 1 if pick.place > 0 else len(offered) + pick.place
    return offered[place] if pick.largest is None and 0 <= place < len(offered) else None


def _answer(asked: Asked, reference: Reference) -> Picked | Narrowed | Searched | None:
    kind, reading = reference.ref.entity_type, asked.reading
    pool = _pool(asked, reference)
    whole = called(asked.text.strip(_AROUND), pool)
    if len(whole) == 1:
        return Picked(whole[0].key)
    # Whatever asks for something, or does something, is a message of its own.
    if reading.verbs or reading.actions or reading.periods or reading.extend or reading.wants_write:
        return None
    if reading.affirm is not None or reading.chooses_scope:
        return None
    words = telling_words(asked.text, reading.language, asked.catalog, kind)
    if not words:
        return None
    # "I mean Thematica" is about a match and not about an answer; only what fits one is.
    of_answers = reading.meta is not None or reading.recap
    if not reference.text:
        return None if of_answers else Searched(asked.text.strip(_AROUND))
    fit = (
        _of_named(asked, pool, kind)
        or fitting(words, pool, kind, asked.catalog)
        or fitting(_mended(words, pool), pool, kind, asked.catalog)
    )
    if len(fit) == 1:
        return Picked(fit[0].key)
    if fit:
        return Narrowed(words, entity_matches(Found(fit[:MAX_MATCHES])))
    return None if of_answers else _elsewhere(asked, kind)


def _of_named(asked: Asked, pool: tuple[Match, ...], kind: str) -> tuple[Match, ...]:
    """The matches that belong to what the message names in full: the one of Meridian Asset Managers. Some of
    the words of that name are mostly those of other matches too."""
    for mention in asked.reading.mentions:
        if mention.kind not in (MentionKind.OBJECT, MentionKind.ENTITY):
            continue
        said = [token.form for token in tokens_of(mention.text)]
        refs = [*(ref for refs in asked.reading.objects for ref in refs), *asked.reading.entities]
        owners = [
            ref
            for ref in dict.fromkeys(refs)
            if ref.kind != kind
            and f"{ref.kind} {ref.id}" in mention.means.split(" | ")
            and said == [token.form for token in tokens_of(ref.name)]
        ]
        if len(owners) != 1:
            continue
        rest = asked.text[: mention.start] + " " + asked.text[mention.end :]
        words = telling_words(rest, asked.reading.language, asked.catalog, kind)
        found = related(owners[0], words, pool, kind, asked.catalog)
        if found:
            return found
    return ()


def _mended(words: tuple[str, ...], pool: tuple[Match, ...]) -> tuple[str, ...]:
    """The words with slips in them as the names of the matches have them, where only one is near."""
    from rapidfuzz.distance import OSA

    known = {token.form for match in pool for token in tokens_of(match.display)}
    found: list[str] = []
    for word in words:
        near = [each for each in known if each[0] == word[0] and OSA.distance(word, each) == 1]
        found.append(
            near[0] if word not in known and len(word) >= _SHORTEST_SLIP and len(near) == 1 else word
        )
    return tuple(found)


def _pool(asked: Asked, reference: Reference) -> tuple[Match, ...]:
    """Everything that has the name that is searched for, narrowed as it was before."""
    kind = reference.ref.entity_type
    found = asked.catalog.search(kind, reference.text, reference.filters, limit=_POOL)
    named = tuple(
        match for match in found.matches if match.score >= _NAMED and match.key not in reference.rejected
    )
    return fitting(reference.narrowed, named, kind, asked.catalog) if reference.narrowed else named


def _elsewhere(asked: Asked, kind: str) -> Picked | Searched | None:
    """Another entity of the kind, by its name: an answer too, although the search did not find it."""
    named = [ref for refs in asked.reading.objects for ref in refs if ref.kind == kind]
    named += [ref for ref in asked.reading.entities if ref.kind == kind]
    if asked.reading.uncovered or not named:
        return None
    return Picked(named[0].id) if len(named) == 1 else Searched(asked.text.strip(_AROUND))
