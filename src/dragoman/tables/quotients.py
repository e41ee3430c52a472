"""Quotients of whole numbers with nine places, as templates; a half is rounded away from zero.

`x` is divided by `y`, both of either sign; `finer` is ten to the number of places.
"""

from typing import Final

QUOTIENT_PLACES: Final = 9

# In SQLite a number of billionths. What 64 bits do not hold is a float by then, and so is the quotient.
IN_SQLITE: Final = (
    "CASE WHEN y = 0 THEN NULL WHEN TYPEOF(x) = 'real' OR TYPEOF(y) = 'real' THEN x * 1.0 * finer / y "
    "ELSE CASE WHEN (x < 0) = (y < 0) THEN 1 ELSE -1 END * (ABS(x) / ABS(y) * finer + "
    "((ABS(x) % ABS(y)) * finer * 2 + ABS(y)) / (2 * ABS(y))) END"
)
IN_DUCKDB: Final = (
    "CASE WHEN y = 0 THEN NULL ELSE CAST(CASE WHEN (x < 0) = (y < 0) THEN 1 ELSE -1 END * "
    "(ABS(x) // ABS(y) * finer + ((ABS(x) % ABS(y)) * finer * 2 + ABS(y)) // (2 * ABS(y))) "
    "AS DECIMAL(28, 0)) * CAST('0.000000001' AS DECIMAL(10, 9)) END"
)
# In SQLite: a number of units as digits, where `whole` units are one.
DIGITS: Final = (
    "CASE WHEN TYPEOF(x) = 'integer' THEN CASE WHEN x < 0 THEN '-' ELSE '' END || "
    "PRINTF('%d.%0*d', ABS(x) / whole, places, ABS(x) % whole) ELSE x * 1.0 / whole END"
)
