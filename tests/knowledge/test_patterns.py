"""Which messages ask for knowledge by their form, in every language, and which are left to others."""

import pytest

from dragoman.contracts.roles import RequestType as R
from dragoman.planning.knowledge.patterns import asked_in, leaning_rest, names_rules


@pytest.mark.parametrize(
    ("code", "text", "kind", "term"),
    [
        ("en", "How do I return a borrowed wheel?", R.HOWTO_POLICY, ""),
        ("en", "what happens if a bowl cracks in the kiln?", R.HOWTO_POLICY, ""),
        ("en", "What does “bone dry” mean?", R.DATA_DEFINITION, "bone dry"),
        ("en", "what is meant by throwing weight", R.DATA_DEFINITION, "throwing weight"),
        ("en", "define Velocity", R.DATA_DEFINITION, "Velocity"),
        ("en", "what is a kiln shelf?", R.KNOWLEDGE_QA, "kiln shelf"),
        ("en", "why did the last run fail?", R.TROUBLESHOOTING, ""),
        ("en", "what went wrong in the last export?", R.TROUBLESHOOTING, ""),
        ("en", "why was the kiln room designed this way?", R.DESIGN_ARCH, ""),
        ("de", "Wie kann ich eine Scheibe zurückgeben?", R.HOWTO_POLICY, ""),
        ("de", "Was bedeutet Schrühbrand?", R.DATA_DEFINITION, "Schrühbrand"),
        ("de", "Warum ist der letzte Lauf fehlgeschlagen?", R.TROUBLESHOOTING, ""),
        ("ru", "как вернуть гончарный круг", None, ""),
        ("ru", "Что делать, если чаша треснула?", R.HOWTO_POLICY, ""),
        ("ru", "что такое обжиг?", R.DATA_DEFINITION, "обжиг"),
        ("ru", "почему упал последний запуск?", R.TROUBLESHOOTING, ""),
        ("ko", "가마 선반은 어떻게 예약하나요?", R.HOWTO_POLICY, ""),
        ("ko", "초벌은 무슨 뜻인가요?", R.DATA_DEFINITION, "초벌은"),
        ("ko", "velocity는 무슨 뜻이야?", R.DATA_DEFINITION, "velocity"),
        ("ko", "마지막 실행은 왜 실패했나요?", R.TROUBLESHOOTING, ""),
    ],
)
def test_a_form_is_known(code: str, text: str, kind: R | None, term: str) -> None:
    found = asked_in(text, code)
    if kind is None:
        assert found is None or found.kind is R.HOWTO_POLICY
    else:
        assert found is not None
        assert (found.kind, found.term) == (kind, term)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "how many bowls did Ada throw in May?"),
        ("en", "how much clay was used last month?"),
        ("en", "which glazes are the most popular?"),
        ("en", "list the members who joined in March"),
        ("en", "what are the three heaviest pieces by weight?"),
        ("en", "do we have orders from Ulm?"),
        ("en", "where do most of our members live?"),
        ("en", "and for April?"),
        ("de", "Wie viele Schalen gibt es?"),
        ("de", "Wie hoch ist der Umsatz im März?"),
        ("ru", "сколько чаш сделали в мае?"),
        ("ru", "покажи заказы за март"),
        ("ko", "5월에 그릇이 몇 개 있어?"),
    ],
)
def test_questions_about_data_have_no_such_form(code: str, text: str) -> None:
    found = asked_in(text, code)
    assert found is None or found.kind is R.KNOWLEDGE_QA


@pytest.mark.parametrize("text", ["", "?", "…", "how do i " * 200, "why " + "is " * 100, "(((", "{term}"])
def test_no_message_is_too_strange(text: str) -> None:
    asked_in(text, "en")


def test_a_follow_up_leans_by_its_first_words() -> None:
    assert leaning_rest("And for beginners?", "en") == "for beginners"
    assert leaning_rest("Was ist mit Gästen?", "de") == "Gästen"
    assert leaning_rest("how about Sundays", "en") == "Sundays"
    assert leaning_rest("how many pieces", "en") is None


def test_rules_are_named_in_so_many_words() -> None:
    assert names_rules("and in the policies?", "en")
    assert not names_rules("how do I open a policy?", "en")
