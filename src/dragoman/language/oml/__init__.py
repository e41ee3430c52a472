"""OML, the YAML notation of a program: its reader and its printer."""
