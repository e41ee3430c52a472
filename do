#!/usr/bin/env python3
"""One door to everything a developer does: ./do test, ./do demo, ./do --help."""

# This file alone must still be readable by an older Python, so that it can say what is needed instead.
import sys

NEEDED = (3, 11)


def main() -> int:
    if sys.version_info < NEEDED:
        found = ".".join(map(str, sys.version_info[:3]))
        sys.stderr.write(
            f"do: Dragoman needs Python 3.11 or newer, and {sys.executable} is {found}.\n"
            "    Install a newer one (on Debian or Ubuntu: apt-get install python3)"
            " or name it: python3.11 ./do ...\n"
        )
        return 1
    from tools.commands import dispatch

    return dispatch(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
