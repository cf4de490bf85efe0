"""The forms that gate rules are written in."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from judgekit.config import Project, as_bound, as_max_errors

Made = Callable[[str], Project]
Told = Callable[[str], list[str]]


@pytest.mark.parametrize(
    ("written", "op", "value"),
    [
        ("0.9", ">=", Fraction(9, 10)),
        (0.9, ">=", Fraction(9, 10)),
        ("90%", ">=", Fraction(9, 10)),
        ("90 %", ">=", Fraction(9, 10)),
        (">= 4", ">=", Fraction(4)),
        (">=4", ">=", Fraction(4)),
        ("> 3.5", ">", Fraction(7, 2)),
        ("<= 2%", "<=", Fraction(1, 50)),
        ("< 1e-3", "<", Fraction(1, 1000)),
        ("≥ .5", ">=", Fraction(1, 2)),
        ("-0.5", ">=", Fraction(-1, 2)),
    ],
)
def test_a_bound_is_exact(written: str | float, op: str, value: Fraction) -> None:
    bound = as_bound(written)
    assert (bound.op, bound.value) == (op, value)


@pytest.mark.parametrize(
    "written", ["", "abc", "= 4", "== 4", ">> 4", "4 5", "1.2.3", "0,9", "nan", "1e99999", True, "%"]
)
def test_what_is_no_bound_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match="must be a number"):
        as_bound(written)


@pytest.mark.parametrize(("written", "value"), [(0, 0), ("3", 3), ("2%", Fraction(1, 50)), ("100 %", Fraction(1))])
def test_max_errors_is_a_count_or_a_share(written: str | int, value: Fraction | int) -> None:
    assert as_max_errors(written) == value


@pytest.mark.parametrize("written", [-1, 0.02, "1.5", "abc", "101%", "-1%", "", True])
def test_max_errors_is_nothing_else(written: object) -> None:
    with pytest.raises(ValueError, match="must be a whole number such as 3"):
        as_max_errors(written)


def test_every_rule_in_either_spelling(settings: Made) -> None:
    gate = settings(
        """
gate:
  pass-rate: 90%
  case_pass_rate: 0.8
  pass-hat-5: 0.5
  pass_hat_3: ">= 0.6"
  max-errors: 2%
  variants: v2
  metrics:
    helpfulness: {mean: ">= 4", pass-rate: 0.9, on: lower}
"""
    ).settings.gate
    assert {k: bound.value for k, bound in gate.pass_hat.items()} == {5: Fraction(1, 2), 3: Fraction(3, 5)}
    assert gate.metrics["helpfulness"].on == "lower"
    assert gate.variants == ("v2",)
    assert gate.has_rules


def test_no_rule_means_that_every_case_has_to_pass(settings: Made) -> None:
    assert not settings("gate: {max_errors: 3}").settings.gate.has_rules


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("pass_rate: 90", "must lie between 0 and 1"),
        ("case_pass_rate: -0.1", "must lie between 0 and 1"),
        ("pass_rate: high", "must be a number such as 0.9"),
        ("pass_hat_5: 8", '"gate.pass_hat_5" must lie between 0 and 1'),
        ("pass_hat: 0.8", '"gate.pass_hat" wants a number of trials'),
        ("pass_hat_0: 0.8", 'unknown key "pass_hat_0"'),
        ("pass_rte: 0.8", 'Did you mean "pass_rate"?'),
        ("metrics: {tone: {}}", "has no bound"),
        ("metrics: {tone: {on: lower}}", "has no bound"),
        ("metrics: {tone: {mean: 4, on: upper}}", '"gate.metrics.tone.on"'),
        ("metrics: {tone: {meen: 4}}", 'Did you mean "mean"?'),
        ("metrics: {tone: {pass_rate: 4}}", "must lie between 0 and 1"),
        ("max_errors: 0.5", '"gate.max_errors" must be a whole number such as 3'),
    ],
)
def test_a_wrong_rule_is_named_with_its_line(mistakes: Told, rule: str, said: str) -> None:
    (message,) = [one for one in mistakes(f"out: x\ngate:\n  {rule}\n") if said in one]
    assert message.startswith("judgekit.yaml:3: ")


def test_one_rule_in_two_spellings_is_a_duplicate(mistakes: Told) -> None:
    assert mistakes("gate:\n  pass-hat-5: 0.8\n  pass_hat_5: 0.9\n") == [
        'judgekit.yaml:3: "gate.pass_hat_5" is a duplicate key.'
    ]
