"""Reports to begin from."""

import json
from typing import Any

LISTS = ("completed_tasks", "in_progress", "blockers", "next_focus")
FIELDS = (*LISTS, "notes")

VALID: dict[str, Any] = {
    "completed_tasks": ["T9.1.2: Batch queue"],
    "in_progress": ["T9.2.1: Validation"],
    "blockers": [],
    "next_focus": ["T9.2.2: Tests", "T9.2.3: Spec"],
    "notes": "Semantic validation complete. All 5 constraint checks passing.",
}


def report(**changes: Any) -> dict[str, Any]:
    return {**VALID, **changes}


def text(**changes: Any) -> str:
    return json.dumps(report(**changes))


def without(*fields: str) -> str:
    return json.dumps({field: held for field, held in VALID.items() if field not in fields})
