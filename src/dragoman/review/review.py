"""Reads a message and a program beside each other, without knowing how the one became the other."""

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.program import Program
from dragoman.databases.values import ValueIndex
from dragoman.review import (
    asked_things,
    contradictions,
    current_states,
    cut_words,
    demanded_answers,
    demanded_choices,
    demanded_columns,
    demanded_counts,
    demanded_dates,
    demanded_edits,
    demanded_figures,
    demanded_links,
    demanded_lists,
    demanded_money,
    demanded_names,
    demanded_numbers,
    demanded_parts,
    demanded_periods,
    demanded_quantities,
    demanded_ranks,
    demanded_records,
    demanded_rivals,
    demanded_roles,
    demanded_rows,
    demanded_seconds,
    demanded_sets,
    demanded_spans,
    demanded_states,
    demanded_tests,
    demanded_things,
    demanded_values,
    demanded_ways,
    demanded_words,
    far_values,
    held_numbers,
    held_words,
    kinds_said,
    odd_counts,
    oversights,
    repeated,
    rows_between,
    share_bases,
    small_marks,
    turned_away,
    unasked,
    unsaid_dates,
)
from dragoman.review.case import Case, case_of
from dragoman.review.collector import committed
from dragoman.review.commitments import tails_of
from dragoman.review.inventory import commitments_of, demands_of
from dragoman.review.records import NOTHING, Carried, Granted, Objection, Review
from dragoman.tables.graph import Graph

Rule = Callable[[Case], Iterator[Objection]]

DEMANDED: Final[tuple[Rule, ...]] = (
    demanded_words.negation,
    demanded_numbers.numbers,
    demanded_numbers.limits,
    demanded_numbers.comparisons,
    demanded_numbers.compared,
    demanded_numbers.compared_rows,
    demanded_numbers.units,
    demanded_periods.periods,
    demanded_periods.date_verbs,
    demanded_periods.particles,
    demanded_words.superlatives,
    demanded_words.orders,
    demanded_words.measures,
    demanded_words.groups,
    demanded_sets.distinct,
    demanded_sets.both,
    demanded_sets.impossible,
    demanded_names.quoted,
    demanded_names.proper_names,
    demanded_values.values,
    demanded_values.things_as_values,
    demanded_names.nouns,
    demanded_names.shown,
    demanded_names.counted,
    demanded_names.when,
    demanded_names.full_names,
    demanded_ranks.ranked,
    demanded_ranks.spelled,
    demanded_ranks.ages,
    demanded_ranks.counted_instead,
    demanded_ranks.ordered,
    demanded_roles.numbered,
    demanded_roles.unsaid_keys,
    demanded_roles.flags,
    demanded_roles.known_already,
    demanded_roles.siblings,
    demanded_links.self_links,
    demanded_links.bookkeeping_links,
    demanded_links.agents,
    demanded_roles.denied_rows,
    demanded_roles.only_keys,
    demanded_dates.special_dates,
    demanded_dates.same_date,
    demanded_dates.late_dates,
    demanded_dates.far_dates,
    demanded_dates.numbers_as_years,
    demanded_quantities.compared_keys,
    demanded_quantities.counted_nouns,
    demanded_quantities.single_rows,
    demanded_quantities.hundredths,
    demanded_spans.silent_units,
    demanded_quantities.multiples,
    demanded_edits.kept_fewer,
    demanded_edits.halved_names,
    demanded_states.states,
    demanded_states.denied_columns,
    demanded_answers.raw_keys,
    demanded_answers.held_only,
    demanded_answers.lone_numbers,
    demanded_answers.listed_totals,
    demanded_answers.bare_figures,
    demanded_answers.workers,
    demanded_answers.leaders,
    demanded_counts.amounts,
    demanded_counts.weighed_shares,
    demanded_counts.different_things,
    demanded_counts.kinds,
    demanded_counts.lone_rows,
    contradictions.disjoint_periods,
    contradictions.absent_and_present,
    contradictions.compared_texts,
    contradictions.compared_with_keys,
    contradictions.any_rows,
    contradictions.split_ranges,
    contradictions.added_keys,
    demanded_parts.half_names,
    demanded_parts.listed_alone,
    demanded_parts.second_questions,
    demanded_parts.grouped_keys,
    demanded_parts.every_row,
    demanded_parts.share_of_rows,
    demanded_parts.shown_beside,
    demanded_ways.named_places,
    demanded_ways.counted_by_heads,
    demanded_ways.detours,
    demanded_ways.unsaid_parts,
    demanded_ways.own_links,
    demanded_ways.one_way,
    demanded_ways.lone_letters,
    demanded_ways.other_dates,
    demanded_ways.dates_of_links,
    demanded_ways.roles,
    demanded_ways.parallel_ways,
    demanded_edits.other_figures,
    demanded_edits.instead,
    demanded_edits.listed_now,
    demanded_states.turned_flags,
    demanded_states.turned_round,
    demanded_states.described,
    demanded_choices.better_figures,
    demanded_choices.stock_as_sales,
    demanded_choices.far_figures,
    demanded_choices.names_as_values,
    demanded_choices.scraps,
    demanded_choices.held_before,
    demanded_choices.which_figure,
    demanded_choices.listed_amounts,
    demanded_choices.names_shown,
    demanded_choices.added_columns,
    demanded_choices.asked_units,
    demanded_counts.amounts_counted,
    demanded_choices.half_nouns,
    demanded_rivals.rival_links,
    demanded_rivals.shared_parents,
    demanded_rivals.own_links_first,
    demanded_rivals.longer_names,
    demanded_rivals.ids_beside_names,
    demanded_rivals.owed_as_sales,
    demanded_rivals.dates_as_amounts,
    oversights.flag_verbs,
    oversights.value_parts,
    oversights.counted_first,
    oversights.undone,
    oversights.loose_dates,
    oversights.summed_rows,
    oversights.asked_columns,
    oversights.quoted_places,
    oversights.done_by,
    oversights.narrowed_periods,
    demanded_columns.full_columns,
    demanded_columns.shown_columns,
    demanded_columns.latest,
    demanded_columns.highest_averages,
    demanded_columns.chosen_by_extremes,
    demanded_lists.pairs_of_columns,
    demanded_lists.told_columns,
    demanded_lists.counted_beside,
    demanded_lists.for_different,
    demanded_lists.fixed_counts,
    demanded_lists.paired_rows,
    demanded_lists.with_the_most,
    demanded_lists.most_popular,
    demanded_lists.unspoken_tests,
    demanded_rows.plural_numbers,
    demanded_rows.ordered_by_words,
    demanded_rows.ranked_things,
    demanded_rows.lone_groups,
    demanded_rows.aged,
    demanded_rows.done_by_them,
    demanded_money.sold_or_paid,
    demanded_parts.part_of_each,
    demanded_ranks.ranked_down,
    demanded_counts.named_shares,
    demanded_tests.numbers_of_rows,
    demanded_tests.numbers_of_records,
    demanded_tests.compared_names,
    demanded_tests.numbered_columns,
    demanded_tests.owners,
    demanded_tests.two_at_once,
    demanded_tests.exact_ones,
    demanded_tests.open_periods,
    demanded_tests.everything,
    demanded_seconds.second_things,
    demanded_seconds.things_done,
    demanded_records.tables_of_verbs,
    demanded_records.traded,
    demanded_records.far_states,
    demanded_records.own_averages,
    demanded_records.both_ends,
    held_words.columns_of_verbs,
    held_words.shown_times,
    held_numbers.strange_columns,
    held_numbers.counted_things,
    current_states.ended,
    current_states.stocked,
    current_states.achieved,
    current_states.pointed_periods,
    small_marks.first_rows,
    small_marks.always,
    small_marks.edges,
    small_marks.denied_values,
    small_marks.unsaid_taxes,
    small_marks.ways,
    small_marks.never_by_one,
    small_marks.added_shares,
    share_bases.shared_bases,
    far_values.own_first,
    odd_counts.counted_units,
    odd_counts.odd_units,
    odd_counts.different_summed,
    odd_counts.counted_elsewhere,
    odd_counts.years_compared,
    asked_things.newest_things,
    asked_things.both_halves,
    asked_things.known_things,
    asked_things.places_once,
    asked_things.doers_by_role,
    asked_things.labels_first,
    turned_away.fragments,
    turned_away.replaced,
    turned_away.pointed_at,
    turned_away.present_rows,
    turned_away.half_present,
    turned_away.far_whens,
    cut_words.cut_columns,
    cut_words.two_words,
    cut_words.listed_values,
    unsaid_dates.unsaid_dates,
    unsaid_dates.dates_of_deeds,
    rows_between.counted_between,
    rows_between.near_tables,
    unsaid_dates.other_particles,
    turned_away.listed_of_them,
    kinds_said.adjectives,
)
"""What the message demands: each rule looks for one kind of thing that the program may lack."""

UNASKED: Final[tuple[Rule, ...]] = (
    unasked.filters,
    unasked.negations,
    unasked.limits,
    unasked.orders,
    unasked.measures,
    unasked.groups,
    unasked.lone_groups,
    demanded_counts.unasked_parts,
    repeated.repeats,
    repeated.foreign_columns,
    demanded_counts.counted_values,
    demanded_states.missing_keys,
    demanded_edits.loose_figures,
    demanded_edits.amounts_as_groups,
    held_words.halves_of_names,
    held_words.deeds_as_names,
    held_words.far_flags,
    small_marks.cues_as_values,
    far_values.far_values,
    far_values.deeds_as_states,
    odd_counts.counted_dates,
    odd_counts.grouped_counts,
)
"""What the program commits to: each rule looks for one kind of thing that nobody may have asked for."""

OTHERWISE: Final[tuple[Rule, ...]] = (
    demanded_figures.unnamed_figures,
    demanded_figures.ordinals,
    demanded_figures.counted_sums,
    demanded_figures.units_and_money,
    demanded_money.order_values,
    demanded_money.counted_money,
    demanded_money.uncounted_money,
    demanded_money.links_as_sales,
    demanded_money.counted_earnings,
    demanded_figures.numbered_nouns,
    demanded_figures.counted_keys,
    demanded_figures.ranked_texts,
    demanded_things.main_noun,
    demanded_things.never_ended,
    demanded_things.done_last,
    demanded_things.idle_words,
    demanded_columns.half_named,
    demanded_things.who,
    demanded_things.junctions,
    demanded_things.listed,
    demanded_things.beside_different,
    demanded_things.sorted_by,
    demanded_things.pointed_back,
    demanded_things.added_names,
    demanded_things.twice_followed,
)
"""Rules that look at the whole of a program: they only speak where no other has found anything."""


def review(
    message: str,
    language: str,
    program: Program,
    graph: Graph,
    carried: Carried = NOTHING,
    values: ValueIndex | None = None,
    reference: dt.date | None = None,
) -> Review:
    """What a message demands of a program, what the program commits to, and where the two disagree.

    `graph` is the database that the program reads, `values` what is known of its data, `carried` what holds
    beside the message, `reference` the day that its relative periods count from, where that is known.
    """
    before = [committed(said.program, graph) for said in carried.said]
    granting = [
        (said.by, frozenset(commitments_of(each))) for said, each in zip(carried.said, before, strict=True)
    ]
    held = frozenset().union(*(parts for _, parts in granting))
    case = case_of(message, language, program, graph, values)
    leant_on = tuple(each for each in before if each.requests)
    if reference is not None and not leant_on:
        case = replace(case, message=case.message.counted_from(reference))
    case = replace(case, carried=frozenset(each.part for each in held), before=leant_on)
    # Words of what is carried may ask for things; they demand nothing any more.
    texts = [said.text for said in carried.said if said.text and not said.program]
    asked = case
    if texts:
        asked = case_of(" . ".join([*texts, message]), language, program, graph, values)
        asked = replace(asked, before=leant_on)
    granted_tails = {tail for each in before for tail in tails_of(each)}
    found = [each for rule in DEMANDED for each in rule(case)]
    found += [
        each
        for rule in UNASKED
        for each in rule(asked)
        if not each.part or not (each.part in case.carried or _is_granted(each.part, granted_tails))
    ]
    if not found:
        found += [each for rule in OTHERWISE for each in rule(case)][:1]
    commitments = commitments_of(case.committed)
    granted = [
        Granted(commitment, by) for commitment in commitments for by, parts in granting if commitment in parts
    ]
    return Review(
        demands_of(case), commitments, tuple(dict.fromkeys(found)), tuple(granted), case.committed.read
    )


def _is_granted(part: str, tails: set[str]) -> bool:
    """The same of the same column was asked for before, reached in whatever way: a list of albums of an
    artist grants a count of tracks on albums of that artist."""
    return any(part == tail or part.endswith(f"/{tail}") for tail in tails)
