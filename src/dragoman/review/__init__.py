"""The second reader: it reads a question and a program by itself, and only objects."""

from dragoman.review.records import Carried, Commitment, Demand, Objection, Review, Said
from dragoman.review.review import review

__all__ = ["Carried", "Commitment", "Demand", "Objection", "Review", "Said", "review"]
