"""The server on standard input and output: one client, which started this process."""

import asyncio
import os
import signal
from contextlib import suppress

from mcp.server.stdio import stdio_server

from dragoman.mcp.server import Door

INTERRUPTED = 130
_GRACE_SECONDS = 5.0
_LOOK_SECONDS = 0.05


async def serve_stdio(door: Door) -> None:
    """Until the client closes its end. A signal stops what is running, and then the process."""
    loop = asyncio.get_running_loop()
    told = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, told.set)
    stopper = asyncio.create_task(_stop(door, told))
    server = door.server()
    try:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())
    finally:
        stopper.cancel()


async def _stop(door: Door, told: asyncio.Event) -> None:
    await told.wait()
    # Whoever is told may have to ask a server.
    await asyncio.to_thread(door.calls.stop)
    with suppress(TimeoutError):
        async with asyncio.timeout(_GRACE_SECONDS):
            while door.calls.running:
                await asyncio.sleep(_LOOK_SECONDS)
    # A thread waits for a line of the client, and nothing but that line would wake it.
    os._exit(INTERRUPTED)
