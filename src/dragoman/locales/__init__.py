"""Human languages: a folder for each, with data and one `Language` record. Nothing else knows their names."""

from dragoman.locales.language import Language
from dragoman.locales.registry import FALLBACK, language, languages, register, registered

__all__ = ["FALLBACK", "Language", "language", "languages", "register", "registered"]
