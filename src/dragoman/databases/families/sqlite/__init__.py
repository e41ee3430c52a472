"""SQLite: a file opened for reading, with an authorizer and limits over every statement."""
