"""What types cannot say of `models` in dragoman.yaml: no key is written there, and every address is one."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from dragoman.contracts.errors import AddressRefused
from dragoman.contracts.program import Diagnostic
from dragoman.databases.addresses import is_local, judge_host
from dragoman.databases.connections.variables import is_only_variables, malformed_variable, variables_in
from dragoman.guards.secrets import redacted
from dragoman.language.oml.findings import Findings
from dragoman.language.oml.yaml_text import read_tree
from dragoman.language.oml.yaml_tree import Listing, Mapping, Node, Scalar
from dragoman.language.source import Source

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,60}")
_HIDE = "put it into an environment variable, and write ${ITS_NAME}"
_ADDRESS = "write an address such as https://api.example.org/v1"
_ENCRYPT = "write https, or allow_http: true if the network between is your own"
_LOCAL = "local"
_PRICES = ("price_in", "price_out")
_MOST = 16
"""More providers than a turn could ever ask one after the other."""


def misfits(source: Source) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
    """Keys that are written, and whatever else is wrong."""
    secrets, findings = Findings(source), Findings(source)
    models = _value(read_tree(source, Findings(source)).root, "models")
    listed = _value(models, "providers")
    providers = listed.items if isinstance(listed, Listing) else []
    if isinstance(listed, Listing) and not 1 <= len(providers) <= _MOST:
        message = f"models needs 1 to {_MOST} providers"
        findings.error("wrong_type", (listed.start, listed.start + 1), message, "write one under providers")
    budget = _value(models, "turn_cost")
    seen = set[str]()
    for provider in providers:
        _check_prices(provider, budget is not None, findings)
        _check_place(provider, findings)
        for name, value in _texts(provider):
            _check_secret(name, value, secrets)
            if name == "name":
                _check_name(value, seen, findings)
            if name == "base_url":
                _check_address(value, _is_true(_value(provider, "allow_http")), findings)
    return secrets.diagnostics(), findings.diagnostics()


def address_problem(url: str, *, allow_http: bool) -> tuple[str, str] | None:
    """What is wrong with the address of a provider and what to write instead, without asking the network."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return f"{redacted(url)} is no address", _ADDRESS
    if parts.scheme not in ("http", "https") or not host or port == 0:
        return f"{redacted(url)} is no address", _ADDRESS
    if parts.username or parts.password:
        return "a user or a password is written in the address", "write key: ${VARIABLE}"
    if parts.query or parts.fragment:
        return "an address ends with its path", _ADDRESS
    try:
        judge_host(host)
    except AddressRefused as error:
        return error.message, _ADDRESS
    if parts.scheme == "http" and not allow_http and not is_local(host):
        return f"http is not encrypted, and {redacted(host)} is another machine", _ENCRYPT
    return None


def _check_prices(provider: Node, needed: bool, findings: Findings) -> None:
    """What a request costs is known from both prices or not at all."""
    written = [name for name in _PRICES if _value(provider, name) is not None]
    if isinstance(provider, Mapping) and (written or needed) and len(written) < len(_PRICES):
        missing = next(name for name in _PRICES if name not in written)
        message = f"{missing} is missing" if written else "turn_cost needs the prices of every provider"
        hint = "write price_in and price_out, 0 where nothing is charged"
        findings.error("missing_key", (provider.start, provider.start + 1), message, hint)


def _check_place(provider: Node, findings: Findings) -> None:
    """A provider has an address, and there a model by a name; a local model is a file, and has no address."""
    kind = _value(provider, "kind")
    if not isinstance(provider, Mapping) or not isinstance(kind, Scalar):
        return
    place = (provider.start, provider.start + 1)
    if kind.text == _LOCAL:
        for name in ("base_url", "key"):
            found = _value(provider, name)
            if found is not None:
                message = f"a local model has no {name}"
                findings.error("unknown_key", (found.start, found.start + 1), message, f"leave out {name}")
        return
    for name in ("base_url", "model"):
        if _value(provider, name) is None:
            findings.error("missing_key", place, f"{name} is missing", f"write {name}: …")


def _check_secret(name: str, value: Scalar, findings: Findings) -> None:
    if name == "key" and value.text and not is_only_variables(value.text):
        findings.error("literal_secret", value.extent, "a key is written here", _HIDE)
    elif name in ("base_url", "model") and (malformed := malformed_variable(value.text)):
        message = f"{redacted(malformed)} is no variable"
        findings.error("bad_variable", value.extent, message, "write ${ITS_NAME}")


def _check_name(value: Scalar, seen: set[str], findings: Findings) -> None:
    if not _NAME.fullmatch(value.text):
        message = f"{redacted(value.text)} is no name of a provider"
        findings.error("bad_name", value.extent, message, "write letters, digits, ., - and _, a letter first")
    elif value.text in seen:
        message = f"there are two providers {redacted(value.text)}"
        findings.error("duplicate_key", value.extent, message, "give one another name")
    seen.add(value.text)


def _check_address(value: Scalar, allow_http: bool, findings: Findings) -> None:
    # What a variable holds is judged when it is known.
    if variables_in(value.text) or malformed_variable(value.text):
        return
    problem = address_problem(value.text, allow_http=allow_http)
    if problem is not None:
        findings.error("bad_url", value.extent, *problem)


def _texts(provider: Node) -> Iterator[tuple[str, Scalar]]:
    if isinstance(provider, Mapping):
        for key, value in zip(provider.keys, provider.values, strict=True):
            if isinstance(value, Scalar):
                yield key.text, value


def _value(node: Node | None, name: str) -> Node | None:
    if not isinstance(node, Mapping):
        return None
    pairs = zip(node.keys, node.values, strict=True)
    return next((value for key, value in pairs if key.text == name), None)


def _is_true(node: Node | None) -> bool:
    return isinstance(node, Scalar) and node.plain and node.text == "true"
