"""The track of a request: the table of types, the reasons, and words that ask for care in three languages."""

import subprocess
import sys
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.contracts.roles import RequestType, Track
from dragoman.guards.track import TrackChoice, choose_track
from dragoman.locales.quality_hints import has_quality_hint


def choose(request_type: str, query: str) -> TrackChoice:
    return choose_track(request_type, query, has_quality_hint)


USUAL = {
    "STATUS_METRIC": "QUALITY",
    "STATUS_SUMMARY": "QUALITY",
    "STATUS_LIST": "QUALITY",
    "HOWTO_POLICY": "QUALITY",
    "DESIGN_ARCH": "QUALITY",
    "DATA_DEFINITION": "QUALITY",
    "TROUBLESHOOTING": "QUALITY",
    "KNOWLEDGE_QA": "FAST",
    "CASUAL": "FAST",
}

LATIN = """
architecture|Architectures|POLICY|our policies|permission|permissions?|metric|metrics:|KPI|KPIs
the KPI's owner|db|DB|two DBs|neo4j|Neo4J|langgraph|LangGraph|DB에서 조회|KPI를 보여줘|по KPI,|в DB
用DB查询|ＤＢ 조회|ＫＰＩ|(metric)|db-backed|metric/kpi|policy.|"permission"|https://host/db|x.db
arch\u00adi\u00adtecture|ＰＯＬＩＣＹ
""".replace("\n", "|")

KOREAN = """
권한|권한이|권한을|권한은|권한의|권한에|권한도|권한만|권한과|권한으로|권한이나|권한이란|권한입니다
권한인가요?|권한이에요|권한이다|권한부터|권한까지|권한보다|권한처럼|권한마다|권한조차|권한에서는|권한들
권한들을|권한들에게는|권한이라도|권한까지도|지표|지표가|지표를|지표는|지표와|지표로|지표나|지표란|지표예요
지표다|지표라는|지표라는건 뭐야|지표이고|지표인데요|지표였나요|지표만을|지표임|지표네요|권한이네요
권한때문에|지표등을|권한에대해|설계서|설계서를|설계서에서|설계서에서는|설계서로부터|설계서처럼
설계서입니다만|설계서까지|접근권한이|관리자권한으로|성과지표는|핵심성과지표들을|상세설계서를|기본설계서와
권한설정|권한설정을|권한부여해주세요|권한없음|권한없이|권한있나요|지표현황|지표조회해줘|지표별로|지표값은
설계서작성|설계서초안을|"권한"|권한?|권한,지표|권한ㅠㅠ|[설계서]|API권한이|아키텍처를|아키텍쳐는|정책이
보안정책을|메트릭을|데이터베이스에서
""".replace("\n", "|")

RUSSIAN = """
архитектура|об архитектуре|Архитектурой|политика|политику безопасности|политиками|разрешение|разрешений
разрешениям|полномочия|полномочиями|метрика|метрик|по метрикам|показатель|показателей|о показателях|БД
в бд|КПЭ|поли́тика|база данных|базы данных|в базе данных|БАЗАМ ДАННЫХ|базой\u00a0данных|базе\tданных
проектный документ|проектной документации|дизайн-документ|дизайн-документы|права доступа|прав доступа
правами|о правах|какие права нужны|нет прав|права пользователя|право на доступ|настроить права|«метрика»
KPI-показатель|бд-сервер
""".replace("\n", "|")

WITHOUT = """
hello|goodbye|feedback|adb|dbx|db_x|my_db|db2|oodb|ådb|dbé|biometric|symmetric|metrical|geometrics
policymaker|apolicy|permissioned|architectural|kpix|neo4jx|alanggraph|d b|k.p.i|databases|안녕하세요
날씨가 좋네요|지표면|지표면을|지표면에서는|지표수|지표고도|정책임자|설계서비스|설계서비스를|설계서버
설계를|설계에서|권하다|권한다|권한다고|의사가 권한다면|행정책임은|정권한테|토지표를|메시지표시|페이지표시
인권한국|바이오메트릭은|복권한 장|привет|как дела|ты прав|она права|правда|архитектор|политолог|показать
показал|метро|метр|база|на базе|данные|базальт данных|дизайн|документ|проект|обед|абд|бдт|бд2|x_бд
право голоса|документация
""".replace("\n", "|")


def words(table: str) -> list[str]:
    return [word for word in table.split("|") if word]


@pytest.mark.parametrize(("request_type", "track"), USUAL.items())
def test_every_type_has_its_usual_track(request_type: str, track: str) -> None:
    expected = TrackChoice(Track(track), f"track_policy:default(rt={request_type})")
    assert choose(request_type, "good morning") == expected


def test_the_table_has_every_type() -> None:
    assert set(USUAL) == set(RequestType)


@pytest.mark.parametrize("request_type", ["KNOWLEDGE_QA", "CASUAL"])
def test_a_hint_forces_the_careful_track(request_type: str) -> None:
    reason = f"track_policy:force_quality_by_hint(rt={request_type})"
    assert choose(request_type, "what is a KPI?") == TrackChoice(Track.QUALITY, reason)


@pytest.mark.parametrize("request_type", [name for name, track in USUAL.items() if track == "QUALITY"])
def test_a_careful_type_needs_no_hint(request_type: str) -> None:
    choice = choose(request_type, "what is a KPI?")
    assert choice == TrackChoice(Track.QUALITY, f"track_policy:default(rt={request_type})")


@pytest.mark.parametrize("request_type", ["", "casual", "STATUS", "STATUS_METRIC ", "지표"])
def test_an_unknown_type_is_fast_without_a_hint(request_type: str) -> None:
    assert choose(request_type, "hi") == TrackChoice(Track.FAST, f"track_policy:default(rt={request_type})")
    forced = choose(request_type, "neo4j")
    assert forced == TrackChoice(Track.QUALITY, f"track_policy:force_quality_by_hint(rt={request_type})")


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC"])
@pytest.mark.parametrize("query", words(LATIN + KOREAN + RUSSIAN))
def test_words_that_ask_for_care(query: str, form: str) -> None:
    written = unicodedata.normalize(form, query)  # type: ignore[arg-type]
    assert has_quality_hint(written)
    assert has_quality_hint(f"... {written} ...")


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("query", ["", *words(WITHOUT)])
def test_words_that_only_look_like_it(query: str, form: str) -> None:
    written = unicodedata.normalize(form, query)  # type: ignore[arg-type]
    assert not has_quality_hint(written)
    assert not has_quality_hint(f"... {written} ...")


@pytest.mark.parametrize(
    "word", ["метрика", "показатель", "политика", "архитектура", "разрешение", "полномочие"]
)
def test_every_form_of_a_russian_word(word: str) -> None:
    from pymorphy3 import MorphAnalyzer  # type: ignore[import-untyped]

    readings = [reading for reading in MorphAnalyzer().parse(word) if reading.normal_form == word]
    forms = {form.word for reading in readings for form in reading.lexeme}
    assert len(forms) >= 10
    assert [form for form in forms if not has_quality_hint(f"Где {form.upper()}?")] == []


@pytest.mark.parametrize("query", [None, 5, ["db"], b"db", "\ud800", "\0", "\ud800 db \udfff"])
def test_odd_queries_are_read_without_a_crash(query: object) -> None:
    expected = "QUALITY" if isinstance(query, str) and "db" in query else "FAST"
    assert choose("CASUAL", query).track == expected  # type: ignore[arg-type]


@given(st.text(), st.sampled_from(["db", "권한이", "показателей"]))
def test_a_hint_is_found_in_any_text(text: str, hint: str) -> None:
    assert has_quality_hint(f"{text} {hint} {text}")


@given(st.text())
def test_the_case_of_a_text_does_not_count(text: str) -> None:
    if text.isascii():
        assert has_quality_hint(text.upper()) == has_quality_hint(text.lower())


LONG = {
    "latin": "goodbye ",
    "words of one hint": "metricmetric",
    "korean": "안녕하세요 ",
    "one korean word": "지표면",
    "endings without an end": "권한에서는까지도만은요쀍",
    "russian": "показать архитектор базальт ",
    "half of a phrase": "база ",
    "accents": "\u0301\u0316",
    "hangul in pieces": unicodedata.normalize("NFD", "각간갇"),
}


@pytest.mark.parametrize("piece", LONG.values(), ids=list(LONG))
def test_a_megabyte_takes_a_moment(piece: str) -> None:
    has_quality_hint("привет")  # The dictionary is loaded once.
    query = piece * (1_000_000 // len(piece))
    started = time.process_time()
    assert not has_quality_hint(query)
    assert time.process_time() - started < 2


def test_the_dictionary_is_loaded_for_russian_only() -> None:
    program = (
        "import sys; from dragoman.locales.quality_hints import has_quality_hint;"
        "heavy = {'pymorphy3', 'simplemma', 'pydantic'};"
        "has_quality_hint('hello 안녕'); assert not heavy & set(sys.modules);"
        "has_quality_hint('привет'); assert 'pymorphy3' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
