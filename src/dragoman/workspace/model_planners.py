"""Opens the planner that asks language models, with who counts what becomes of them."""

from collections.abc import Callable

from dragoman.contracts.model import Model, ModelAttempt
from dragoman.contracts.model_settings import ModelUse
from dragoman.models import Models, counted_in
from dragoman.models.recoveries import AGENT_TYPE
from dragoman.planning.model.access import Listener, ModelAccess, Watch
from dragoman.planning.model.model_planner import ModelPlanner
from dragoman.planning.model.settings import OwnModel, PlannerSettings
from dragoman.reports.validation import OutputValidation
from dragoman.workspace.table_planners import TablePlanners

TASK = "generate_pipeline"


def model_planner(models: Models, tables: TablePlanners, validation: OutputValidation) -> ModelPlanner | None:
    """Over the providers of dragoman.yaml; none where they are never to be asked."""
    settings = models.settings
    if settings.when is ModelUse.NEVER:
        return None

    def turn(watch: Watch, listener: Listener) -> Model:
        counted = counted_in(validation, task=TASK, listener=listener)

        def both(attempt: ModelAttempt) -> None:
            watch(attempt)
            counted(attempt)

        return models.turn(both)

    access = ModelAccess(turn, _failed(validation), validation.recovered)
    return ModelPlanner(access, tables.asked_in, PlannerSettings.of(settings))


def own_model_planner(
    own: OwnModel, tables: TablePlanners, validation: OutputValidation
) -> ModelPlanner | None:
    """Over a model that somebody brought along."""
    if own.settings.when is ModelUse.NEVER:
        return None
    access = ModelAccess(lambda watch, listener: own.model, _failed(validation), validation.recovered)
    return ModelPlanner(access, tables.asked_in, own.settings)


def _failed(validation: OutputValidation) -> Callable[[str, str, str, Listener], None]:
    def failed(code: str, problem: str, provider: str, listener: Listener) -> None:
        validation.failed(code, problem, task=TASK, agent=provider, agent_type=AGENT_TYPE, listener=listener)

    return failed
