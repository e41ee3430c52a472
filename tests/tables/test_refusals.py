"""What is wrong with a statement is said with a code and a hint, all of it at once."""

import pytest

from dragoman.contracts.program import Argument, Diagnostic, Integer, Number, Sequence, Statement, Text
from dragoman.contracts.schema import Dialect
from dragoman.tables import CompiledRead, table_catalog
from tests.tables.shop import schema
from tests.tables.test_engines import statement

CATALOG = table_catalog(schema(Dialect.SQLITE))


def refused(said: str | Statement) -> tuple[Diagnostic, ...]:
    found = CATALOG.compile(statement(said) if isinstance(said, str) else said, Dialect.SQLITE)
    assert not isinstance(found, CompiledRead)
    return found


@pytest.mark.parametrize(
    ("text", "code", "hint"),
    [
        ("(ordr.list)", "unknown_verb", "order"),
        ("(order.liszt)", "unknown_verb", "list"),
        ("(order.list :wait 1)", "unknown_argument", "weight"),
        ("(order.list :id 1)", "unknown_argument", "id_"),
        ('(order.list :by "status")', "unknown_argument", "there are"),
        ('(order.count :by "stat")', "unknown_column", "status"),
        ('(order.count :by "custommer/strana")', "unknown_path", "customer"),
        ('(order.count :by "customer/strna")', "unknown_column", "strana"),
        ('(order.count :by "Customers-VIP-list/strana")', "ambiguous_path", "customer, referrer (inferred)"),
        ("(order.count :where {:Customers-VIP-list nil})", "ambiguous_path", "customer, referrer (inferred)"),
        (
            '(order-lines-DROP-TABLE-x.count :by "Customers-VIP-list/strana")',
            "ambiguous_path",
            "order/customer, order/referrer (inferred)",
        ),
        ('(order.count :by "order-lines-DROP-TABLE-x/qty")', "path_multiplies", "other table"),
        ('(order.sum :of "order-lines-DROP-TABLE-x/qty")', "path_multiplies", "other table"),
        ('(order.list :order "order-lines-DROP-TABLE-x/qty")', "path_multiplies", "other table"),
        ('(order.list :with "order-lines-DROP-TABLE-x/qty")', "unknown_path", "product"),
        ('(order.list :with "custommer")', "unknown_path", "customer"),
        ('(order.list :with "others-by-statuss")', "unknown_path", "others-by-status"),
        ("(order.list :where {:others-by-status-year {:not nil}})", "unknown_path", "others-by-status"),
        ('(order.list :with ["customer"])', "argument_type", "in quotes"),
        ('(Customers-VIP-list.list :with "order")', "ambiguous_path", "order-by-customer"),
        (
            '(Customers-VIP-list.list :with "order-by-customer" :columns "order-by-referrer/status")',
            "path_multiplies",
            ':with "order-by-referrer"',
        ),
        (f'(order.list :with "{"/".join(["customer"] + ["boss"] * 12)}")', "unknown_path", "nearer"),
        ("(order.list :having {:above 1})", "unknown_argument", "there are"),
        ("(order.count :having {:above 1})", "missing_argument", ":by"),
        ('(order.count :by "status" :having {:sum 1})', "unknown_order", "count"),
        ('(order.count :by "status" :having {:count {:abov 1}})', "unknown_comparison", "above"),
        ('(order.count :by "status" :having "many")', "argument_type", "number"),
        ('(order.max :of "status" :by "weight" :having 5)', "argument_type", "in quotes"),
        ('(order.count :also "total")', "argument_type", "average"),
        ('(order.count :also "min")', "argument_type", "average"),
        ("(order.count :also [])", "argument_type", "count"),
        ('(order.count :also {:sum "status"})', "not_a_measure", "weight"),
        ('(order.count :also {:list "status"})', "argument_type", "average"),
        ('(order.count :also {:max "wait"})', "unknown_column", "weight"),
        ('(order.count :also {:max "weight" :distinct true})', "argument_type", ":count"),
        ('(order.max :of "weight" :also "max")', "repeated_column", "keep one"),
        ('(order.count :by "status" :columns "weight")', "unknown_column", "gather by it"),
        (
            '(order.count :by "customer/strana" :columns "customer/full-name")',
            "unknown_column",
            "gather by it",
        ),
        ('(order.count :columns "status")', "unknown_column", "gather by it"),
        ('(order.count :by "status" :columns ["count" "count"])', "repeated_column", "keep one"),
        ('(order.count :by "status" :columns "sum")', "unknown_column", "there are"),
        ("(order.count :during [2020-01-01 2020-01-31])", "ambiguous_date", "order-date, shipped"),
        ("(order.count :as-of 2020-01-31)", "ambiguous_date", "order-date, shipped"),
        ("(tovary.count :as-of 2020-01-31)", "no_date_column", ":on"),
        ('(order.count :on "status" :as-of 2020-01-31)', "argument_type", "order-date"),
        ("(order.count :during [2020-02-01 2020-01-31])", "argument_type", "first and a last day"),
        ("(order-lines-DROP-TABLE-x.sum)", "missing_argument", "qty, price"),
        ('(order.sum :of "status")', "not_a_measure", "weight"),
        ('(tovary.max :of "_50-off")', "not_a_measure", "unit-price"),
        ("(order.list :status 5)", "argument_type", "in quotes"),
        ('(order.list :weight "5")', "argument_type", "number"),
        ('(order.list :order-date "2020-01-01")', "argument_type", "without quotes"),
        ('(order.list :shipped "soon")', "argument_type", "moment"),
        ('(order.list :shipped "2020-01-01T00:00:00Z")', "argument_type", "moment"),
        ("(tovary.list :_50-off 1)", "argument_type", "true or false"),
        ("(tovary.list :_50-off {:above true})", "argument_type", "true or false"),
        ("(order.list :weight {:abov 5})", "unknown_comparison", "above"),
        ("(order.list :weight {})", "argument_type", ":above"),
        ('(order.list :weight {:contains "5"})', "argument_type", "number"),
        ("(order.list :weight {:between [1]})", "argument_type", "[1 5]"),
        ('(order.list :columns ["id_" "id"])', "repeated_column", "keep one"),
        ("(order.list :columns [])", "argument_type", "customer/country"),
        ('(order.list :columns {:year "status"})', "unknown_date_part", "order-date"),
        ('(order.list :columns {:hour "order-date"})', "unknown_date_part", "order-date"),
        ('(order.list :columns {:jahr "order-date"})', "unknown_date_part", "year"),
        ("(order.list :top 3)", "missing_argument", ":order"),
        ("(order.count :top 3)", "missing_argument", ":by"),
        ('(order.list :order "id_" :top 3 :limit 3)', "argument_choice", "keep one"),
        ('(order.count :by "status" :ties true)', "missing_argument", ":top"),
        ('(order.count :by "status" :order "weight")', "unknown_order", "status, count"),
        ('(order.list :columns "status" :distinct true :order "weight")', "unknown_order", ":columns"),
        ("(order.count :distinct true)", "missing_argument", ":of"),
        ('(order.list :order "id_" :top 0)', "argument_type", "from 1 on"),
        ("(order.list :where 5)", "argument_type", "map"),
        ("(order.list :where {:nothing 5})", "unknown_column", "there are"),
        ("(order.list :status @x)", "argument_type", "in quotes"),
        ("(order.list :status (order.list))", "not_one_value", ":top 1"),
        ('(order.list :weight {:above (order.count :by "status")})', "not_one_value", "without :by"),
        (
            '(order.list :weight {:above (order.max :of "weight" :also "min")})',
            "not_one_value",
            "without :by",
        ),
        (
            '(order.list :status (order.list :columns "status" :order "id_" :top 1 :ties true))',
            "not_one_value",
            ":top 1",
        ),
        ('(order.list :status (order.list :columns "status" :limit 1))', "not_one_value", ":top 1"),
        ('(order.list :weight (order.max :of "status"))', "argument_type", "number"),
        ('(order.list :status (order.max :of "weight"))', "argument_type", "in quotes"),
        ('(order.list :weight (order.max :of "wait"))', "unknown_column", "weight"),
        ('(order.list :weight (ordr.max :of "weight"))', "unknown_verb", "order"),
        ('(order.list :weight (order.maxi :of "weight"))', "unknown_verb", "order"),
        ('(order.list :weight {:contains (order.max :of "weight")})', "argument_type", "number"),
        ('(order.list :top (order.count) :order "id_")', "argument_type", "from 1 on"),
        ("(order.list :columns (order.list))", "argument_type", "text"),
        (
            f"(order.list :id_ {'(order.count :id_ ' * 9}1{')' * 9})",
            "too_deep",
            "at most 8",
        ),
        ("(order.list :where {:customer 5})", "argument_type", "map"),
        ("(order.list :where {:all {:status 1}})", "argument_type", "{:all ["),
        ("(order.list :where {:all []})", "argument_type", "{:all ["),
        ("(order.list :where {:all [5]})", "argument_type", "map"),
        ("(order.list :where {:customer {:how-many nil}})", "argument_type", "{:how-many {:at-least 3}}"),
        ('(order.list :where {:customer {:how-many "1"}})', "argument_type", "number"),
        ("(order.list :where {:customer {:how-many {:column 1}}})", "argument_type", "a value"),
        ("(order.list :order-date {:month 13})", "number_out_of_range", "from 1 to 12"),
        ("(order.list :shipped {:hour [0 24]})", "number_out_of_range", "from 0 to 23"),
        ('(order.list :order-date {:month "July"})', "argument_type", "number"),
        ("(order.list :order-date {:hour 1})", "unknown_comparison", "there are"),
        ("(order.list :order-date {:week 1})", "unknown_comparison", "weekday"),
        ("(order.list :status {:month 1})", "unknown_comparison", "there are"),
        ('(order.list :weight {:above {:column "wait"}})', "unknown_column", "weight"),
        ('(order.list :weight {:above {:column "status"}})', "argument_type", "id_, customer_id"),
        ("(order.list :weight {:above {:column 5}})", "argument_type", '{:column "price"}'),
        (
            '(order.list :weight {:above {:column "order-lines-DROP-TABLE-x/qty"}})',
            "path_multiplies",
            "other table",
        ),
        ('(order.count :by "status" :having {:above {:column "weight"}})', "argument_type", "a value"),
        ("(order.sum :of 5)", "argument_type", "in quotes"),
        ("(order.share)", "missing_argument", ":that"),
        (f"(order.sum :of {'{:divided [1 ' * 5}1{']}' * 5})", "too_deep", "fewer :divided"),
        ("(order.count :groups true)", "missing_argument", ":by"),
        ('(order.count :groups true :by "status" :top 1)', "argument_choice", "leave :top"),
        ('(order.count :groups true :by "status" :columns "status")', "argument_choice", "leave :columns"),
        ('(order.count :per "status" :groups true :by "status")', "argument_choice", "leave :groups or :per"),
        ('(order.count :of "weight" :distinct true :per "status")', "argument_choice", "leave :distinct or"),
        ("(order.count :per 5)", "argument_type", "in quotes"),
        ('(order.average :of "weight" :per "status")', "unknown_argument", "there are"),
        ('(order.count :groups 1 :by "status")', "argument_type", "true or false"),
        ('(order.sum :of "weight" :groups true :by "status")', "unknown_argument", "there are"),
        ('(order.sum :of {:number "weight"})', "not_a_measure", "status"),
        ("(order.sum :of {:number 5})", "argument_type", '{:number "price_text"}'),
        ('(order.sum :of {:number ["status"]})', "argument_type", '{:number "price_text"}'),
        ("(order.list :weight {:number 5})", "unknown_comparison", "there are"),
        ('(order.list :status {:number "5"})', "argument_type", "number"),
        ('(order.share :of "weight")', "missing_argument", ":by"),
        ('(order.count :also "share")', "missing_argument", ":by"),
        ("(order.share :that {})", "argument_type", ":status"),
        ("(order.share :that 5)", "argument_type", "map"),
        ('(order.share :that {:stat "open"})', "unknown_column", "status"),
        ('(order.share :of "status" :by "status")', "not_a_measure", "weight"),
        ('(order.count :that {:status "open"})', "unknown_argument", "did you mean"),
        ('(order.sum :of {:times "weight"})', "argument_type", '{:times ["price" "quantity"]}'),
        ('(order.sum :of {:times ["weight"]})', "argument_type", '{:times ["price" "quantity"]}'),
        ('(order.sum :of {:minus ["weight" 1 2]})', "argument_type", ":minus"),
        ('(order.sum :of {:tims ["weight" 1]})', "argument_type", ":times"),
        ('(order.sum :of {:times ["wait" 1]})', "unknown_column", "weight"),
        ('(order.sum :of {:times ["status" 1]})', "not_a_measure", "weight"),
        ('(order.sum :of {:times ["weight" nil]})', "argument_type", ":times"),
        ('(order.sum :of {:times ["weight" {:month "shipped"}]})', "argument_type", ":times"),
        ('(order.max :of {:days ["shipped" "weight"]})', "not_a_measure", "order-date, shipped"),
        ('(order.max :of {:plus ["weight" 2020-01-01]})', "not_a_measure", "weight"),
        ('(order.count :by {:times ["weight" 2]})', "argument_type", "in quotes"),
        ('(order.count :by "status" :columns {:times ["weight" 2]})', "unknown_column", "gather by it"),
        ('(order.sum :of {:times ["order-lines-DROP-TABLE-x/qty" 2]})', "path_multiplies", "other table"),
        ('(order.list :columns [{:plus ["id_" 1]} {:plus ["id" 1]}])', "repeated_column", "keep one"),
        (f"(order.sum :of {'{:plus [1 ' * 9}1{']}' * 9})", "too_deep", "at most 8"),
    ],
)
def test_one_thing_wrong(text: str, code: str, hint: str) -> None:
    (found,) = refused(text)
    assert (found.code, hint in found.hint) == (code, True), found
    assert found.message


def test_everything_at_once() -> None:
    found = refused('(order.sum :of "x" :by ["y" "customer/z"] :status 1 :foo 2 :where {:bar 3} :during 4)')
    codes = [each.code for each in found]
    assert sorted(codes) == sorted(["unknown_column"] * 4 + ["argument_type"] * 2 + ["unknown_argument"])


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("status", Text("a\0b"), "bad_text"),
        ("status", Text("\ud800"), "bad_text"),
        ("id_", Integer(2**63), "number_out_of_range"),
        ("weight", Number("1" * 39), "number_out_of_range"),
        ("weight", Number("0." + "1" * 39), "number_out_of_range"),
        ("id_", Number("99999999999999999999.0"), "number_out_of_range"),
        ("weight", Number("many"), "argument_type"),
        ("weight", Number("NaN"), "argument_type"),
        ("id_", Sequence((Integer(1),) * 6_000), "too_many_values"),
        ("limit", Integer(2**62), "number_out_of_range"),
    ],
)
def test_values_no_database_takes(name: str, value: Text | Integer | Number | Sequence, code: str) -> None:
    assert [found.code for found in refused(Statement("order.list", (Argument(name, value),)))] == [code]


def test_no_nesting_is_too_deep_to_be_refused() -> None:
    value: Sequence | Integer = Integer(1)
    for _ in range(50_000):
        value = Sequence((value,))
    for name in ("id_", "where", "by", "columns", "order", "of", "during"):
        codes = {found.code for found in refused(Statement("order.count", (Argument(name, value),)))}
        assert codes <= {"too_deep", "argument_type", "unknown_argument", "missing_argument"}


def test_an_argument_twice() -> None:
    twice = Statement("order.list", (Argument("id_", Integer(1)), Argument("id_", Integer(2))))
    assert [found.code for found in refused(twice)] == ["repeated_argument"]


@pytest.mark.parametrize(
    "text", ['(order.list :where {:referrer {:strana "x"}})', '(order.count :by "referrer/strana")']
)
def test_an_inferred_path_is_used_and_said(text: str) -> None:
    found = CATALOG.compile(statement(text), Dialect.SQLITE)
    assert isinstance(found, CompiledRead)
    assert found.inferred_paths == ("referrer",)
    assert found.paths[0].tables == ("Customers-VIP-list",)


def test_what_decides_between_equals_is_said() -> None:
    found = CATALOG.compile(statement('(order.list :order "status" :top 2)'), Dialect.SQLITE)
    assert isinstance(found, CompiledRead)
    assert found.ties == "id_"


@pytest.mark.parametrize(("text", "exact"), [("qty", True), ("price", True)])
def test_a_sum_says_whether_it_is_exact(text: str, exact: bool) -> None:
    found = CATALOG.compile(statement(f'(order-lines-DROP-TABLE-x.sum :of "{text}")'), Dialect.SQLITE)
    assert isinstance(found, CompiledRead)
    assert found.exact is exact
    floats = CATALOG.compile(statement("(order.sum)"), Dialect.SQLITE)
    assert isinstance(floats, CompiledRead)
    assert not floats.exact
