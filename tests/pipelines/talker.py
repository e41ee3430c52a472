"""One turn of a conversation in a process of its own, which somebody may kill."""

import sys

from dragoman import Workspace


def main(folder: str, session: str, message: str) -> None:
    with Workspace.open(folder) as workspace:
        sys.stdout.write("open\n")
        sys.stdout.flush()
        result = workspace.ask(session, message)
        sys.stdout.write(f"{result.message}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
