"""Messages that texts and records answer: how something is done, what a word means, why a run failed."""
