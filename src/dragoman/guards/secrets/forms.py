"""Secrets that are known by their form alone, each with the rule that tells it from a word."""

import re
from collections.abc import Callable, Iterator
from functools import cache

from dragoman.contracts.record import Record
from dragoman.guards.secrets.kinds import Secret, SecretKind
from dragoman.guards.secrets.values import is_mixed, is_no_password, is_token, is_wordlike

Rule = Callable[[str], bool]


def _any(text: str) -> bool:
    return True


def _no_word(text: str) -> bool:
    return not is_wordlike(text)


def _no_words(text: str) -> bool:
    """Not a name of plain words with hyphens, which may have a number at its end."""
    return is_mixed(text) and not is_wordlike(text.rstrip("0123456789"))


def _has_long_value(text: str) -> bool:
    return re.search(r"=[^;\s=]{8}", text) is not None


# A group named `s` is the secret itself where the rest of the match is only what tells it apart. Every
# repetition is bounded or eats what it has read, so that the time is in proportion to the text.
_FORMS: tuple[tuple[SecretKind, str, Rule], ...] = (
    (
        SecretKind.URL_PARAMETER,
        r"[?&](?:pass|password|passwd|pwd|secret|token|(?:access|refresh|id|auth|private)_token|api_?key"
        r"|access_?key|client_secret|sig|signature|x-(?:amz|goog)-(?:signature|security-token))=(?P<s>[^\s&#\"'<>]{4,})",
        _any,
    ),
    (
        SecretKind.COMMAND_PASSWORD,
        r"\b(?:mysql|mariadb)(?:dump|admin|import|show|check)?\b[^\n|;&]{0,200}?\s(?-i:-p)(?P<s>'[^'\n]*'|\"[^\"\n]*\"|[^\s|;&]+)",
        _any,
    ),
    (
        SecretKind.COMMAND_PASSWORD,
        r"\b(?:sshpass|docker\s+login|mongo(?:sh|dump|restore|export|import)?|redis-cli)\b[^\n|;&]{0,200}?"
        r"\s(?-i:-[pa])\s*(?P<s>[^\s|;&-][^\s|;&]*)",
        _any,
    ),
    (
        SecretKind.COMMAND_PASSWORD,
        r"\bcurl\b[^\n|;&]{0,200}?\s(?:-u|--(?:proxy-)?user)[ =]?['\"]?[^\s:'\"]{1,100}:(?P<s>[^\s'\"]+)",
        _any,
    ),
    (SecretKind.COMMAND_PASSWORD, r"\bsqlplus\s+[^\s/]{1,100}/(?P<s>[^\s@]+)@", _any),
    (SecretKind.URL_PASSWORD, r"\bjdbc:oracle:\w{1,10}:[^\s/@:]{1,100}/(?P<s>[^\s@]+)@", _any),
    (
        SecretKind.NAMED_PASSWORD,
        r"\b(?:create|alter)\s+(?:user|role|login)\b[^;\n]{0,200}?\bpassword\s*=?\s*(?P<s>'[^'\n]+')",
        _any,
    ),
    (SecretKind.NAMED_PASSWORD, r"\bidentified\s+by\s+(?:password\s+)?(?P<s>'[^'\n]+'|\"[^\"\n]+\")", _any),
    (SecretKind.AWS_KEY, r"\b(?-i:AKIA|ASIA|ABIA|ACCA)(?-i:[A-Z2-7]{16})\b", _any),
    (SecretKind.GITHUB_TOKEN, r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})", _any),
    (SecretKind.GITLAB_TOKEN, r"\bgl(?:pat|dt|rt|ptt|cbt|ft|imt|soat|oas)-[A-Za-z0-9_.-]{16,}", _any),
    (
        SecretKind.SLACK_TOKEN,
        r"\bxox[abeoprs]-[A-Za-z0-9-]{8,}|\bxapp-\d-[A-Za-z0-9-]{8,}|hooks\.slack\.com/services/\w+/\w+/\w+",
        _any,
    ),
    (
        SecretKind.GOOGLE_KEY,
        r"\b(?-i:AIza)[A-Za-z0-9_-]{30,}|\bya29\.[A-Za-z0-9_-]{20,}|\b(?-i:GOCSPX)-[A-Za-z0-9_-]{20,}",
        _any,
    ),
    (SecretKind.STRIPE_KEY, r"\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}|\bwhsec_[A-Za-z0-9+/=]{24,}", _any),
    (
        SecretKind.MODEL_KEY,
        r"\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{20,}|\b(?:hf|gsk|r8)_[A-Za-z0-9]{24,}"
        r"|\b(?:xai|pplx)-[A-Za-z0-9]{24,}",
        _no_words,
    ),
    (SecretKind.SUPABASE_KEY, r"\bsbp_[0-9a-f]{32,}|\bsb_secret_[A-Za-z0-9_-]{20,}", is_mixed),
    (
        SecretKind.PACKAGE_TOKEN,
        r"\bnpm_[A-Za-z0-9]{30,}|\bpypi-[A-Za-z0-9_-]{30,}|\bdckr_pat_[\w-]{20,}",
        _no_words,
    ),
    (
        SecretKind.MESSAGING_TOKEN,
        r"\b(?-i:SG)\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|\b(?-i:SK)(?-i:[0-9a-f]{32})\b"
        r"|\b\d{6,12}:(?-i:AA)[A-Za-z0-9_-]{30,}|discord(?:app)?\.com/api/webhooks/\d+/[\w-]+",
        _any,
    ),
    (
        SecretKind.SERVICE_TOKEN,
        r"\bdo[opr]_v1_[0-9a-f]{40,}|\bshp(?:at|ca|pa|ss)_[0-9a-f]{30,}|\bdapi[0-9a-f]{32}\b|\bhv[sb]\.[\w-]{20,}"
        r"|\blin_api_\w{30,}|\bntn_\w{30,}|\b(?-i:ATATT3)[\w=-]{30,}|\b(?-i:PMAK|NRAK)-[A-Za-z0-9-]{20,}"
        r"|\bsntrys_[\w=+/-]{30,}",
        is_mixed,
    ),
    (SecretKind.PRIVATE_KEY, r"\bAGE-SECRET-KEY-1[0-9A-Z]{40,}", _any),
    (
        SecretKind.JSON_WEB_TOKEN,
        r"\b(?-i:eyJ)[A-Za-z0-9_-]{8,}\.(?-i:eyJ)[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
        _any,
    ),
    (
        SecretKind.AUTHORIZATION,
        r"\bauthorization\\?[\"']?\s{0,4}[:=]\s{0,4}\\?[\"']?(?:(?:bearer|basic|token|apikey|digest|key)\s{1,4})?"
        r"(?P<s>[^\s\"',;\\]{4,})",
        _no_word,
    ),
    (SecretKind.AUTHORIZATION, r"\b(?:bearer|basic)\s{1,4}(?P<s>[A-Za-z0-9._~+/=-]{12,})", is_token),
    (
        SecretKind.COOKIE,
        r"\b(?:set-)?cookie\\?[\"']?\s{0,4}:\s{0,4}(?P<s>[^\s=\r\n\"':]{1,100}=[^\r\n\"']{8,4000})",
        _has_long_value,
    ),
)

MARKS = (
    *("pass", "pwd", "token", "key", "secret", "sig", "hooks.slack", "webhooks", "bearer", "basic", "cookie"),
    *("mysql", "mariadb", "mongo", "redis-cli", "docker", "curl", "sqlplus", "jdbc:", "identified", "auth"),
    *("akia", "asia", "abia", "acca", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat", "xox", "xapp-"),
    *("glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glft-", "glimt-", "glsoat-", "gloas-"),
    *("aiza", "ya29.", "gocspx", "_live_", "_test_", "whsec_", "sk-", "hf_", "gsk_", "r8_", "xai-", "pplx-"),
    *(
        "npm_",
        "pypi-",
        "dckr_",
        "sg.",
        "_v1_",
        "shpat_",
        "shpca_",
        "shppa_",
        "shpss_",
        "dapi",
        "hvs.",
        "hvb.",
    ),
    *("sbp_", "sb_secret", ":aa", "lin_api", "ntn_", "atatt3", "pmak-", "nrak-", "sntrys_", "eyj"),
)
"""Only a text with one of these in it, or one of the patterns below, can hold one of the forms above."""

MARK_PATTERNS = (r"sk[0-9a-f]{8}",)
"""Where a literal would be found in every other message."""


class _Form(Record, frozen=True, gc=True):
    kind: SecretKind
    pattern: re.Pattern[str]
    rule: Rule


@cache
def _forms() -> tuple[_Form, ...]:
    """Compiled when the first suspicious text comes by; most never do."""
    return tuple(_Form(kind, re.compile(form, re.IGNORECASE), rule) for kind, form, rule in _FORMS)


def formed_secrets(text: str) -> Iterator[Secret]:
    for form in _forms():
        named = "s" in form.pattern.groupindex
        for match in form.pattern.finditer(text):
            start, end = match.span("s") if named else match.span()
            value = text[start:end].strip("'\"")
            if not is_no_password(value) and form.rule(value):
                yield Secret(form.kind, start, end)
