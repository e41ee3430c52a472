"""What the HTTP door adds to a turn, and how it serves many at once. See `benchmarks.http_door`.

./do bench http
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    # A script's own folder is looked in first, and this file is called like a package of Python's.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)
    from benchmarks.http_door import main

    main()
