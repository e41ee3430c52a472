"""Verbs that read what is known beside the data: documents, definitions, the records of runs."""
