"""Where a workspace keeps what is its own."""

from typing import Final

STATE_FOLDER: Final = ".dragoman"
METRICS_FILE: Final = "metrics.sqlite"
RUNS_FOLDER: Final = "runs"
CONNECTIONS_FILE: Final = "connections.yaml"
SETTINGS_FILE: Final = "dragoman.yaml"
PACKS_FOLDER: Final = "packs"
