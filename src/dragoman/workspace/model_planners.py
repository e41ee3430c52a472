"""Opens who asks language models: the planner and the roles, with who counts what becomes of them."""

from collections.abc import Callable

from dragoman.answering.roles.model.staff import hiring
from dragoman.answering.roles.turn_stages import Roles
from dragoman.contracts.model import Model, ModelAttempt, TurnPurse
from dragoman.contracts.model_settings import ModelUse
from dragoman.contracts.record import Record
from dragoman.models import Models, counted_in
from dragoman.models.recoveries import AGENT_TYPE
from dragoman.planning.contract import Asked
from dragoman.planning.model.access import Listener, ModelAccess, Watch
from dragoman.planning.model.model_planner import ModelPlanner
from dragoman.planning.model.settings import OwnModel, PlannerSettings
from dragoman.reports.validation import OutputValidation
from dragoman.workspace.table_planners import TablePlanners

TASK = "generate_pipeline"
ROLE_TASK = "play_role"

Hire = Callable[[Roles, Asked], Roles]


class OpenedModels(Record, frozen=True, gc=True):
    """Who asks the models of a workspace: a planner, and whoever plays a role. Both spend from one purse."""

    planner: ModelPlanner | None = None
    hire: Hire | None = None


def opened_models(
    models: Models | OwnModel, tables: TablePlanners, validation: OutputValidation
) -> OpenedModels:
    """Over the providers of dragoman.yaml, or over a model that somebody brought along."""
    settings = models.settings if isinstance(models, OwnModel) else PlannerSettings.of(models.settings)
    planner = None
    if settings.when is not ModelUse.NEVER:
        planner = ModelPlanner(_access(models, validation, TASK), tables.asked_in, settings)
    return OpenedModels(planner, hiring(_access(models, validation, ROLE_TASK), settings))


def _access(models: Models | OwnModel, validation: OutputValidation, task: str) -> ModelAccess:
    def turn(watch: Watch, listener: Listener, purse: TurnPurse) -> Model:
        if isinstance(models, OwnModel):
            return models.model
        counted = counted_in(validation, task=task, listener=listener)

        def both(attempt: ModelAttempt) -> None:
            watch(attempt)
            counted(attempt)

        return models.turn(both, purse)

    return ModelAccess(turn, _failed(validation, task), validation.recovered)


def _failed(validation: OutputValidation, task: str) -> Callable[[str, str, str, Listener], None]:
    def failed(code: str, problem: str, provider: str, listener: Listener) -> None:
        validation.failed(code, problem, task=task, agent=provider, agent_type=AGENT_TYPE, listener=listener)

    return failed
