"""Which roles of a turn models play, as the settings of the workspace say."""

from collections.abc import Callable

from msgspec.structs import replace

from dragoman.answering.roles.model.analyst import ModelAnalyst
from dragoman.answering.roles.model.architect import ModelArchitect
from dragoman.answering.roles.model.interview import Interview
from dragoman.answering.roles.model.reviewer import ModelReviewer
from dragoman.answering.roles.model.writer import ModelWriter
from dragoman.answering.roles.turn_stages import Roles
from dragoman.contracts.model_settings import ModelRole
from dragoman.locales.documents import model_texts_of
from dragoman.locales.registry import FALLBACK, language, languages
from dragoman.planning.contract import Asked
from dragoman.planning.model.access import ModelAccess
from dragoman.planning.model.settings import PlannerSettings

_OF_VALUES = frozenset({ModelRole.WRITER, ModelRole.GUARDIAN})
"""Who has nothing to say without the values of rows."""


def hiring(access: ModelAccess, settings: PlannerSettings) -> Callable[[Roles, Asked], Roles] | None:
    """Gives a turn its roles; None where no model plays any."""
    played = {each for each in settings.roles if settings.send_values or each not in _OF_VALUES}
    if not played:
        return None

    def hired(roles: Roles, asked: Asked) -> Roles:
        spoken = asked.reading.language
        texts = model_texts_of(language(spoken if spoken in languages() else FALLBACK))["roles"]
        interview = Interview(access, asked, texts["repair"], settings.turn_seconds)
        return replace(
            roles,
            analyst=ModelAnalyst(interview, texts) if ModelRole.ANALYST in played else roles.analyst,
            architect=ModelArchitect(interview, texts) if ModelRole.ARCHITECT in played else roles.architect,
            writer=ModelWriter(interview, texts) if ModelRole.WRITER in played else roles.writer,
            reviewer=ModelReviewer(interview, texts) if ModelRole.GUARDIAN in played else roles.reviewer,
            hire=None,
        )

    return hired
