"""What a pipeline that is being talked about is called, whatever its verbs are."""

from typing import Final

DOMAIN: Final = "pipelines"
ROUTE: Final = "pipelines.build"
