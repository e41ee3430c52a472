"""Programs in plain words, in the language of whoever asks."""
