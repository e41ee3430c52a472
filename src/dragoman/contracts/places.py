"""Where a workspace keeps what is its own."""

from typing import Final

STATE_FOLDER: Final = ".dragoman"
METRICS_FILE: Final = "metrics.sqlite"
RUNS_FOLDER: Final = "runs"
CONNECTIONS_FILE: Final = "connections.yaml"
SETTINGS_FILE: Final = "dragoman.yaml"
PACKS_FOLDER: Final = "packs"
DEMO_FOLDER: Final = "demo"
"""Under the state folder of a folder that is no workspace: the home of the embedded demo."""
