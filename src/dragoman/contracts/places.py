"""Where a workspace keeps what is its own."""

from typing import Final

STATE_FOLDER: Final = ".dragoman"
METRICS_FILE: Final = "metrics.sqlite"
RUNS_FOLDER: Final = "runs"
OPERATOR_FILE: Final = "operator.jsonl"
"""Who acted as an operator, when, and with which command."""
TEXT_FOLDERS: Final = ("docs", "policies")
"""Documents, and rules."""
CONNECTIONS_FILE: Final = "connections.yaml"
SETTINGS_FILE: Final = "dragoman.yaml"
PACKS_FOLDER: Final = "packs"
LEARNED_FILE: Final = "learned.yaml"
"""In the folder of packs: words that were taught in conversations."""
DEMO_FOLDER: Final = "demo"
"""Under the state folder of a folder that is no workspace: the home of the embedded demo."""
