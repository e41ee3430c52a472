"""What the commands that are run with --json find: the folders of the contract, and more in them."""

import json
from contextlib import chdir
from pathlib import Path
from typing import Final

from dragoman import Workspace
from dragoman.cli import run
from tests.contract_ground import lay_ground

MORE: Final = {
    "funds/show.verbs": '(cbu.show :cbu "allianz")\n',
    "shop/wide.verbs": "(orders.count    :as @count)\n",
    "shop/change.patch": ("*** Begin Patch\n*** Update File: note.txt\n@@\n-before\n+after\n*** End Patch\n"),
    "shop/note.txt": "before\n",
    "shop/bad.patch": "*** Begin Patch\n",
    "shop/bad-pack.yaml": "pack: shop\nverbs: 7\n",
    # Nobody listens at this port of this machine.
    "models/dragoman.yaml": (
        "models: {when: always, send_values: false, providers: [{name: own, kind: openai, model: small,"
        " base_url: 'http://127.0.0.1:9/v1', retries: 0}]}\n"
    ),
}
"""By path below the ground."""


def lay_commands(folder: Path) -> str:
    """The folders of the contract, `funds` made of that pack, a run that ended in each way in `shop`, and an
    exported session in `demo`. Returns the id of the session in `demo`."""
    session = lay_ground(folder)
    (folder / "funds").mkdir()
    (folder / "models").mkdir()
    for name, text in MORE.items():
        (folder / name).write_text(text, "utf-8")
    with chdir(folder / "funds"):
        assert run(["init", "--pack", "funds"]) == 0
    with chdir(folder / "shop"):
        assert run(["run", "export.verbs", "--yes", "--run-id", "done"]) == 0
        assert run(["run", "missing.verbs", "--yes", "--run-id", "failed"]) == 1
    with Workspace.open(folder / "demo") as demo:
        (folder / "demo" / "session.jsonl").write_text(demo.export_session(session), "utf-8")
    text = (folder / "demo" / "session.jsonl").read_text("utf-8")
    assert all(json.loads(line) for line in text.splitlines())
    return session
