"""What a workspace knows: its databases, tables, packs and entities in one place."""
