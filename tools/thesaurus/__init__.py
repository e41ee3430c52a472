"""Derives the tables of `dragoman.locales.thesaurus` from WordNet and the Open Multilingual Wordnet."""
