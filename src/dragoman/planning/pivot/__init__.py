"""Messages of other languages as English questions, every word of which knows the words it came from."""
