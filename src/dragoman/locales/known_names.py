"""What goes by several names, whoever is asked: France is FR and French, and what is annual is of a year."""

from functools import cache

from dragoman.locales.registry import FALLBACK, language, same_letters

_SMALL = frozenset({"of", "and", "the"})


@cache
def other_names() -> dict[str, frozenset[str]]:
    """Every name that something has beside one in which a word stands."""
    found: dict[str, set[str]] = {}
    for names in _groups():
        for name in names:
            others = names - {name}
            for word in (name, *name.replace("-", " ").split()):
                if word not in _SMALL:
                    found.setdefault(word, set()).update(others)
    return {word: frozenset(names) for word, names in found.items()}


def _groups() -> list[frozenset[str]]:
    english = language(FALLBACK)
    places = english.texts("places")
    countries = ([*each["names"], *each["of"], *each["codes"]] for each in places["countries"])
    states = ([name, code] for code, name in places["states"].items())
    kinds = (names for kind in english.texts("known_values")["kinds"] for names in kind["values"])
    return [
        frozenset(same_letters(str(name).casefold()) for name in names)
        for names in (*countries, *states, *kinds)
    ]
