"""Trials of a case in, one standing out: decided as soon as no open trial could change it."""

from __future__ import annotations

import pytest

from judgekit.frame.rows import Standing, case_row
from judgekit.frame.units import Unit, to_units
from judgekit.records import Case, Output, Trials

NAMES = {"p": "pass", "f": "fail", "e": "error", "s": "skipped", "n": "negative_ok"}


def fold(trials: str, require: int | None, *, negative: bool = False) -> Unit:
    rows = [
        case_row("r", Case("c", suite="s"), Output("x", "c", trial=number), Standing(NAMES[letter], reason=letter))
        for number, letter in enumerate(trials)
    ]
    (unit,) = to_units(rows, negatives={"c"} if negative else set(), trials={"c": Trials(len(trials), require)})
    return unit


@pytest.mark.parametrize(
    ("trials", "require", "status"),
    [
        # all
        ("ppp", None, "pass"),
        ("ppf", None, "fail"),
        ("ppe", None, "error"),
        ("pfe", None, "fail"),
        # any
        ("ffp", 1, "pass"),
        ("fff", 1, "fail"),
        ("ffe", 1, "error"),
        ("pee", 1, "pass"),
        # two of three
        ("ppf", 2, "pass"),
        ("ppe", 2, "pass"),
        ("pfe", 2, "error"),
        ("pff", 2, "fail"),
        ("ffe", 2, "fail"),
        ("eee", 2, "error"),
        # as many as there are, where more were asked for
        ("pp", 5, "pass"),
        ("ss", None, "skipped"),
    ],
)
def test_a_case_is_decided_by_what_is_still_reachable(trials, require, status):
    assert fold(trials, require).status == status


@pytest.mark.parametrize(("trials", "status"), [("nn", "negative_ok"), ("nf", "fail"), ("ne", "error")])
def test_a_negative_fixture_has_to_fail_in_every_trial(trials, status):
    assert fold(trials, None, negative=True).status == status


def test_a_unit_counts_its_trials():
    unit = fold("ppfe", 3)

    assert (unit.n_trials, unit.n_passed, unit.n_open) == (4, 2, 1)


def test_the_reason_says_how_many_trials_decided():
    assert fold("pff", None).reason == "2 of 3 trials fail: f"


def test_one_trial_keeps_its_own_reason():
    assert fold("f", None).reason == "f"


def test_variants_of_a_case_are_units_of_their_own():
    rows = [
        case_row("r", Case("c", suite="s"), Output("x", "c", variant), Standing(status))
        for variant, status in (("v1", "fail"), ("v2", "pass"))
    ]

    assert [(one.variant, one.status) for one in to_units(rows, negatives=set(), trials={})] == [
        ("v1", "fail"),
        ("v2", "pass"),
    ]
