"""How much of a program the reader takes. Beyond a limit there is a finding with a code, never a crash."""

from typing import Final

MAX_CODE_POINTS: Final = 10_000_000
"""A longer text is not read at all: `source_too_large`."""

MAX_DEPTH: Final = 100
"""Brackets inside brackets, the statement's own counted: `too_deep`, once for a statement."""

MAX_FINDINGS: Final = 10_000
"""Reading ends after so many errors: `too_many_errors`."""

MIN_INTEGER: Final = -(2**63)
MAX_INTEGER: Final = 2**63 - 1
"""An integer has 64 bits: `number_out_of_range`."""
