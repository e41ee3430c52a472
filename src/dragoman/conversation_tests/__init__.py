"""Conversation tests: dialogues with what is expected of every turn, run, compared, recorded."""
