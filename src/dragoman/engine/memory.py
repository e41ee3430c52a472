"""How memory is given back. A run moves large blocks from thread to thread for a long time, and the allocator
of the C library would keep more and more of them in pieces."""

import ctypes
import functools
import sys

_MMAP_THRESHOLD = -3
_ARENA_MAX = -8
_LARGE = 256 * 1024
_ARENAS = 2


@functools.cache
def give_large_blocks_back() -> None:
    """Let every large block be a mapping of its own, which is gone when it is freed. Elsewhere than with
    glibc, nothing is changed."""
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, _LARGE)
        mallopt(_ARENA_MAX, _ARENAS)
