"""SQL that a person types in a conversation: recognized, checked, and said with verbs where they can."""
