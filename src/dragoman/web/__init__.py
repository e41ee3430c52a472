"""The HTTP door: sessions, chat, streams and everything that a page stands on. `dragoman serve` opens it."""
