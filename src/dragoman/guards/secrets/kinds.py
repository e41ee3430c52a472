"""What a secret can be, and where one was found."""

from enum import StrEnum

from dragoman.contracts.record import Record


class SecretKind(StrEnum):
    """What a secret looks like, in the words a message uses."""

    URL_PASSWORD = "a password in a connection URL"  # noqa: S105
    URL_TOKEN = "a token in a URL"  # noqa: S105
    URL_PARAMETER = "a secret in the parameters of a URL"
    DSN_PASSWORD = "a password in a connection string"  # noqa: S105
    COMMAND_PASSWORD = "a password on a command line"  # noqa: S105
    PRIVATE_KEY = "a private key"
    AWS_KEY = "an AWS access key"
    GITHUB_TOKEN = "a GitHub token"  # noqa: S105
    GITLAB_TOKEN = "a GitLab token"  # noqa: S105
    SLACK_TOKEN = "a Slack token"  # noqa: S105
    GOOGLE_KEY = "a Google API key"
    STRIPE_KEY = "a Stripe key"
    MODEL_KEY = "the key of a model provider"
    SUPABASE_KEY = "a Supabase key"
    PACKAGE_TOKEN = "a token of a package registry"  # noqa: S105
    MESSAGING_TOKEN = "a token of a messaging service"  # noqa: S105
    SERVICE_TOKEN = "an access token of a service"  # noqa: S105
    JSON_WEB_TOKEN = "a JSON web token"  # noqa: S105
    AUTHORIZATION = "an authorization header"
    COOKIE = "a cookie"
    NAMED_PASSWORD = "a password"  # noqa: S105
    NAMED_TOKEN = "a key or token"  # noqa: S105


class Secret(Record, frozen=True):
    kind: SecretKind
    start: int
    end: int
