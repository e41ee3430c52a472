"""Supabase: PostgreSQL where its URL is given, and REST, with less, where there is only the project's key."""

from dragoman.engine.components.supabase.extractor import SupabaseExtractor
from dragoman.engine.components.supabase.writer import SupabaseWriter

EXTRACTOR = SupabaseExtractor()
WRITER = SupabaseWriter()
