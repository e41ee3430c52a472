"""Follow-ups: what the turns before, a scope or a rule asked for counts as asked, and says by whom."""

from dragoman.review import Carried, Said
from tests.review.conftest import Outfitter

CANADA = '(customers.list :country "Canada" :columns "name")'
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


def test_a_statement_of_another_kind_is_not_read(outfitter: Outfitter) -> None:
    from dragoman.contracts.program import Statement
    from dragoman.review import review

    found = review("the balance of Alfa", "en", (Statement("balance.get"),), outfitter.graph)
    assert not found.read
