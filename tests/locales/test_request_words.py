"""The words that tell a request's type, and those that leave no doubt, in every language that ships."""

import pytest

from dragoman.answering.roles.request_types import type_of_words
from dragoman.contracts.roles import RequestType
from dragoman.locales.registry import language, languages
from dragoman.locales.request_words import is_definitive, said_types

R = RequestType

SAID = [
    ("en", "What does churn mean?", R.DATA_DEFINITION),
    ("en", "How do I reopen a ticket?", R.HOWTO_POLICY),
    ("en", "Why did the nightly import crash?", R.TROUBLESHOOTING),
    ("en", "Explain the architecture of the importer", R.DESIGN_ARCH),
    ("en", "Give me an overview of the week", R.STATUS_SUMMARY),
    ("en", "list the open tickets", R.STATUS_LIST),
    ("en", "How many tickets are open?", R.STATUS_METRIC),
    ("en", "good morning", R.CASUAL),
    ("en", "Where is the harbour?", R.KNOWLEDGE_QA),
    ("de", "Was bedeutet Abwanderung?", R.DATA_DEFINITION),
    ("de", "Wer darf ein Ticket schließen?", R.HOWTO_POLICY),
    ("de", "Der Import ist fehlgeschlagen", R.TROUBLESHOOTING),
    ("de", "Zeig mir das Datenmodell", R.DESIGN_ARCH),
    ("de", "Ein Überblick über die Woche", R.STATUS_SUMMARY),
    ("de", "Wie viele Tickets sind offen?", R.STATUS_METRIC),
    ("ru", "Что означает отток?", R.DATA_DEFINITION),
    ("ru", "Кто может закрыть заявку?", R.HOWTO_POLICY),
    ("ru", "Почему импорт завершился ошибкой?", R.TROUBLESHOOTING),
    ("ru", "Покажи архитектуру импорта", R.DESIGN_ARCH),
    ("ru", "Сводка за неделю", R.STATUS_SUMMARY),
    ("ru", "Сколько заявок открыто?", R.STATUS_METRIC),
    ("ko", "이탈률의 뜻이 무엇인가요?", R.DATA_DEFINITION),
    ("ko", "티켓을 닫는 절차를 알려 주세요", R.HOWTO_POLICY),
    ("ko", "가져오기가 왜 실패했나요?", R.TROUBLESHOOTING),
    ("ko", "가져오기의 아키텍처를 보여 줘", R.DESIGN_ARCH),
    ("ko", "이번 주 요약", R.STATUS_SUMMARY),
    ("ko", "열린 티켓이 몇 개인가요?", R.STATUS_METRIC),
]


@pytest.mark.parametrize(("code", "text", "request_type"), SAID)
def test_words_tell_the_type(code: str, text: str, request_type: RequestType) -> None:
    assert type_of_words(text, code) is request_type


@pytest.mark.parametrize("code", ["en", "de", "ru", "ko"])
def test_every_language_knows_every_type_that_has_words(code: str) -> None:
    types = language(code).texts("requests")["types"]
    assert list(types) == [each for each in RequestType if each is not R.KNOWLEDGE_QA] or set(types) == {
        str(each) for each in RequestType if each is not R.KNOWLEDGE_QA
    }
    assert all(types.values())


def test_a_word_is_a_whole_word() -> None:
    assert said_types("the listener of the terrors", "en") == ()
    assert said_types("the mechanism", "en") == ()


def test_a_language_without_the_file_takes_the_words_of_english() -> None:
    assert "eo" not in languages()
    assert said_types("how many?", "eo") == (R.STATUS_METRIC,)


@pytest.mark.parametrize(
    ("text", "definitive"),
    [
        ("It always works.", True),
        ("It is GUARANTEED.", True),
        ("It works on most days.", False),
        ("The hallways are long.", False),
        ("Das geht niemals.", True),
        ("Это никогда не так.", True),
        ("절대 아닙니다.", True),
        ("", False),
    ],
)
def test_definitive_words_leave_no_doubt(text: str, definitive: bool) -> None:
    assert is_definitive(text) is definitive
