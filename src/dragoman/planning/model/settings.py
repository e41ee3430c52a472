"""How the model planner is set."""

from dragoman.contracts.model import Model
from dragoman.contracts.model_settings import ModelRole, ModelsSettings, ModelUse
from dragoman.contracts.record import Record


class PlannerSettings(Record, frozen=True):
    """When a model is asked, what it may do, and how much it is told."""

    when: ModelUse = ModelUse.UNSURE
    choose: bool = False
    """It may only choose among the readings of the embedded planners."""
    catalog_tokens: int = 2_000
    """So many tokens the tables and verbs may take that it is told of."""
    turn_seconds: float = 60.0
    """For everything that it is asked in a turn."""
    roles: tuple[ModelRole, ...] = ()
    """The roles of a turn that it plays."""
    send_values: bool = True
    """Whether it may see values of rows. Nothing can be written about what must not be seen."""

    @classmethod
    def of(cls, settings: ModelsSettings) -> "PlannerSettings":
        """As `models` in dragoman.yaml has them."""
        shown = (
            settings.send_values if each.send_values is None else each.send_values
            for each in settings.providers
        )
        return cls(
            settings.when,
            settings.choose,
            settings.catalog_tokens,
            float(settings.turn_seconds),
            settings.roles,
            # Which of them will answer is not known before.
            all(shown),
        )


class OwnModel(Record, frozen=True, gc=True):
    """A model that whoever opens a workspace brings along, in place of what dragoman.yaml names."""

    model: Model
    settings: PlannerSettings = PlannerSettings()
