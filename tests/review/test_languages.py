"""The same obligations in other languages."""

import pytest

from tests.review.conftest import Outfitter


@pytest.mark.parametrize(
    ("language", "message", "program", "expected"),
    [
        ("ru", "сколько у нас клиентов", "(customers.count)", ""),
        ("ru", "клиенты без компании", '(customers.list :company nil :columns "name")', ""),
        ("ru", "клиенты без компании", '(customers.list :columns "name")', "negation_missing"),
        ("ru", "средняя цена товаров", '(products.sum :of "price")', "measure_missing measure_unasked"),
        (
            "ru",
            "заказы больше 200",
            "(orders.list :total {:below 200})",
            "direction_missing",
        ),
        ("ru", "сколько заказов в марте 2023", "(orders.count)", "period_missing"),
        ("de", "wie viele Kunden haben keine Bestellungen", "(customers.count)", "negation_missing"),
        (
            "de",
            "die zwei teuersten Produkte",
            '(products.list :order {:desc "price"} :top 2)',
            "",
        ),
        (
            "de",
            "die zwei teuersten Produkte",
            '(products.list :columns "name" :order "price" :top 2)',
            "direction_missing",
        ),
        ("de", "Anzahl der Kunden pro Land", "(customers.count)", "group_missing"),
        ("ko", "고객은 몇 명이야?", "(customers.count)", ""),
        ("ko", "평균 가격", '(products.sum :of "price")', "measure_missing measure_unasked"),
        (
            "ko",
            "가격이 100 이상인 상품",
            "(products.list :price {:below 100})",
            "direction_missing",
        ),
    ],
)
def test_objections_in_other_languages(
    outfitter: Outfitter, language: str, message: str, program: str, expected: str
) -> None:
    found = outfitter.review(message, program, language=language).objections
    assert {str(each.code) for each in found} == set(expected.split())


def test_objections_are_said_in_the_language_of_the_message(outfitter: Outfitter) -> None:
    (found,) = outfitter.review(
        "клиенты без компании", '(customers.list :columns "name")', language="ru"
    ).objections
    assert found.text == "В вопросе сказано «без», а программа ничего не исключает."
