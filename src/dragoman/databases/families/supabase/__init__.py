"""A project of Supabase, or any PostgREST, over HTTP: only GET, so that nothing can be written."""
