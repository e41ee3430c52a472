"""What the requests of a worker share: slow ones do not keep the others out."""

import asyncio
import threading
from pathlib import Path

from dragoman import Workspace
from dragoman.web.door import Door
from tests.patience import LONGEST


def test_people_are_let_in_while_all_readers_wait_for_slow_databases(tmp_path: Path) -> None:
    """Sixteen slow pages are easily asked for. Whoever comes then must still be known, and be able to stop
    what runs."""
    slow = threading.Event()

    async def come(door: Door, token: str) -> str:
        reads = [asyncio.create_task(door.read(slow.wait)) for _ in range(100)]
        await asyncio.sleep(0)  # each is handed to its thread, or waits for one
        try:
            async with asyncio.timeout(LONGEST):
                known = await door.identify(token, by_cookie=False)
            assert not any(read.done() for read in reads)
        finally:
            slow.set()
            await asyncio.gather(*reads)
        return known.owner

    with Workspace.open(tmp_path) as workspace:
        door = Door(workspace, workspace.server_settings)
        try:
            token = workspace.access.issue("ann").token
            assert asyncio.run(come(door, token)) == "ann"
        finally:
            door.close()
