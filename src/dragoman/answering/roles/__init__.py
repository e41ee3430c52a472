"""The roles of a turn: analyst, architect, writer and guardian, each behind a small protocol.

The embedded ones are deterministic and need nothing. A model may take the place of any but the guardian.
"""
