"""Runs: their records, who has one in hand, and what becomes of one whose process is gone."""
