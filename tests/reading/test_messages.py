"""What is read in messages: tables of messages and of what each one says."""

from typing import Final

import pytest

from dragoman.contracts.vocabulary import MetaQuestionKind, Signal
from dragoman.reading.message import Reader
from dragoman.reading.reading import ExtendMention, MentionKind, Pick

STOCK, OWED, OWING = "inventory.stock", "settlements.receivables", "settlements.payables"
SALES, BY_CUSTOMER = "sales.total", "sales.by-customer"
PURCHASES, BY_SUPPLIER, VAT = "purchases.total", "purchases.by-supplier", "vat.payable"


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("what is left in stock", STOCK),
        ("Show me the inventory, please", STOCK),
        ("Stock levels", STOCK),
        ("what do we have in the warehouse", STOCK),
        ("who owes us money", OWED),
        ("how much are we owed", OWED),
        ("who owes Alfa Trade", OWED),
        ("who hasn't paid us", OWED),
        ("debtors", OWED),
        ("whom do we owe", OWING),
        ("who do we owe money to", OWING),
        ("what does Alfa Trade owe", OWING),
        ("how much does Alfa owe", OWING),
        ("who does Beta Retail owe", OWING),
        ("who do they owe", OWING),
        ("кто и сколько должен Альфа Трейд", OWED),
        ("кто Альфе должен", OWED),
        ("кому Альфа должна", OWING),
        ("кому и сколько должна Альфа", OWING),
        ("Alfa Trade에 빚진 곳은?", OWED),
        ("Alfa Trade가 갚아야 할 돈은?", OWING),
        ("our debts", OWING),
        ("how much did we sell", SALES),
        ("revenue", SALES),
        ("sales per client", BY_CUSTOMER),
        ("revenue by customer", BY_CUSTOMER),
        ("how much did we buy", PURCHASES),
        ("purchases by vendor", BY_SUPPLIER),
        ("value-added tax", VAT),
        ("что лежит на складе", STOCK),
        ("наличие товара", STOCK),
        ("склад", STOCK),
        ("складские запасы", STOCK),
        ("кто нам должен", OWED),
        ("кто должен Альфе", OWED),
        ("сколько нам должны", OWED),
        ("сколько должны Альфе", OWED),
        ("список должников", OWED),
        ("дебиторская задолженность", OWED),
        ("кому мы должны", OWING),
        ("кому должна Альфа", OWING),
        ("сколько должна Альфа", OWING),
        ("сколько мы должны поставщикам", OWING),
        ("кредиторка", OWING),
        ("на какую сумму продали", SALES),
        ("выручка", SALES),
        ("продажи в разрезе клиентов", BY_CUSTOMER),
        ("сколько закупили", PURCHASES),
        ("закупки по поставщикам", BY_SUPPLIER),
        ("сколько НДС к уплате", VAT),
        ("재고 보여줘", STOCK),
        ("재고는 얼마나 있나요?", STOCK),
        ("미수금 알려 주세요", OWED),
        ("누가 우리에게 빚졌어?", OWED),
        ("우리가 누구에게 빚졌어?", OWING),
        ("미지급금은?", OWING),
        ("매출이 얼마야", SALES),
        ("고객별매출", BY_CUSTOMER),
        ("매입 금액", PURCHASES),
        ("부가세", VAT),
    ],
)
def test_a_request_is_known_in_many_words(reader: Reader, text: str, verb: str) -> None:
    reading = reader.read(text)
    assert (reading.verb, reading.uncovered) == (verb, ())


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("who supplied", "item.supplier"),
        ("where did we buy", "item.supplier"),
        ("from whom", "item.supplier"),
        ("who took", "item.buyers"),
        ("to whom did we sell", "item.buyers"),
        ("when did we buy", "item.purchase-documents"),
        ("paperwork", "item.documents"),
        ("paperwork", "counterparty.documents"),
        ("payment history", "counterparty.payments"),
        ("which goods", "counterparty.items"),
        ("от кого", "item.supplier"),
        ("у кого взяли", "item.supplier"),
        ("откуда пришла", "item.supplier"),
        ("кому ушло", "item.buyers"),
        ("кто забрал", "item.buyers"),
        ("когда привезли", "item.purchase-documents"),
        ("накладные", "item.documents"),
        ("когда платили", "counterparty.payments"),
        ("что покупали", "counterparty.items"),
        ("누가 샀나요?", "item.buyers"),
        ("어디서 샀어?", "item.supplier"),
        ("공급처는?", "item.supplier"),
        ("언제 샀어?", "item.purchase-documents"),
        ("문서 보여줘", "item.documents"),
        ("결제 내역", "counterparty.payments"),
        ("뭘 샀어?", "counterparty.items"),
    ],
)
def test_an_action_is_known_in_many_words(reader: Reader, text: str, action: str) -> None:
    reading = reader.read(text)
    assert action in reading.actions
    assert not reading.uncovered
    assert not reading.anaphor


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Alfa Trade", ["Alfa Trade"]),
        ("у Альфы Трейд", ["Alfa Trade"]),
        ("по Бете", ["Beta Retail"]),
        ("по Северному складу", ["North"]),
        ("на складе Основной", ["Main"]),
        ("the Central warehouse", ["Central"]),
        ("Alfa Trade의", ["Alfa Trade"]),
        ("North 창고만", ["North"]),
        ("Beta, not Alfa", ["Beta Retail"]),
        ("не Альфа, а Бета", ["Beta Retail"]),
        ("Alfa Trade 말고 Beta Retail", ["Beta Retail"]),
        ("no, Beta Retail", ["Beta Retail"]),
    ],
)
def test_names_are_known_in_their_forms(reader: Reader, text: str, names: list[str]) -> None:
    reading = reader.read(text)
    assert [entity.name for entity in reading.entities] == names
    assert not reading.uncovered


@pytest.mark.parametrize(
    "text", ["not Alfa but Beta", "не Альфа, а Бета", "Alfa 말고 Beta", "Beta вместо Alfa"]
)
def test_what_is_rejected_is_not_asked_for(reader: Reader, text: str) -> None:
    assert [entity.name for entity in reader.read(text).excluded] == ["Alfa Trade"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Vega", ["Vega"]),
        ("Веге", ["Vega"]),
        ("Вега Плюс", ["Vega Plus"]),
        ("oak desk", ["Oak desk 120", "Oak desk 160"]),
        ("desk 160", ["Oak desk 160"]),
        ("столы", ["Oak desk 120", "Oak desk 160"]),
        ("кресло комфорт", ["Office chair Comfort"]),
        ("бумага", ["Paper A4 Snow"]),
        ("Бумагу A4 Снежную", ["Paper A4 Snow"]),
        ("M-27", ["Monitor 27 View"]),
        ("school 5", ["School 5"]),
        ("у Школы 5", ["School 5"]),
        ("customer Vector", ["Vector"]),
    ],
)
def test_objects_are_known_in_their_forms(reader: Reader, text: str, names: list[str]) -> None:
    reading = reader.read(text)
    assert [[ref.name for ref in named] for named in reading.objects] == [names]
    assert not reading.uncovered


@pytest.mark.parametrize("text", ["who doesn't owe us", "кто нам не должен", "how many customers do we have"])
def test_what_is_turned_round_is_not_answered(reader: Reader, text: str) -> None:
    assert reader.read(text).uncovered


@pytest.mark.parametrize(
    ("text", "period"),
    [("not March, April", "April"), ("не март, а апрель", "апрель"), ("3월 말고 4월", "4월")],
)
def test_a_date_is_rejected_for_another(reader: Reader, text: str, period: str) -> None:
    reading = reader.read(text)
    assert reading.period is not None
    assert (reading.period.text, reading.periods, reading.uncovered) == (period, 1, ())


@pytest.mark.parametrize(
    ("text", "pick"),
    [
        ("the second line", Pick(place=2)),
        ("row 3", Pick(place=3)),
        ("the 4th", Pick(place=4)),
        ("last one", Pick(place=-1)),
        ("the largest customer", Pick(largest=True)),
        ("smallest", Pick(largest=False)),
        ("вторую строку", Pick(place=2)),
        ("открой третью", Pick(place=3)),
        ("номер 5", Pick(place=5)),
        ("2-я", Pick(place=2)),
        ("последняя позиция", Pick(place=-1)),
        ("самый крупный должник", Pick(largest=True)),
        ("самая маленькая сумма", Pick(largest=False)),
        ("두 번째 줄", Pick(place=2)),
        ("3번째 항목", Pick(place=3)),
        ("가장 큰 거", Pick(largest=True)),
    ],
)
def test_rows_are_picked(reader: Reader, text: str, pick: Pick) -> None:
    reading = reader.read(text)
    assert (reading.picks, reading.uncovered, reading.verbs, reading.actions) == ((pick,), (), (), ())


_E, _C = MetaQuestionKind.EVALUATION, MetaQuestionKind.COMPARISON
_I, _B = MetaQuestionKind.ANSWER_INTERPRETATION, MetaQuestionKind.BOUNDARY_EXPLANATION


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("is that much?", _E),
        ("is that a large sum?", _E),
        ("does anything stand out", _E),
        ("which of these is the most important", _E),
        ("is this accurate?", _B),
        ("did it go up?", _C),
        ("compare the two answers", _C),
        ("what is the difference", _C),
        ("what does that mean?", _I),
        ("do we have to pay that?", _I),
        ("so they owe us?", _I),
        ("why not", _B),
        ("are you sure?", _B),
        ("can I trust it?", _B),
        ("why is there no data", _B),
        ("это много?", _E),
        ("кто тут выделяется?", _E),
        ("что тут самое важное", _E),
        ("стало больше?", _C),
        ("сравни их", _C),
        ("в чем разница?", _C),
        ("то есть они нам должны?", _I),
        ("что значит минус", _I),
        ("нам придется платить?", _I),
        ("почему нет данных?", _B),
        ("ты уверен?", _B),
        ("этому можно доверять?", _B),
        ("이거 많은 거야?", _E),
        ("늘었어?", _C),
        ("무슨 뜻이야?", _I),
        ("우리가 내야 해?", _I),
        ("왜 안 돼?", _B),
        ("믿을 수 있어?", _B),
    ],
)
def test_questions_about_an_answer_are_told_apart(reader: Reader, text: str, kind: MetaQuestionKind) -> None:
    reading = reader.read(text)
    assert (reading.meta, reading.uncovered, reading.anaphor) == (kind, (), False)


def test_a_figure_that_is_asked_for_is_no_question_about_an_answer(reader: Reader) -> None:
    reading = reader.read("how much VAT did Alfa Trade have to pay for March 2020")
    assert (reading.verb, reading.meta) == (VAT, None)


@pytest.mark.parametrize(
    "text",
    [
        "what did we talk about?",
        "remind me what we looked at",
        "have we seen these numbers?",
        "summarize our conversation",
        "напомни, что мы смотрели",
        "мы это уже видели?",
        "о чём мы говорили?",
        "подведи итоги",
        "지금까지 뭘 봤지?",
        "요약해 줘",
    ],
)
def test_a_recap_is_asked_for(reader: Reader, text: str) -> None:
    reading = reader.read(text)
    assert (reading.recap, reading.uncovered, reading.phrase) == (True, (), None)


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("save that as parquet", ExtendMention(format="parquet")),
        ("export it to csv, please", ExtendMention(format="csv")),
        ("save it to out/march.json", ExtendMention(format="json", path="out/march.json")),
        ("send it to Supabase", ExtendMention(target="supabase")),
        (
            "push this into table sales_march in postgres",
            ExtendMention(target="postgres", table="sales_march"),
        ),
        ("copy it to my_lake", ExtendMention(target="my_lake")),
        ("сохрани в эксель", ExtendMention(format="xlsx")),
        ("выгрузи это в csv", ExtendMention(format="csv")),
        ("отправь в супабейс", ExtendMention(target="supabase")),
        ("엑셀로 저장해 줘", ExtendMention(format="xlsx")),
        ("Supabase로 보내 줘", ExtendMention(target="supabase")),
    ],
)
def test_a_result_is_kept_or_sent(reader: Reader, text: str, wish: ExtendMention) -> None:
    reading = reader.read(text)
    assert (reading.extend, reading.uncovered, reading.anaphor) == (wish, (), False)


@pytest.mark.parametrize(
    "text",
    [
        "longest movie in the catalogue",
        "how many copies does store 2 own in total",
        "which store in Norway has the most customers",
        "stores in Norway",
        "how many transfers to Leeds were there",
    ],
)
def test_what_a_question_is_about_is_no_command(reader: Reader, text: str) -> None:
    assert reader.read(text).extend is None


@pytest.mark.parametrize(
    ("text", "affirm"),
    [
        *(
            (text, True)
            for text in ("yes", "OK, go ahead", "sure", "да", "ага, давай", "네", "네, 진행해 주세요")
        ),
        *(
            (text, False)
            for text in ("no", "no thanks", "not now", "нет", "нет, не надо", "아니요", "하지 마")
        ),
        *((text, None) for text in ("yes and no", "yesterday", "stock", "네 번째")),
    ],
)
def test_yes_and_no(reader: Reader, text: str, affirm: bool | None) -> None:
    assert reader.read(text).affirm is affirm


@pytest.mark.parametrize(
    "text",
    [
        "delete that invoice",
        "pay them",
        "change the price",
        "please refund them",
        "transfer it",
        "can you wire 500",
        "проведи им оплату",
        "удали этот документ",
        "закрой долг",
        "삭제해 줘",
        "결제해 줘",
    ],
)
def test_a_change_of_data_is_asked_for(reader: Reader, text: str) -> None:
    assert reader.read(text).wants_write


@pytest.mark.parametrize(
    "text",
    [
        "what did they pay",
        "what came by bank transfer",
        "customers with a refund",
        "parcels that were lost",
        "guests that have no room",
        "кому продали",
        "что изменилось",
        "они заплатили?",
        "결제 내역",
    ],
)
def test_what_only_tells_of_a_change_asks_for_none(reader: Reader, text: str) -> None:
    assert not reader.read(text).wants_write


@pytest.mark.parametrize(
    ("text", "signal"),
    [
        ("start over", Signal.ESCAPE_CLEAR),
        ("never mind", Signal.ESCAPE_CANCEL),
        ("undo that, please", Signal.ESCAPE_UNDO),
        ("what can I ask?", Signal.ESCAPE_HELP),
        ("none of those", Signal.ESCAPE_NONE),
        ("skip it", Signal.ESCAPE_SKIP),
        ("начнём сначала", Signal.ESCAPE_CLEAR),
        ("отмена", Signal.ESCAPE_CANCEL),
        ("шаг назад", Signal.ESCAPE_UNDO),
        ("что ты умеешь?", Signal.ESCAPE_HELP),
        ("ничего из этого", Signal.ESCAPE_NONE),
        ("취소해", Signal.ESCAPE_CANCEL),
        ("되돌려 줘", Signal.ESCAPE_UNDO),
        ("도움말", Signal.ESCAPE_HELP),
        ("hi, how are you?", Signal.CHAT),
        ("круто, спасибо!", Signal.CHAT),
        ("안녕하세요", Signal.CHAT),
        ("which companies do you have?", Signal.DATA_SCOPE),
        ("а какие компании вообще есть?", Signal.DATA_SCOPE),
        ("어떤 회사가 있어?", Signal.DATA_SCOPE),
    ],
)
def test_whole_messages_with_a_meaning_of_their_own(reader: Reader, text: str, signal: Signal) -> None:
    reading = reader.read(text)
    assert (reading.phrase, reading.uncovered, reading.anaphor) == (signal, (), False)


@pytest.mark.parametrize(
    "text", ["how do I cancel?", "undo and show sales", "как отменить заказ?", "хватит ли денег?"]
)
def test_a_question_about_an_escape_is_none(reader: Reader, text: str) -> None:
    assert reader.read(text).phrase is None


@pytest.mark.parametrize(
    ("text", "widen"),
    [
        ("across all warehouses", ("warehouse",)),
        ("for the whole company", ("warehouse",)),
        ("по всем складам", ("warehouse",)),
        ("모든 창고", ("warehouse",)),
    ],
)
def test_a_filter_is_dropped(reader: Reader, text: str, widen: tuple[str, ...]) -> None:
    reading = reader.read(text)
    assert (reading.widen, reading.uncovered) == (widen, ())


@pytest.mark.parametrize(
    "text",
    ["on the same date", "for that month", "на ту же дату", "за тот же период", "같은 기간", "그 날짜"],
)
def test_the_date_in_hand_is_carried(reader: Reader, text: str) -> None:
    reading = reader.read(f"VAT {text}")
    assert (reading.carries_date, reading.periods, reading.uncovered) == (True, 0, ())


@pytest.mark.parametrize("text", ["back to the stock", "вернемся к остаткам", "재고로 돌아가자"])
def test_one_goes_back_to_what_was_before(reader: Reader, text: str) -> None:
    reading = reader.read(text)
    assert (reading.returns, reading.verb, reading.uncovered) == (True, STOCK, ())


@pytest.mark.parametrize(
    "text",
    [
        "who bought it",
        "their payments",
        "this one",
        "а она от кого?",
        "кому её продали",
        "эта позиция",
        "그거 누가 샀어?",
    ],
)
def test_a_word_that_points_at_the_object_in_hand(reader: Reader, text: str) -> None:
    reading = reader.read(text)
    assert reading.anaphor
    assert not reading.uncovered


UNUSED: Final = [
    ("stock over 10", MentionKind.COMPARISON),
    ("stock of more than 10", MentionKind.NUMBER),
    ("stock except the North warehouse", MentionKind.NEGATION),
    ("top 3 debtors", MentionKind.NUMBER),
    ("sales by month", MentionKind.GROUPING),
    ("stock sorted by price", MentionKind.SORTING),
    ("остатки больше 10", MentionKind.COMPARISON),
    ("остатки кроме Северного", MentionKind.NEGATION),
    ("재고 10 이상", MentionKind.COMPARISON),
]


@pytest.mark.parametrize(("text", "kind"), UNUSED)
def test_what_would_change_the_question_stays_in_sight(reader: Reader, text: str, kind: MentionKind) -> None:
    reading = reader.read(text)
    assert reading.of_kind(kind)
    assert reading.uncovered


@pytest.mark.parametrize(
    "text",
    [
        "payroll for March",
        "the weather",
        "зарплата за март",
        "прибыль Альфы",
        "급여",
        "날씨",
        "Gamma",
        "Гамма",
    ],
)
def test_a_word_that_nothing_covers_is_told(reader: Reader, text: str) -> None:
    assert reader.read(text).uncovered


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("stokc", "stock"),
        ("recievables", "receivables"),
        ("keybord", "keyboard"),
        ("остаткки", "остатки"),
        ("дебеторка", "дебиторка"),
        ("клавиотура", "клавиатура"),
        ("jcnfnrb", "остатки"),
        ("ыещсл", "stock"),
        ("hlep", "help"),
        ("Marhc", "march"),
    ],
)
def test_a_slip_is_read_as_what_was_meant(reader: Reader, text: str, meant: str) -> None:
    reading = reader.read(text)
    assert (reading.corrections, reading.uncovered) == (((text.casefold(), meant),), ())


@pytest.mark.parametrize(
    ("text", "name"),
    [("Клавиатура Слм", "Keyboard Slim"), ("Oack desk 120", "Oak desk 120"), ("Вега Плс", "Vega Plus")],
)
def test_a_name_with_a_slip_is_known_by_its_other_words(reader: Reader, text: str, name: str) -> None:
    assert [[ref.name for ref in named] for named in reader.read(text).objects] == [[name]]


def test_a_latin_letter_in_a_russian_word_is_not_seen(reader: Reader) -> None:
    assert reader.read("НДC").verb == VAT


def test_no_session_ends_by_a_slip(reader: Reader) -> None:
    assert reader.read("cansel").phrase is None


@pytest.mark.parametrize(
    "text",
    [
        "stack",
        "world",
        "tales",
        "слад",
        "запад",
        "1Z0",
        "gamma",
        "payroll",
        "salary",
        "unreliable",
        "smartest",
    ],
)
def test_another_word_is_no_slip(reader: Reader, text: str) -> None:
    assert not reader.read(text).corrections


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("stock", "en"),
        ("остатки Alfa Trade", "ru"),
        ("Alfa Trade 재고", "ko"),
        ("Альфа Трейд", "ru"),
        ("сохрани в report.csv", "ru"),
        ("31.03.2020", "en"),
        ("Receivables of Alfa Trade на 30 апреля 2020", "en"),
    ],
)
def test_the_language_is_that_of_most_words(reader: Reader, text: str, language: str) -> None:
    assert reader.read(text).language == language
