"""MariaDB and MySQL: a read-only transaction, and proof before user SQL runs that it is a query."""
