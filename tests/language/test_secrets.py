"""Secrets are found by their form and by the name they stand under, and never shown."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.guards.secrets import SecretKind, find_secrets, is_telling, may_hold_secret, redacted
from dragoman.language.oml.oml_reader import read_oml
from dragoman.language.secrecy import check_secrets
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs

# Put together here, so that no scanner takes this file for a leak.
_LETTERS = (string.ascii_letters + string.digits)[:36]
FORMS = [
    ("mysql://root:hunter2@db.example.org:3306/shop", SecretKind.URL_PASSWORD),
    ("see postgresql+psycopg://u:p%40ss@h/d for it", SecretKind.URL_PASSWORD),
    ("redis://:s3cret@cache", SecretKind.URL_PASSWORD),
    ("https://api.example.org/v1?user=a&token=abcd1234", SecretKind.URL_PARAMETER),
    ("https://x.blob.example.net/c?sig=Zm9v%3D", SecretKind.URL_PARAMETER),
    ("Server=db;Database=d;Uid=u;Pwd=hunter2;", SecretKind.DSN_PASSWORD),
    ("host=db user=u password='hunter 2' dbname=d", SecretKind.DSN_PASSWORD),
    ("AKIA" + "IOSFODNN7EXAMPLE", SecretKind.AWS_KEY),
    ("ASIA" + "IOSFODNN7EXAMPLE", SecretKind.AWS_KEY),
    ("ghp_" + _LETTERS, SecretKind.GITHUB_TOKEN),
    ("github_pat_" + _LETTERS, SecretKind.GITHUB_TOKEN),
    ("glpat-" + _LETTERS[:20], SecretKind.GITLAB_TOKEN),
    ("xoxb-" + "123456789012-abcdefghij", SecretKind.SLACK_TOKEN),
    ("https://hooks.slack.com/services/T0/B0/XXXXYYYY", SecretKind.SLACK_TOKEN),
    ("AIza" + _LETTERS[:35], SecretKind.GOOGLE_KEY),
    ("sk_live_" + _LETTERS[:24], SecretKind.STRIPE_KEY),
    ("sk-ant-" + _LETTERS, SecretKind.MODEL_KEY),
    ("-----BEGIN " + "PRIVATE KEY-----\nMIIE", SecretKind.PRIVATE_KEY),
    ("-----BEGIN OPENSSH " + "PRIVATE KEY-----", SecretKind.PRIVATE_KEY),
    ("eyJ" + "hbGciOiJIUzI1NiJ9.eyJ" + "zdWIiOiIxMjM0In0.abc", SecretKind.JSON_WEB_TOKEN),
    ("Authorization: Bearer abcdef0123456789", SecretKind.AUTHORIZATION),
    ("Basic dXNlcjpwYXNzd29yZA==", SecretKind.AUTHORIZATION),
]


@pytest.mark.parametrize(("text", "kind"), FORMS, ids=[text[:20] for text, _ in FORMS])
def test_a_form_is_found_in_place(text: str, kind: SecretKind) -> None:
    assert may_hold_secret(text)
    (secret, *_) = find_secrets(f"before {text} after")
    assert secret.kind is kind
    assert 7 <= secret.start < secret.end <= 7 + len(text)
    assert text not in redacted(text)


@pytest.mark.parametrize(
    "text",
    [
        "mysql://user@host/db",
        "mysql://user:${DB_PASSWORD}@host/db",
        "mysql://user:$DB_PASSWORD@host/db",
        "mysql://user:<password>@host/db",
        "mysql://user:***@host/db",
        "mysql://user:{{ password }}@host/db".replace(" ", ""),
        "mysql://user:@host/db",
        "https://example.org:8080/a@b",
        "https://example.org/?page=2&sort=name",
        "SELECT password FROM users WHERE u.password=v.password",
        "SELECT * FROM t WHERE password=? AND token=:token",
        "UPDATE u SET password=md5(x)",
        "basic education and the bearer of news",
        "task-force, risk-free, sk-1",
        "@shop",
        "eyJust a word",
        "asia, 2020",
        "",
    ],
)
def test_what_is_no_secret_passes(text: str) -> None:
    assert find_secrets(text) == ()


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("password", "hunter2", True),
        ("PASSWORD", "correct horse battery staple", True),
        ("db_password", "tr0ub4dor", True),
        ("dbPassword", "abcd", True),
        ("client-secret", "qwerty", True),
        ("pwd", "1234", True),
        ("api_key", "9f8a7b6c5d4e3f2a", True),
        ("apiKey", "9f8a7b6c5d4e3f2a", True),
        ("access-token", "AbCdEf123456", True),
        ("token", "AbCdEf123456", True),
        ("aws_secret_access_key", "wJalrXUtnFEMI/K7MDENG/bPxRfiCY", True),
        ("password", "${DB_PASSWORD}", False),
        ("password", "$DB_PASSWORD", False),
        ("password", "@vault", False),
        ("password", "<password>", False),
        ("password", "********", False),
        ("password", "", False),
        ("password_column", "hunter2", False),
        ("token", "csv", False),
        ("token", "customer_token", False),
        ("token", "two words 1X", False),
        ("tokenizer", "AbCdEf123456", False),
        ("key", "9f8a7b6c5d4e3f2a", False),
        ("keyboard", "AbCdEf123456", False),
        ("author", "AbCdEf123456", False),
        ("secretary", "Miss Moneypenny", False),
    ],
)
def test_a_telling_name(name: str, value: str, found: bool) -> None:
    assert bool(find_secrets(value, name)) is found


@given(st.text(), st.sampled_from(["", "password", "token", "x"]))
def test_any_text_can_be_searched(text: str, name: str) -> None:
    for secret in find_secrets(text, name):
        assert 0 <= secret.start < secret.end <= len(text)
        assert may_hold_secret(text) or is_telling(name)


def test_a_long_text_is_searched_in_time() -> None:
    for text in ("a" * 1_000_000, "a:" * 500_000, "://" * 300_000, "password=" * 100_000, "eyJ." * 250_000):
        find_secrets(text)


OML = 'oml_version: "0.1.0"\nname: x\nsteps:\n  - {id: a, component: b.c, mode: read, config: {}}\n'


@pytest.mark.parametrize(("text", "kind"), FORMS, ids=[text[:20] for text, _ in FORMS])
def test_no_finding_shows_the_secret(text: str, kind: SecretKind) -> None:
    """Wherever it stands: as a value, a key, an id, a name, a mode, a version, a component, a need."""
    quoted = '"' + text.replace("\n", "\\n").replace('"', '\\"') + '"'
    places = [
        OML.replace("{}", f"{{x: {quoted}}}"),
        OML.replace("{}", f"{{x: [{{y: {quoted}}}]}}"),
        OML.replace("id: a", f"id: {quoted}"),
        OML.replace("name: x", f"name: {quoted}"),
        OML.replace("read", quoted),
        OML.replace("b.c", quoted),
        OML.replace('"0.1.0"', quoted),
        OML.replace("mode: read", f"mode: read, needs: [{quoted}]"),
        OML.replace("mode: read", f"mode: read, {quoted}: 1"),
        OML + f"{quoted}: 1\n",
        OML + f"params: {{{quoted}: {{type: {quoted}, default: {quoted}}}}}\n",
        OML + f"profiles: {{{quoted}: {{{quoted}: 1}}}}\n",
    ]
    for place in places:
        document = read_oml(Source(place))
        assert not document.ok
        said = " ".join(f"{each.message} {each.hint}" for each in document.diagnostics)
        for secret in find_secrets(text):
            assert text[secret.start : secret.end] not in said
    assert kind in " ".join(each.message for each in read_oml(Source(places[0])).diagnostics)


def test_verb_notation_is_checked_by_the_same_rule() -> None:
    text = (
        '(a.b :url "mysql://u:hunter2@h/d" :options {:password "hunter2"} :x (c.d :token ["AbCdEf123456"]))'
    )
    source = Source(text)
    found = check_secrets(read_verbs(source), source)
    assert [each.code for each in found] == ["secret_in_program"] * 3
    shown = [text[each.span.start : each.span.end] for each in found if each.span]
    assert shown == ['"mysql://u:hunter2@h/d"', '"hunter2"', '"AbCdEf123456"']
