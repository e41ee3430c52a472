"""The planner of phrases over any discovered database: a message becomes complete readings, as programs.

A question goes through these steps:

1. words: `words` cuts it into tokens, `cues` finds the phrases that say what is done.
2. names and values: `schema_names` has the tables and columns with their words (`name_words`, `table_areas`);
   `name_linker` and `value_linker` find which of them, and which values, the words may be.
3. scopes: `likely_scopes` chooses the tables that account for most words; `scoped_message` is the message as
   one of them sees it.
4. roles: `reading_search` reads from left to right and keeps the best drafts (`partial_reading`). What may
   become of a word is in `cue_roles`, `extreme_roles`, `name_roles`, `column_roles`, `table_roles`,
   `number_roles`, `value_roles`, `text_roles` and `date_roles`; `leftovers` is what still waits at the end.
5. plans: `plan_shapes` makes each `plan` of a draft, from `plan_parts`; `plan_search` does so in every scope.
6. programs: `plan_writer` and `condition_values` write a plan as a statement.
7. probabilities: `weights` and `probability` say how sure each reading is; `table_planner` orders them.

A follow-up is read the same way around the statement in hand. `follow_up_cues` says how it leans,
`statement_parts` takes the statement apart, `fragment_builder` makes a `fragment` of what is said within its
`reachable_tables`, `fragment_edits` and `unnamed_edits` put the two together, `follow_up_candidates` gathers
what may be meant, and `follow_up_readings` weighs it.
"""
