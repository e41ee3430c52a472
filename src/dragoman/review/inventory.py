"""What a message demands and what a program commits to, written down for whoever asks why."""

from collections.abc import Iterator

from dragoman.review.case import Case
from dragoman.review.commitments import Committed
from dragoman.review.records import Commitment, Demand
from dragoman.review.words import Word
from dragoman.tables.request import ReadRequest
from dragoman.tables.verbs import TableVerb

_SILENT = frozenset({"nothing", "by", "either", "between"})
"""Cues that demand nothing by themselves."""


def demands_of(case: Case) -> tuple[Demand, ...]:
    found = [*_of_cues(case), *_of_periods(case), *_of_words(case), *_of_names(case)]
    return tuple(sorted(dict.fromkeys(found), key=lambda each: (each.start, each.end, each.kind)))


def _of_cues(case: Case) -> Iterator[Demand]:
    for cue in case.message.cues:
        if cue.does not in _SILENT:
            start, end = case.words[cue.first].start, case.words[cue.last - 1].end
            yield Demand(cue.does, case.message.text[start:end], start, end)


def _of_periods(case: Case) -> Iterator[Demand]:
    for mention in case.message.periods:
        yield Demand("period", mention.text, mention.start, mention.end)


def _of_words(case: Case) -> Iterator[Demand]:
    for word in case.words:
        if case.message.in_period(word):
            continue
        kind = _kind(word)
        if kind:
            yield Demand(kind, word.text, word.start, word.end)


def _kind(word: Word) -> str:
    if word.number is not None:
        return "number"
    return "value" if word.quoted or word.capital else ""


def _of_names(case: Case) -> Iterator[Demand]:
    for named in case.named:
        start, end = case.words[named.first].start, case.words[named.last - 1].end
        yield Demand("table" if named.tables else "column", case.message.text[start:end], start, end)


def commitments_of(committed: Committed) -> tuple[Commitment, ...]:
    found = [Commitment("having" if atom.having else "filter", atom.part) for atom in committed.atoms]
    for linking in committed.linkings:
        path = "/".join(link.name for link in linking.links)
        found.append(Commitment("absent" if linking.absent else "present", path))
    for request in committed.requests:
        found.extend(_of_request(request))
    return tuple(dict.fromkeys(found))


def _of_request(request: ReadRequest) -> Iterator[Commitment]:
    yield Commitment("verb", f"{request.table.name}.{request.verb}")
    if request.verb is not TableVerb.LIST:
        yield from (Commitment("measure", each.written) for each in request.measures)
    yield from (Commitment("group", path.written) for path in request.by)
    for each in request.order:
        yield Commitment("descending" if each.descending else "ascending", each.by.written)
    for cut in (request.top, request.limit):
        if cut is not None:
            yield Commitment("limit", str(cut))
    if request.distinct:
        yield Commitment("distinct", request.table.name)
    yield from (Commitment("with", link.name) for link in request.joined)
