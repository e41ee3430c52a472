"""What sessions that write say alike, and how long they wait for others."""

LOCK_SECONDS = 10
CHECK = "mend what is given, or what it refers to"
UNCHANGED = "nothing was changed"
AGAIN = "nothing was changed; try again"
