"""What a workspace rules about answers: `policies/*.yaml`, beside the documents that say it in words.

```yaml
version: 1
rules:
  - name: salaries-stay-private
    because: Salaries are personal data.
    topics: [salary, wage]
    columns: [employees.salary, "*.iban"]
  - name: no-promises
    phrases: [guaranteed, we promise]
  - name: provisional-figures
    types: [STATUS_METRIC, STATUS_SUMMARY]
    statements: ["Figures are provisional until the tenth of the month."]
```
"""

from collections.abc import Sequence
from typing import Protocol

from dragoman.contracts.evidence import PolicyRules
from dragoman.contracts.record import Record
from dragoman.contracts.roles import RequestType


class PolicyRule(Record, frozen=True):
    """What must not be asked, shown or said, and what must be said."""

    name: str
    because: str = ""
    """Why, for the person who is refused."""
    types: tuple[RequestType, ...] = ()
    """The types of requests that it holds for; all of them where none is named."""
    topics: tuple[str, ...] = ()
    """Words of what may not be asked, in any form and any language that the thesaurus translates."""
    columns: tuple[str, ...] = ()
    """`table.column`, `*.column` or `table.*`: what no answer may show."""
    phrases: tuple[str, ...] = ()
    """What no answer may say."""
    statements: tuple[str, ...] = ()
    """What every answer must say."""

    def holds_for(self, request_type: RequestType) -> bool:
        return not self.types or request_type in self.types


class PolicyRulesFile(Record, frozen=True):
    rules: tuple[PolicyRule, ...]
    version: int = 1


class AnswerRules(PolicyRules, Protocol):
    """The rules of a workspace as the roles ask them. What `denying` and `showing` name ends the turn as
    `policy_violation`; what is forbidden or required belongs to the architect's specification."""

    def showing(self, request_type: RequestType, columns: Sequence[str]) -> tuple[str, ...]:
        """The names of the rules against showing these columns, each `table.column`, or `column` where its
        table is not known."""

    def forbidden(self, request_type: RequestType) -> tuple[str, ...]:
        """The phrases that an answer may not have."""

    def required(self, request_type: RequestType) -> tuple[str, ...]:
        """The statements that an answer must have."""

    def reasons(self, names: Sequence[str]) -> tuple[str, ...]:
        """Why these rules hold, as the workspace says it."""
