"""Options of the form `K=V`."""

import click


def pairs(given: tuple[str, ...], option: str) -> dict[str, str]:
    """`K=V` once for each K."""
    found = {}
    for each in given:
        key, equals, value = each.partition("=")
        if not equals or not key:
            # What was given is not repeated: without a name nobody can tell whether it is a secret.
            raise click.BadParameter("write K=V", param_hint=option)
        found[key] = value
    return found
