"""JSON from text, in two named profiles: strict (`strict.py`) and lenient (`lenient.py`)."""
