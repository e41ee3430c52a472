"""Texts as models write them, and what is to be found in each: a value, or the code that says why none.

A case with a value is right only if exactly this value comes out; a case with a code, only if none does.
"""

from typing import Any, NamedTuple


class Case(NamedTuple):
    name: str
    text: str
    value: Any = None
    code: str | None = None
    warnings: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()


def good(name: str, text: str, value: Any, *warnings: str, keys: tuple[str, ...] = ()) -> Case:
    return Case(name, text, value, None, warnings, keys)


def bad(name: str, text: str, code: str, *, keys: tuple[str, ...] = ()) -> Case:
    return Case(name, text, None, code, (), keys)


_A = {"a": 1}
_DEEP_200: Any = 1
for _ in range(200):
    _DEEP_200 = {"a": _DEEP_200}

WHERE = (
    good("alone", '{"a": 1}', _A),
    good("empty object", "{}", {}),
    good("space around", ' \n\t{"a": 1}\r\n ', _A),
    good("fence", '```json\n{"a": 1}\n```', _A),
    good("fence without a name", '```\n{"a": 1}\n```', _A),
    good("fence on one line", '```{"a": 1}```', _A),
    good("fence not closed", '```json\n{"a": 1}', _A),
    good("tildes as fence", '~~~json\n{"a": 1}\n~~~', _A),
    good("prose before", 'Here is the plan you asked for: {"a": 1}', _A),
    good("prose after", '{"a": 1} I hope this helps!', _A),
    good("prose around", 'Sure!\n\n{"a": 1}\n\nLet me know.', _A),
    good("apostrophes in the prose", "It's what you'd want: {\"a\": 1} isn't it?", _A),
    good("quotes in the prose", 'He said "use this": {"a": 1} "now"', _A),
    good("a lone quote in the prose", '5" disk {"a": 1}', _A),
    good("two objects", '{"a": 1}\n{"b": 2}', _A),
    good("two objects side by side", '{"a": 1}{"b": 2}', _A),
    good("objects in a row with commas", '{"a": 1}, {"b": 2}', _A),
    good("braces in a string", '{"a": "{not} }{ [x]"}', {"a": "{not} }{ [x]"}),
    good("an object in a string", '{"a": "{\\"b\\": 2}"}', {"a": '{"b": 2}'}),
    good("a fence in a string", '{"a": "```json\\n{}\\n```"}', {"a": "```json\n{}\n```"}),
    good("braces in prose", 'Use {braces} like {this}: {"a": 1}', _A),
    good("an open brace in prose", 'Write { first. Then {"a": 1}', _A),
    good("a brace in quotes in prose", 'The "{" opens. {"a": 1}', _A),
    good("template braces", '{{name}} gives {"a": 1}', _A),
    good("doubled braces", '{{"a": 1}}', _A),
    good("a set in prose", 'The set {1, 2, 3} and {"a": 1}', _A),
    good("brackets in prose", 'See [1] and [note]: {"a": 1}', _A),
    good("half-open interval", 'For x in [0, 1) take {"a": 1}', _A),
    good("a link in prose", 'As [here](https://x.test/{id}) says {"a": 1}', _A),
    good("smiley", ':-{ well {"a": 1} :-}', _A),
    good("cyrillic", 'Вот ответ: {"город": "Москва"}', {"город": "Москва"}),
    good("korean", '답: {"도시": "서울"} 입니다', {"도시": "서울"}),
    good("nested", '{"a": {"b": [1, {"c": null}]}}', {"a": {"b": [1, {"c": None}]}}),
    good("byte order mark before", '\ufeff{"a": 1}', _A),
    good("the right one by its keys", '{"x": 1} {"a": 1, "b": 2}', {"a": 1, "b": 2}, keys=("b",)),
    good("keys with null values count", '{"b": null}', {"b": None}, keys=("b",)),
    good("broken one before the right one", '{"b": 1,, } {"b": 2}', {"b": 2}, keys=("b",)),
    bad("no object has the keys", '{"a": 1}', "required_keys_missing", keys=("b",)),
)

THOUGHTS = (
    good("thought", '<think>{"a": 0}</think>{"a": 1}', _A),
    good("thought with braces", '<think>maybe { or } or {"a": 0</think>\n{"a": 1}', _A),
    good("thinking", '<thinking>\n{"a": 0}\n</thinking>\n```json\n{"a": 1}\n```', _A),
    good("upper case", '<THINK>{"a": 0}</THINK>{"a": 1}', _A),
    good("two thoughts", '<think>{"a": 0}</think> so <think>{"a": 2}</think>{"a": 1}', _A),
    good("thought after the answer", '{"a": 1}<think>{"a": 0}</think>', _A),
    good("only the end is marked", 'I could say {"a": 0}\n</think>\n{"a": 1}', _A),
    good("mark in a string", '{"a": "<think>b</think>"}', {"a": "<think>b</think>"}),
    good("square marks", '[THINK]{"a": 0}[/THINK]{"a": 1}', _A),
    bad("nothing but a thought", '<think>{"a": 1}</think>', "no_json_object_found"),
    bad("a thought without end", '<think>{"a": 1}', "no_json_object_found"),
    good(
        "channels",
        '<|channel|>analysis<|message|>{"a": 0}<|end|>'
        '<|start|>assistant<|channel|>final<|message|>{"a": 1}<|return|>',
        _A,
    ),
    good(
        "channel with a recipient",
        '<|channel|>commentary to=f <|constrain|>json<|message|>{"a": 0}<|call|>'
        '<|channel|>final<|message|>{"a": 1}',
        _A,
    ),
    bad("no final channel", '<|channel|>analysis<|message|>{"a": 1}<|end|>', "no_json_object_found"),
    good("channel marks lost", 'analysisWe need {"a": 0}.assistantfinal{"a": 1}', _A),
)

REPAIRS = (
    good("trailing comma", '{"a": 1,}', _A, "trailing_comma"),
    good("trailing comma in a list", '{"a": [1, 2, ]}', {"a": [1, 2]}, "trailing_comma"),
    good(
        "trailing commas at every level",
        '{"a": [{"b": 1,},],}',
        {"a": [{"b": 1}]},
        "trailing_comma",
        "trailing_comma",
        "trailing_comma",
    ),
    good("a comma in a string stays", '{"a": "x,}"}', {"a": "x,}"}),
    good("line comment", '{"a": 1 // one\n}', _A, "comment"),
    good("line comment after a comma", '{"a": 1, // one\n}', _A, "comment", "trailing_comma"),
    good("block comment", '{/* x } */"a": 1}', _A, "comment"),
    good("hash comment", '{"a": 1 # one }\n}', _A, "comment"),
    good("no comment in a string", '{"a": "http://x /* y */ # z"}', {"a": "http://x /* y */ # z"}),
    good("single quotes", "{'a': 'b'}", {"a": "b"}, "single_quotes", "single_quotes"),
    good("double inside single", "{'a': 'say \"b\"'}", {"a": 'say "b"'}, "single_quotes", "single_quotes"),
    good("single inside double", '{"a": "it\'s"}', {"a": "it's"}),
    good("escaped single", r"{'a': 'it\'s'}", {"a": "it's"}, "single_quotes", "single_quotes"),
    good("smart quotes", "{“a”: “b”}", {"a": "b"}, "smart_quotes", "smart_quotes"),
    good("single smart quotes", "{‘a’: ‘b’}", {"a": "b"}, "smart_quotes", "smart_quotes"),
    good("smart quotes in a string stay", '{"a": "“b” ‘c’"}', {"a": "“b” ‘c’"}),
    good(
        "python literals",
        '{"a": True, "b": False, "c": None}',
        {"a": True, "b": False, "c": None},
        *["python_literal"] * 3,
    ),
    good("python words in strings stay", '{"a": "None", "True": "x"}', {"a": "None", "True": "x"}),
    good("unquoted keys", "{a: 1, b_2: 2, $c: 3}", {"a": 1, "b_2": 2, "$c": 3}, *["unquoted_key"] * 3),
    good("unquoted key with a hyphen", "{max-rows: 5}", {"max-rows": 5}, "unquoted_key"),
    good("unquoted cyrillic key", "{ключ: 1}", {"ключ": 1}, "unquoted_key"),
    good("raw newline", '{"a": "x\ny"}', {"a": "x\ny"}, "raw_newline"),
    good("raw tab", '{"a": "x\ty"}', {"a": "x\ty"}, "raw_tab"),
    good("plus", '{"a": +5}', {"a": 5}, "number_form"),
    good("no digit before the point", '{"a": .5}', {"a": 0.5}, "number_form"),
    good("no digit after the point", '{"a": 1.}', {"a": 1.0}, "number_form"),
    good("negative without a digit", '{"a": -.5}', {"a": -0.5}, "number_form"),
    good("no-break space", '{"a":\xa01}', _A, "odd_space"),
    good("zero-width space", '{\u200b"a"\u200b: 1}', _A, "odd_space", "odd_space"),
    good("byte order mark inside", '{"a": \ufeff1}', _A, "odd_space"),
    good("no-break space in a string stays", '{"a": "x\xa0\u200by"}', {"a": "x\xa0\u200by"}),
    good("duplicate key with one value", '{"a": 1, "a": 1}', _A, "duplicate_key"),
    good(
        "duplicate key, equal in another order",
        '{"a": {"x": 1, "y": 2}, "a": {"y": 2, "x": 1}}',
        {"a": {"x": 1, "y": 2}},
        "duplicate_key",
    ),
    good(
        "as python prints",
        "{'a': 'x', 'b': [True, None], 'c': {'d': 1.5}}",
        {"a": "x", "b": [True, None], "c": {"d": 1.5}},
        *["single_quotes"] * 3,
        *["python_literal"] * 2,
        *["single_quotes"] * 2,
    ),
    good("all escapes", r'{"a": "\"\\\/\b\f\n\r\té"}', {"a": '"\\/\b\f\n\r\té'}),
    good("surrogate pair", r'{"a": "😀"}', {"a": "😀"}),
    good(
        "integers beyond 64 bits",
        '{"a": 123456789012345678901234567890}',
        {"a": 123456789012345678901234567890},
    ),
    good("a thousand digits", '{"a": ' + "9" * 1000 + "}", {"a": 10**1000 - 1}),
    good("exponents", '{"a": 1e3, "b": 1E-2}', {"a": 1000.0, "b": 0.01}),
    good("depth of two hundred", '{"a":' * 200 + "1" + "}" * 200, _DEEP_200),
)

BROKEN_BEFORE = (
    good("a value is missing", '{"a": } {"b": 2}', {"b": 2}),
    good("two commas", '{"a": 1,, "c": 2} {"b": 2}', {"b": 2}),
    good("a string without end", '{"a": "oops} {"b": 2}', {"b": 2}),
    good("a string without end on its line", '{"a": "oops\n{"b": 2}', {"b": 2}),
    good("a wrong bracket", '{"a": [1, 2} {"b": 2}', {"b": 2}),
    good("an apostrophe", "{'a': 'it's'} {\"b\": 2}", {"b": 2}),
    good("begun anew", '{"a": {"x": 1}, Sorry, again: {"b": 2}', {"b": 2}),
    good(
        "cut off in a fence, then again",
        '```json\n{"a": {"x": 1}\n```\nAgain:\n```json\n{"b": 2}\n```',
        {"b": 2},
    ),
    good("not a number", '{"a": NaN} {"b": 2}', {"b": 2}),
    good("two values for a key", '{"a": 1, "a": 2} {"b": 2}', {"b": 2}),
    good("bare word as a value", '{"a": yes} {"b": 2}', {"b": 2}),
    good("a list before", '[{"a": 1}] {"b": 2}', {"b": 2}),
    good("too deep before", '{"a":' * 300 + "1" + "}" * 300 + ' {"b": 2}', {"b": 2}),
)

NOTHING = (
    bad("nothing", "", "no_json_object_found"),
    bad("spaces", " \n ", "no_json_object_found"),
    bad("prose", "I cannot do that.", "no_json_object_found"),
    bad("braces without JSON", "use {braces} here", "no_json_object_found"),
    bad("a list", '[{"a": 1}]', "root_not_object"),
    bad("a list in a fence", '```json\n[{"a": 1}, {"b": 2}]\n```', "root_not_object"),
    bad("a list in prose", 'The list: [{"a": 1}]', "root_not_object"),
    bad("null", "null", "root_not_object"),
    bad("a number", "42", "root_not_object"),
    bad("a string", '"text"', "root_not_object"),
    bad("an object inside a string", '"{\\"a\\": 1}"', "root_not_object"),
    bad("true", "true", "root_not_object"),
)

SPOILT = (
    bad("cut off at a brace", "{", "truncated_json"),
    bad("cut off in a key", '{"ab', "truncated_json"),
    bad("cut off after a key", '{"a"', "truncated_json"),
    bad("cut off after a colon", '{"a":', "truncated_json"),
    bad("cut off in a word", '{"a": tru', "truncated_json"),
    bad("cut off in a number", '{"a": 12', "truncated_json"),
    bad("cut off in a string", '{"a": "text', "truncated_json"),
    bad("cut off after a backslash", '{"a": "text\\', "truncated_json"),
    bad("cut off after a value", '{"a": 1', "truncated_json"),
    bad("cut off after a comma", '{"a": 1,', "truncated_json"),
    bad("cut off after a whole object inside", '{"a": {"b": 1}, "c":', "truncated_json"),
    bad("cut off after a list of objects", '{"a": [{"b": 1}, {"b": 2}', "truncated_json"),
    bad("cut off in a fence", '```json\n{"a": 1, "b": {"c": 2}\n```', "truncated_json"),
    bad("cut off in a string that shows an object", '{"a": "such as {\'x\': 1} and', "truncated_json"),
    bad("a list cut off", '[{"a": 1}, {"b": ', "truncated_json"),
    bad("cut off in a comment", '{"a": 1 /* and', "truncated_json"),
    bad("not a number", '{"a": NaN}', "non_finite_number"),
    bad("infinity", '{"a": Infinity}', "non_finite_number"),
    bad("minus infinity", '{"a": [-Infinity]}', "non_finite_number"),
    bad("overflow", '{"a": 1e999}', "number_overflow"),
    bad("overflow below", '{"a": -1e999}', "number_overflow"),
    bad("a thousand and one digits", '{"a": ' + "9" * 1001 + "}", "integer_too_long"),
    bad("first half of a pair", r'{"a": "\ud83d"}', "lone_surrogate"),
    bad("second half of a pair", r'{"a": "\ude00"}', "lone_surrogate"),
    bad("halves in the wrong order", r'{"a": "\ude00\ud83d"}', "lone_surrogate"),
    bad("half of a pair as a key", r'{"\ud83d": 1}', "lone_surrogate"),
    bad("a key with two values", '{"a": 1, "a": 2}', "duplicate_key"),
    bad("a key with two kinds of value", '{"a": 1, "a": true}', "duplicate_key"),
    bad("a key escaped and not", '{"a": 1, "\\u0061": 2}', "duplicate_key"),
    bad("a key deep inside with two values", '{"x": [{"a": 1, "a": 2}]}', "duplicate_key"),
    bad("a control character", '{"a": "x\x01y"}', "control_character"),
    bad("NUL in a string", '{"a": "x\x00y"}', "control_character"),
    bad("unknown escape", r'{"a": "\x41"}', "invalid_json"),
    bad("half an escape", r'{"a": "\u12"}', "invalid_json"),
    bad("leading zeros", '{"a": 007}', "invalid_json"),
    bad("hexadecimal", '{"a": 0x10}', "invalid_json"),
    bad("underscores in a number", '{"a": 1_000}', "invalid_json"),
    bad("two points", '{"a": 1.2.3}', "invalid_json"),
    bad("a date without quotes", '{"a": 2020-01-31}', "invalid_json"),
    bad("undefined", '{"a": undefined}', "invalid_json"),
    bad("bare words as a value", '{"a": see below}', "invalid_json"),
    bad("quotes inside quotes", '{"a": "he said "hi" there"}', "invalid_json"),
    bad("a missing comma between pairs", '{"a": 1 "b": 2}', "invalid_json"),
    bad("a missing comma between objects", '{"a": [{"x": 1} {"x": 2}]}', "invalid_json"),
    bad("a missing colon", '{"a": 1, "b" 2}', "invalid_json"),
    bad("only a comma in a list", '{"a": [,]}', "invalid_json"),
    bad("a comma first", '{"a": [, 1]}', "invalid_json"),
    bad("equals for a colon", '{"a": 1, "b" = 2}', "invalid_json"),
    bad("a tuple of python", '{"a": (1, 2)}', "invalid_json"),
    bad("an ellipsis", '{"a": 1, ...}', "invalid_json"),
    bad("an ellipsis in a list", '{"a": [1, 2, ...]}', "invalid_json"),
    bad("ten thousand deep", '{"a":' * 10_000 + "1" + "}" * 10_000, "too_deep"),
    bad("ten thousand lists deep", '{"a":' + "[" * 10_000 + "]" * 10_000 + "}", "too_deep"),
)

CASES = (*WHERE, *THOUGHTS, *REPAIRS, *BROKEN_BEFORE, *NOTHING, *SPOILT)
