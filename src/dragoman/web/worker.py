"""What each worker process runs: an application over the workspace that the parent process has named."""

import json
import os
from typing import Final

from fastapi import FastAPI

from dragoman.contracts.record import Record
from dragoman.web.application import application
from dragoman.workspace import Workspace

VARIABLE: Final = "DRAGOMAN_SERVE"
"""How a parent tells its workers: an environment is what a new process gets on every platform."""


class Served(Record, frozen=True):
    workspace: str
    store: str | None
    any_host: bool


def tell_workers(served: Served) -> None:
    told = {"workspace": served.workspace, "store": served.store, "any_host": served.any_host}
    os.environ[VARIABLE] = json.dumps(told)


def app() -> FastAPI:
    served = Served(**json.loads(os.environ[VARIABLE]))
    return application(lambda: Workspace.open(served.workspace, store=served.store), any_host=served.any_host)
