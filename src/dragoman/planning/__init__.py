"""What to do: how a message relates to the session, and the request it amounts to."""
