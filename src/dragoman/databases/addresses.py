"""Hosts that no connection may reach: link-local addresses and those at which clouds hand out secrets.

A host is judged twice. `judge_host` looks at the text, in every spelling of a number; `refuse_address` also
asks what the name resolves to, and is called right before connecting.
"""

import ipaddress
import socket
from collections.abc import Callable
from functools import cache
from importlib.resources import files

import msgspec
import yaml

from dragoman._patterns import lazy_pattern
from dragoman.contracts.errors import AddressRefused, HostNotFound
from dragoman.guards.secrets import redacted

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Resolver = Callable[[str], list[str]]

LONGEST = 253

_NAME = lazy_pattern(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?\.?")
_PART = lazy_pattern(r"0[xX][0-9a-fA-F]*|[0-9]+")
_HINT = "name the database server itself, by its name or its own address"


def refuse_address(host: str, resolver: Resolver | None = None) -> tuple[str, ...]:
    """The addresses of a host, all of them allowed. Raises `AddressRefused` and `HostNotFound`.

    Whoever connects should connect to one of these: a name may resolve to something else a moment later.
    """
    judge_host(host)
    try:
        found = (resolver or _resolved)(host)
    except (OSError, UnicodeError) as error:
        raise HostNotFound(
            f"there is no host {redacted(host)}", hint="check its spelling and the network", host=host
        ) from error
    addresses = tuple(dict.fromkeys(found))
    if not addresses:
        raise HostNotFound(f"the host {redacted(host)} has no address", hint=_HINT, host=host)
    for text in addresses:
        # What is no address in the answer of a resolver is nothing to connect to.
        if (address := _numeric(text)) is None or _is_refused(address):
            raise AddressRefused(
                f"the host {redacted(host)} leads to {text}, which no connection may reach",
                hint=_HINT,
                host=host,
            )
    return addresses


def judge_host(host: object) -> None:
    """Refuse a text that cannot be a host or is one that must not be reached, without asking the network."""
    if not isinstance(host, str) or not 0 < len(host) <= LONGEST:
        raise AddressRefused(f"a host has 1 to {LONGEST} characters", hint=_HINT)
    # A network interface after a percent sign changes nothing about the address.
    address = _numeric(host.partition("%")[0])
    if address is not None:
        if _is_refused(address) or "%" in host:
            raise AddressRefused(
                f"{redacted(host)} is an address that no connection may reach", hint=_HINT, host=host
            )
        return
    ascii_form = _ascii(host)
    if not _NAME.fullmatch(ascii_form) or ".." in ascii_form:
        raise AddressRefused(f"{redacted(host)} cannot be the name of a host", hint=_HINT)
    # Other scripts' digits, letters and full stops read as our own: what becomes plain is a disguise.
    if not host.isascii() and "xn--" not in ascii_form:
        raise AddressRefused(f"{redacted(host)} is a host in disguise", hint=_HINT)
    if host.lower().rstrip(".") in _table().names:
        raise AddressRefused(
            f"{redacted(host)} is a host that no connection may reach", hint=_HINT, host=host
        )


def is_local(host: str) -> bool:
    """Whether a host is this machine, so that nothing goes over a wire."""
    address = _numeric(host)
    return address.is_loopback if address is not None else host.lower().rstrip(".") == "localhost"


def remote_schemes() -> frozenset[str]:
    """Schemes that lead to files of other machines."""
    return _table().schemes


def _ascii(host: str) -> str:
    """The name as the network has it; nothing where it has none."""
    try:
        return host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        return ""


def _numeric(host: str) -> Address | None:
    """A host that is a number in any of the spellings that programs take: `0xA9FEA9FE`, `169.254.43518`."""
    try:
        return ipaddress.IPv6Address(host.strip("[]"))
    except ValueError:
        pass
    parts = host.removesuffix(".").split(".")
    if not 1 <= len(parts) <= 4 or not all(len(p) <= 40 and _PART.fullmatch(p) for p in parts):
        return None
    *heads, last = [_number(part) for part in parts]
    value = last % 256 ** (4 - len(heads))
    for place, head in enumerate(heads):
        value += (head % 256) << (8 * (3 - place))
    return ipaddress.IPv4Address(value)


def _number(part: str) -> int:
    if part[:2] in ("0x", "0X"):
        return int(part[2:] or "0", 16)
    octal = len(part) > 1 and part.startswith("0") and set(part) <= set("01234567")
    return int(part, 8 if octal else 10)


def _is_refused(address: Address) -> bool:
    meant = (address, *_carried(address)) if isinstance(address, ipaddress.IPv6Address) else (address,)
    return any(each in network for each in meant for network in _table().networks)


def _carried(address: ipaddress.IPv6Address) -> list[ipaddress.IPv4Address]:
    """The IPv4 addresses that an IPv6 address stands for, on networks that translate."""
    value = int(address)
    shifts = [bits for network, bits in _table().carriers if address in network]
    # An interface identifier of this form carries one under any prefix.
    if (value >> 32) & 0xFFFF_FFFF in (0x5EFE, 0x0200_5EFE):
        shifts.append(0)
    found = [ipaddress.IPv4Address(value >> bits & 0xFFFF_FFFF) for bits in shifts]
    return [*found, *(address.teredo or ())]


def _resolved(host: str) -> list[str]:
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return [str(info[4][0]).partition("%")[0] for info in found]


class _Table(msgspec.Struct, frozen=True):
    schemes: frozenset[str]
    networks: tuple[Network, ...]
    carriers: tuple[tuple[ipaddress.IPv6Network, int], ...]
    names: frozenset[str]


@cache
def _table() -> _Table:
    text = files("dragoman.databases").joinpath("addresses.yaml").read_text(encoding="utf-8")
    told = yaml.load(text, Loader=yaml.CSafeLoader)
    return _Table(
        schemes=frozenset(told["schemes"]),
        networks=tuple(ipaddress.ip_network(each) for each in told["networks"]),
        carriers=tuple((ipaddress.IPv6Network(network), bits) for network, bits in told["carriers"]),
        names=frozenset(told["names"]),
    )
