"""Follow-ups: what the turns before, a scope or a rule asked for counts as asked, and says by whom."""

from dragoman.review import Carried, Said
from tests.review.conftest import Outfitter

CANADA = '(customers.list :country "Canada" :columns "name")'
WITHIN = '{:customer {:country "Canada"}}'
ACTIVE = '(customers.list :country "Canada" :active 1 :columns "name")'


def test_a_filter_of_the_turn_before_was_asked_for(outfitter: Outfitter) -> None:
    before = Carried((Said("turn 1", "customers in Canada", outfitter.program(CANADA)),))
    found = outfitter.review("only the active ones", ACTIVE, before)
    assert found.objections == ()
    assert ("turn 1", 'country "Canada"') in {(each.by, each.commitment.part) for each in found.granted}


def test_without_what_is_carried_the_same_filter_is_new(outfitter: Outfitter) -> None:
    found = outfitter.review("only the active ones", ACTIVE)
    assert [(str(each.code), each.part) for each in found.objections] == [
        ("filter_unasked", 'country "Canada"')
    ]


def test_a_rule_grants_by_its_program(outfitter: Outfitter) -> None:
    rule = Carried((Said("rule of the pack", "", outfitter.program("(customers.list :active 1)")),))
    found = outfitter.review("customers in Canada", ACTIVE, rule)
    assert found.objections == ()
    assert {each.by for each in found.granted if each.commitment.kind == "filter"} == {"rule of the pack"}


def test_a_scope_grants_by_its_words(outfitter: Outfitter) -> None:
    scope = Carried((Said("scope", "let us look at Canada"),))
    assert outfitter.review("show the customers", CANADA, scope).objections == ()


def test_a_negation_that_is_carried_answers_no_new_one(outfitter: Outfitter) -> None:
    first = '(customers.list :country {:not "Italy"} :columns "name")'
    before = Carried((Said("turn 1", "customers not from Italy", outfitter.program(first)),))
    unchanged = outfitter.review("and without Berg Ltd", first, before)
    assert "negation_missing" in {str(each.code) for each in unchanged.objections}
    both = '(customers.list :country {:not "Italy"} :company {:not "Berg Ltd"} :columns "name")'
    assert outfitter.review("and without Berg Ltd", both, before).objections == ()


def test_what_there_is_may_be_turned(outfitter: Outfitter) -> None:
    """And where there was none before, that answers no new negation."""
    some = '(customers.list :where {:orders-by-customer {:not nil}} :columns "name")'
    none = "(customers.count :where {:orders-by-customer nil})"
    assert _codes(outfitter, "and how many don't", some, none) == set()
    assert "negation_missing" in _codes(outfitter, "and how many don't", none, none)


def test_a_figure_beside_rows_is_of_each(outfitter: Outfitter) -> None:
    each = f'(orders.count :by "customer_id" :columns ["customer/name" "count"] :where {WITHIN})'
    whole = f"(orders.count :where {WITHIN})"
    assert _codes(outfitter, "with the number of orders", CANADA, each) == set()
    assert "group_missing" in _codes(outfitter, "with the number of orders", CANADA, whole)
    assert _codes(outfitter, "and how many orders is that", CANADA, whole) == set()
    # Nobody asked for groups of something else.
    others = f'(orders.count :by "status" :where {WITHIN})'
    assert "group_unasked" in _codes(outfitter, "with the number of orders", CANADA, others)


def test_that_thing_is_used(outfitter: Outfitter) -> None:
    before = '(products.list :price {:above 50} :columns "name")'
    everywhere = '(products.average :of "price" :price {:above 50})'
    told = "what is the average price of products in that category"
    assert "name_missing" in _codes(outfitter, told, before, everywhere)
    tents = '(products.list :where {:category {:name "Tents"}} :columns "name")'
    within = '(products.average :of "price" :where {:category {:name "Tents"}})'
    assert _codes(outfitter, told, tents, within) == set()


def test_a_statement_of_another_kind_is_not_read(outfitter: Outfitter) -> None:
    from dragoman.contracts.program import Statement
    from dragoman.review import review

    found = review("the balance of Alfa", "en", (Statement("balance.get"),), outfitter.graph)
    assert not found.read


def _codes(outfitter: Outfitter, message: str, before: str, program: str) -> set[str]:
    carried = Carried((Said("turn 1", "", outfitter.program(before)),))
    return {str(each.code) for each in outfitter.review(message, program, carried).objections}


def test_what_was_asked_for_may_be_reached_in_another_way(outfitter: Outfitter) -> None:
    shown = ':by "customer_id" :columns ["customer/name" "count"]'
    orders = f'(orders.count {shown} :where {{:customer {{:country "Canada"}}}})'
    assert _codes(outfitter, "how many orders does each have", CANADA, orders) == set()


def test_a_measure_of_the_turn_before_holds_for_another_column(outfitter: Outfitter) -> None:
    before, after = '(products.average :of "price")', '(products.average :of "mean_load_kg")'
    assert _codes(outfitter, "and the mean load?", before, after) == set()


def test_a_period_is_about_the_date_of_the_turn_before(outfitter: Outfitter) -> None:
    before = '(orders.count :on "ordered_on" :during [2023-01-01 2023-12-31])'
    same = '(orders.count :on "ordered_on" :during [2024-01-01 2024-12-31])'
    other = '(orders.count :on "shipped_on" :during [2024-01-01 2024-12-31])'
    assert _codes(outfitter, "and in 2024?", before, same) == set()
    assert _codes(outfitter, "and in 2024?", before, other) == {"date_contradicted"}
    assert _codes(outfitter, "and those shipped in 2024?", before, other) == set()


def test_only_keeps_fewer_rows(outfitter: Outfitter) -> None:
    shown = '(customers.list :country "Canada" :columns ["name" "active"])'
    assert "value_missing" in _codes(outfitter, "only those who are active", CANADA, shown)
    assert _codes(outfitter, "only those who are active", CANADA, ACTIVE) == set()


def test_a_lone_number_is_held_against_no_figure(outfitter: Outfitter) -> None:
    before = '(orders.count :by "status" :order {:desc "count"} :top 5)'
    held = '(orders.count :by "status" :having {:count 10} :order {:desc "count"} :top 5)'
    cut = '(orders.count :by "status" :order {:desc "count"} :top 10)'
    assert _codes(outfitter, "make it 10", before, held) == {"having_unasked"}
    assert _codes(outfitter, "make it 10", before, cut) == set()


def test_half_a_name_is_not_kept(outfitter: Outfitter) -> None:
    before = '(staff.list :first_name "Nina" :last_name "Holt" :columns "hire_date")'
    half = '(staff.list :first_name "Nina" :last_name "Reed" :columns "hire_date")'
    assert _codes(outfitter, "and Reed?", before, half) == {"filter_unasked"}


def test_amounts_make_no_groups(outfitter: Outfitter) -> None:
    before, after = '(orders.count :by "status")', '(orders.count :by "total")'
    assert _codes(outfitter, "by total instead", before, after) == {"group_unasked"}


def test_rows_that_are_pointed_at_are_kept(outfitter: Outfitter) -> None:
    kept = '(customers.list :country "Canada" :columns "company")'
    assert "value_missing" in _codes(
        outfitter, "and their company?", CANADA, '(customers.list :columns "company")'
    )
    assert _codes(outfitter, "and their company?", CANADA, kept) == set()


def test_a_name_that_is_added_is_no_key(outfitter: Outfitter) -> None:
    before = '(orders.list :columns ["id" "total"])'
    key = '(orders.list :columns ["id" "total" "customer/id"])'
    name = '(orders.list :columns ["id" "total" "customer/name"])'
    assert "label_missing" in _codes(outfitter, "add the name of the customer", before, key)
    assert _codes(outfitter, "add the name of the customer", before, name) == set()


def test_what_is_shown_too_stands_beside_the_rows(outfitter: Outfitter) -> None:
    before = '(staff.list :hire_date {:at-least 2002-01-01} :columns "hire_date")'
    beside = before.replace('"hire_date")', '["hire_date" "first_name" "last_name"])')
    assert _codes(outfitter, "show the name as well", before, before) == {"shown_missing"}
    assert _codes(outfitter, "show the name as well", before, beside) == set()


def test_what_narrows_an_answer_leaves_something_out(outfitter: Outfitter) -> None:
    before = '(orders.sum :of "total" :by "status" :on "ordered_on" :during [2023-01-01 2023-12-31])'
    shipped = before.replace(":on", ":shipped_on {:not nil} :on")
    assert _codes(outfitter, "only the shipped ones", before, before) == {"value_missing"}
    assert _codes(outfitter, "only the shipped ones", before, shipped) == set()
    assert "measure_missing" in _codes(outfitter, "only active customers", before, ACTIVE)


def test_a_figure_of_what_was_shown_is_of_no_other_column(outfitter: Outfitter) -> None:
    before = '(products.list :columns ["name" "price"])'
    assert _codes(outfitter, "average of that", before, '(products.average :of "price")') == set()
    loads = '(products.average :of "mean_load_kg")'
    assert "column_contradicted" in _codes(outfitter, "sum up that", before, loads.replace("average", "sum"))


def test_what_is_asked_for_instead_is_used(outfitter: Outfitter) -> None:
    before = '(lines.sum :of "unit_price" :by "product_id" :columns ["product/name" "sum"])'
    other = before.replace("unit_price", "quantity")
    assert "name_missing" in _codes(outfitter, "by quantity instead", before, before)
    assert _codes(outfitter, "by quantity instead", before, other) == set()


def test_the_ones_are_listed(outfitter: Outfitter) -> None:
    before = '(orders.count :status "open")'
    assert "measure_unasked" in _codes(outfitter, "list the ones", before, before)
    assert _codes(outfitter, "list the ones", before, '(orders.list :status "open")') == set()


def test_a_number_is_held_against_what_was_shown(outfitter: Outfitter) -> None:
    before = '(products.list :columns ["name" "price"])'
    price = '(products.list :price {:above 50} :columns ["name" "price"])'
    load = '(products.list :max_load_kg {:above 50} :columns ["name" "price"])'
    assert _codes(outfitter, "only above 50", before, price) == set()
    assert "column_contradicted" in _codes(outfitter, "only above 50", before, load)


def test_what_is_added_stands_beside_what_was_shown(outfitter: Outfitter) -> None:
    before = '(products.list :columns ["name" "price"])'
    beside = '(products.list :columns ["name" "price" "category/name"])'
    assert _codes(outfitter, "with the category", before, beside) == set()
    assert "shown_missing" in _codes(
        outfitter, "with the category", before, '(categories.list :columns "id")'
    )


def test_what_is_narrowed_lies_within_the_period_that_was_spoken_of(outfitter: Outfitter) -> None:
    before = '(orders.count :on "ordered_on" :during [2023-01-01 2023-12-31])'
    within = '(orders.count :on "ordered_on" :during [2023-10-01 2023-12-31])'
    apart = '(orders.count :on "ordered_on" :during [2026-07-01 2026-09-30])'
    assert "period_missing" not in _codes(outfitter, "only the final weeks", before, within)
    assert "period_missing" in _codes(outfitter, "only the final weeks", before, apart)


def test_the_newest_is_not_what_was_changed_last(outfitter: Outfitter) -> None:
    before = '(tickets.list :columns ["id" "subject"])'
    changed = '(tickets.list :columns ["id" "subject"] :order {:desc "updated_on"})'
    raised = '(tickets.list :columns ["id" "subject"] :order {:desc "raised_on"})'
    assert _codes(outfitter, "sort them newest first", before, changed) == {"date_contradicted"}
    assert _codes(outfitter, "sort them newest first", before, raised) == set()


def test_money_is_no_number_of_groups(outfitter: Outfitter) -> None:
    before = '(orders.count :by "ordered_on/month" :order {:desc "count"} :top 1)'
    counted = '(orders.count :by "ordered_on/month" :groups true)'
    assert "measure_missing" in _codes(outfitter, "how much money came in that month?", before, counted)


def test_the_date_of_the_turn_before_may_lie_further_off(outfitter: Outfitter) -> None:
    before = '(clubs.list :on "created_on" :during [2024-01-01 2024-01-31] :columns ["name" "created_on"])'
    shown = ':by "club_id" :columns ["club/name" "count"]'
    rowers = f'(rowers.count {shown} :on "club/created_on" :during [2024-01-01 2024-01-31])'
    assert _codes(outfitter, "how many rowers does each of them have", before, rowers) == set()
    asked = {str(each.code) for each in outfitter.review("rowers of January 2024", rowers).objections}
    assert "date_contradicted" in asked


def test_a_period_may_be_of_what_is_asked_for_anew(outfitter: Outfitter) -> None:
    before = (
        '(staff.list :on "hire_date" :during [2003-01-01 2003-12-31] :columns ["first_name" "last_name"])'
    )
    shown = ':by "owner_id" :columns ["owner/first_name" "owner/last_name" "count"]'
    held = ":where {:owner {:hire_date {:between [2003-01-01 2003-12-31]}}}"
    asked = f'(tickets.count {shown} {held} :on "raised_on" :during [2024-01-01 2024-12-31])'
    assert _codes(outfitter, "how many tickets did each of them raise in 2024", before, asked) == set()


def test_a_period_that_is_carried_may_be_written_as_its_two_ends(outfitter: Outfitter) -> None:
    before = '(orders.count :on "ordered_on" :during [2023-03-01 2023-03-31])'
    ends = "{:ordered_on {:at-least 2023-03-01 :at-most 2023-03-31}}"
    now = f'(customers.list :where {{:orders-by-customer {ends}}} :columns "name")'
    assert _codes(outfitter, "which customers placed them", before, now) == set()


def test_a_year_that_is_pointed_at_is_that_of_the_rows_that_are_added_up(outfitter: Outfitter) -> None:
    ends = "{:ordered_on {:between [2023-01-01 2023-12-31]}}"
    before = f'(customers.list :where {{:orders-by-customer {ends}}} :columns "name")'
    totals = '(orders.sum :of "total" :by "customer_id" :columns ["customer/name" "sum"]'
    around = f"{totals} :where {{:customer {{:orders-by-customer {ends}}}}})"
    asked = "how much did each of them spend that year"
    assert _codes(outfitter, asked, before, around) == {"period_missing"}
    own = f'{totals} :on "ordered_on" :during [2023-01-01 2023-12-31])'
    assert _codes(outfitter, asked, before, own) == set()


def test_what_still_goes_on_is_no_condition_of_the_turn_before(outfitter: Outfitter) -> None:
    before = '(rentals_ledger.list :deposit {:above 10} :columns ["leased_on" "deposit"])'
    assert "name_missing" in _codes(outfitter, "and those still leased", before, before)
    now = '(rentals_ledger.list :deposit {:above 10} :lease_end_date nil :columns ["leased_on" "deposit"])'
    assert _codes(outfitter, "and those still leased", before, now) == set()


def test_what_is_asked_of_each_row_stands_beside_it(outfitter: Outfitter) -> None:
    before = '(products.list :price {:above 50} :columns "name")'
    alone = '(categories.list :where {:products-by-category {:price {:above 50}}} :columns "name")'
    beside = '(products.list :price {:above 50} :columns ["name" "category/name"])'
    assert "shown_missing" in _codes(outfitter, "what category is each?", before, alone)
    assert _codes(outfitter, "what category is each?", before, beside) == set()


def test_what_is_dearest_on_top_is_an_order(outfitter: Outfitter) -> None:
    before = '(products.list :columns ["name" "price"])'
    down = '(products.list :columns ["name" "price"] :order {:desc "price"})'
    assert _codes(outfitter, "sort by price, priciest on top", before, down) == set()
    assert "superlative_missing" in _codes(outfitter, "the priciest on top", before, before)


def test_a_comparison_that_one_column_bears_names_it(outfitter: Outfitter) -> None:
    before = '(products.list :columns ["name" "price"])'
    longer = '(products.list :duration_minutes {:above 40} :columns ["name" "price"])'
    assert "column_contradicted" in _codes(outfitter, "only above 40", before, longer)
    assert "column_contradicted" not in _codes(outfitter, "only longer than 40 minutes", before, longer)
