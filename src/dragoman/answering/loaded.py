"""Which periods are loaded, said from the coverage rules: the span there is, and where it is not whole."""

from collections.abc import Iterable, Sequence

from dragoman.answering.phrases import Phrases
from dragoman.catalog.catalog import Catalog
from dragoman.catalog.coverage import CoverageRule
from dragoman.contracts.state import DateScope

_WHOLE = "full"
_KEYS = {"partial": "loaded_partly", "failed": "loaded_not"}


def loaded_span(phrases: Phrases, catalog: Catalog) -> str:
    """From when to when there is anything at all; nothing where no rule says so."""
    rules = catalog.coverage
    return phrases.say("loaded", dates=_dates(phrases, rules)) if rules else ""


def loaded_periods(phrases: Phrases, catalog: Catalog) -> str:
    """What is loaded of everything, and what of it only in part or not at all, with the reason."""
    rules = catalog.coverage
    if not rules:
        return phrases.say("loaded_unknown")
    said = [loaded_span(phrases, catalog)]
    said += [_shorter(phrases, catalog, domain, rules) for domain in dict.fromkeys(r.domain for r in rules)]
    for rule in rules:
        if rule.status in _KEYS:
            what = _named(phrases, catalog, rule)
            dates = _dates(phrases, [rule])
            said.append(phrases.say(_KEYS[rule.status], what=what, dates=dates, reason=rule.reason))
    return "".join(said)


def _shorter(phrases: Phrases, catalog: Catalog, domain: str, rules: Sequence[CoverageRule]) -> str:
    """A domain of which less is loaded than of others."""
    own = [rule for rule in rules if rule.domain == domain]
    dates = _dates(phrases, own)
    if dates == _dates(phrases, rules):
        return ""
    return phrases.say("loaded_of", what=_titles(phrases, catalog, domain), dates=dates)


def _dates(phrases: Phrases, rules: Iterable[CoverageRule]) -> str:
    known = list(rules)
    span = DateScope(min(rule.start for rule in known), max(rule.end for rule in known))
    return phrases.dates(span, as_of=False)


def _named(phrases: Phrases, catalog: Catalog, rule: CoverageRule) -> str:
    """What a rule speaks of: its figures, and whose they are."""
    found = [catalog.entity(kind, key) for kind, key in rule.scopes]
    names = [catalog.shown(entity.ref, phrases.language) for entity in found if entity is not None]
    return ", ".join((_titles(phrases, catalog, rule.domain), *names))


def _titles(phrases: Phrases, catalog: Catalog, domain: str) -> str:
    """What the verbs of a domain are called."""
    verbs = [verb for verb in catalog.verbs.values() if verb.domain == domain]
    titles = [phrases.inside(verb.title(phrases.language)) for verb in verbs]
    return phrases.joined(titles) or domain
