"""The process that holds a local model: `python -m dragoman.models.local.worker FD FOLDER FILE CONTEXT
THREADS`.

It is told requests over one socket, a line of JSON each, and answers in the same way. It listens on no port:
what its runtime opens is a socket in a folder that nobody else may enter. When the other end of its socket is
gone, it ends at once, also in the middle of a reply.
"""

import json
import os
import queue
import shutil
import socket
import sys
import threading
from typing import Any

Requests = queue.SimpleQueue[dict[str, Any]]


def main(arguments: list[str]) -> None:
    number, folder, file, context, threads = arguments
    line = socket.socket(fileno=int(number))
    # What the runtime prints is nobody's to read.
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nothing, stream)
    requests: Requests = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(line, requests, folder), daemon=True).start()
    try:
        model = _loaded(file, int(context), int(threads), folder)
    except (ImportError, MemoryError, OSError, RuntimeError, ValueError) as error:
        _tell(line, {"failed": str(error)[:300]})
        return
    _tell(line, {"ready": True})
    while True:
        _tell(line, _answered(model, requests.get()))


def _loaded(file: str, context: int, threads: int, folder: str) -> Any:
    import xllamacpp

    said = xllamacpp.CommonParams()
    said.model.path = file
    said.n_ctx = context
    said.n_parallel = 1
    said.cpuparams.n_threads = threads
    said.offline = True
    said.warmup = False
    said.verbosity = 0
    said.hostnames = [f"{folder}/model.sock"]
    return xllamacpp.Server(said)


def _answered(model: Any, body: dict[str, Any]) -> dict[str, Any]:
    try:
        said = model.handle_chat_completions(body)
    except ValueError as error:
        return {"status": 400, "body": {"error": {"message": str(error)[:300], "type": "invalid_request"}}}
    failed = said.get("error") if isinstance(said, dict) else None
    code = failed.get("code") if isinstance(failed, dict) else None
    return {"status": code if isinstance(code, int) else 500 if failed else 200, "body": said}


def _listen(line: socket.socket, requests: Requests, folder: str) -> None:
    """Hand requests on until the other end is gone: then nobody waits for an answer any more."""
    with line.makefile("rb") as file:
        for told in file:
            requests.put(json.loads(told))
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


def _tell(line: socket.socket, said: dict[str, Any]) -> None:
    line.sendall(json.dumps(said).encode() + b"\n")


if __name__ == "__main__":
    main(sys.argv[1:])
