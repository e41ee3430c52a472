"""What the operating system itself keeps a worker from, whatever happens inside DuckDB."""

import ctypes
import os
import resource
import struct
import sys

_SPARE_BYTES = 512_000_000
"""What Python, the program itself and its threads need beside the data."""

_SPARE_CPU_SECONDS = 5

_CREATE_RULESET = 444
_ADD_RULE = 445
_RESTRICT_SELF = 446
_PATH_BENEATH = 1
_VERSION_FLAG = 1
_NO_NEW_PRIVILEGES = 38
_FILE_RIGHTS_BY_VERSION = {1: 13, 2: 14, 3: 15}
"""How many rights to files each version of Landlock knows; the fourth added those to the network."""

_NETWORK_VERSION = 4
_NETWORK_RIGHTS = 0b11


def bound_memory(memory_bytes: int) -> None:
    """DuckDB's own limit does not count everything: a long text is built outside of it."""
    _lower(resource.RLIMIT_DATA, memory_bytes + _SPARE_BYTES)
    _lower(resource.RLIMIT_AS, memory_bytes + 2 * _SPARE_BYTES)
    _lower(resource.RLIMIT_CORE, 0)


def bound_files(most_bytes: int) -> None:
    """No file may grow beyond that; with nought, none by a byte."""
    _lower(resource.RLIMIT_FSIZE, most_bytes)


def bound_cpu(seconds: float, threads: int) -> None:
    """For the next query, should nobody be there any more to stop it."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    spent = used.ru_utime + used.ru_stime
    most = int(spent + seconds * threads + _SPARE_CPU_SECONDS) + 1
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (most if hard < 0 else min(most, hard), hard))


def forbid_files(except_below: str = "") -> bool:
    """Open no file and no connection any more; those that are open stay so. One folder may stay open to it.
    False where the system cannot."""
    if not sys.platform.startswith("linux"):
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    version = libc.syscall(_CREATE_RULESET, None, 0, _VERSION_FLAG)
    if version < 1:
        return False
    rights = (1 << _FILE_RIGHTS_BY_VERSION.get(version, 15)) - 1
    network = _NETWORK_RIGHTS if version >= _NETWORK_VERSION else 0
    attributes = struct.pack("QQ", rights, network)[: 16 if network else 8]
    ruleset = libc.syscall(_CREATE_RULESET, attributes, len(attributes), 0)
    if ruleset < 0:
        return False
    try:
        if except_below and not _allow(libc, ruleset, except_below, rights):
            return False
        if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
            return False
        return bool(libc.syscall(_RESTRICT_SELF, ruleset, 0) == 0)
    finally:
        os.close(ruleset)


def _allow(libc: ctypes.CDLL, ruleset: int, folder: str, rights: int) -> bool:
    handle = os.open(folder, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = struct.pack("<Qi", rights, handle)
        return bool(libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0) == 0)
    finally:
        os.close(handle)


def _lower(kind: int, most: int) -> None:
    # Also where a softer limit was set by whoever started this process: it was meant for it too.
    known = [each for each in resource.getrlimit(kind) if each != resource.RLIM_INFINITY]
    bound = min([most, *known])
    resource.setrlimit(kind, (bound, bound))
