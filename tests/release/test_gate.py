"""The release gate on mutated copies of the shipped fixtures, and on scores at the edge of a threshold."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

import judgekit
from judgekit.errors import InputError

GOOD, BAD = [Fraction(9, 10)] * 8, [Fraction(1, 2)] * 4


def test_the_shipped_agents_pass_with_strict(shipped):
    decision = shipped.check(strict=True)

    assert (decision.passed, decision.exit_code) == (True, 0)
    assert [(one.agent, one.n_golden, one.n_negative, one.n_violations) for one in decision.agents] == [
        ("scarlet", 8, 4, 0),
        ("ayana", 8, 4, 0),
        ("eliza", 8, 4, 0),
        ("reagan", 8, 4, 0),
    ]


def test_a_score_is_the_exact_mean_of_the_golden_fixtures(shipped):
    # The descriptions of the fixtures say so: 6/6, 9/10, 7/8, 5/6, 4/5, 11/12, 14/16, 7/7.
    shares = ["6/6", "9/10", "7/8", "5/6", "4/5", "11/12", "14/16", "7/7"]

    assert judgekit.agent_score("ayana") == sum(map(Fraction, shares)) / 8


# ---------------------------------------------------------------------------------------------- means on the edge


def test_eight_goldens_at_four_fifths_meet_080(place):
    place.agent([Fraction(4, 5)] * 8, BAD)

    assert place.check().passed


def test_three_goldens_whose_mean_is_seven_tenths_meet_070(place):
    # As floats 0.4 + 1.0 + 0.7 make 2.0999999999999996, and a third of it is below 0.7.
    place.agent([Fraction(2, 5), 1, Fraction(7, 10)], [Fraction(1, 2)] * 7, threshold=0.70)

    assert place.check().passed


def test_three_goldens_at_seven_tenths_meet_070(place):
    place.agent([Fraction(7, 10)] * 3, [Fraction(1, 2)] * 7, threshold=0.70)

    assert place.check().passed


def test_a_mean_just_below_the_threshold_fails_and_is_not_shown_as_the_same_number(place, gate):
    # (7 * 4/5 + 47/60) / 8 = 383/480 = 0.7979166…
    place.agent([Fraction(4, 5)] * 7 + [Fraction(47, 60)], BAD, threshold="0.79792")

    [reason] = place.check().reasons
    assert "mean 0.7979 of 8 golden fixtures is below 0.79792; lowest is g7 with 0.7833" in reason
    assert gate().lines[1].split()[:4] == ["f", "filter_accuracy", "0.7979", "0.79792"]


def test_negative_fixtures_enter_no_mean(place):
    place.agent([Fraction(4, 5)] * 8, [0, 0, 0, 0])

    assert judgekit.agent_score("f") == Fraction(4, 5)


# ----------------------------------------------------------------------------------------- each kind of violation


def test_a_low_average_fails(shipped):
    # Two of the eight reviews lose everything: 7.4/8 becomes at most 5.8/8 = 0.725.
    shipped.change("scenarios/agents/review_completeness.yaml", "      # Voltaic Loop, Series B\n\n", "")
    for title in ("Recommendation", "Conviction", "Key Positives", "Key Risks", "Reviewer Notes"):
        shipped.change("scenarios/agents/review_completeness.yaml", f"      ## {title}\n      ", "      About this: ")
        shipped.change("scenarios/agents/review_completeness.yaml", f"      **{title}:**", "      And this:")

    decision = shipped.check("reagan")
    assert decision.exit_code == 1
    assert shipped.kinds("reagan")[0] == "mean >= 0.8"
    assert decision.reasons[0].startswith("reagan: review_completeness: mean 0.")


def test_a_negative_exactly_at_the_threshold_fails(place):
    place.agent(GOOD, [Fraction(1, 2)] * 3 + [Fraction(4, 5)])

    [reason] = place.check().reasons
    assert reason.startswith("f, case n3: negative fixture scores 0.8, and must stay below 0.8 (fixtures.yaml:")


def test_a_negative_just_below_the_threshold_is_right(place):
    place.agent(GOOD, [Fraction(1, 2)] * 3 + [Fraction(47, 60)])

    assert place.check().passed


def test_each_negative_counts_on_its_own(place):
    place.agent(GOOD, [0, 0, 0, Fraction(9, 10)])

    assert place.kinds() == ["every negative fixture < 0.8"]


def test_nine_cases_are_too_few(place):
    place.agent(GOOD[:5], BAD)

    [reason] = place.check().reasons
    assert reason == "f: filter_accuracy: 9 fixtures; at least 10 are needed (`min-cases`)"


def test_without_a_negative_the_gate_fails(place):
    place.agent([Fraction(9, 10)] * 12, [])

    [reason] = place.check().reasons
    assert "no negative fixtures (should_pass: false); at least 1 is needed (`min-negative`)" in reason


def test_without_a_golden_there_is_no_score(place):
    place.agent([], [0] * 12)
    decision = place.check()

    assert (decision.passed, decision.agents[0].score, decision.agents[0].passed) == (False, None, False)
    assert "no golden fixtures; at least 1 is needed" in decision.reasons[0]


def test_the_limits_stand_in_the_registry(place):
    place.agent(GOOD[:2], BAD[:2], **{"min-cases": 4, "min-golden": 3, "min_negative": 2})

    [reason] = place.check().reasons
    assert "2 golden fixtures; at least 3 are needed" in reason


def test_fewer_than_eight_and_four_are_a_warning(place, gate):
    place.agent(GOOD[:7], BAD[:3])
    done = gate("--strict")

    assert done.code == 0
    assert "7 golden and 3 negative fixtures: 8 + 4 or more make the score worth trusting" in done.err


def test_a_wrong_defect_is_a_warning_and_with_strict_a_failure(shipped, gate):
    shipped.change("scenarios/agents/source_coverage.yaml", "defect: no_triples", "defect: not an object")
    loose, strict = gate("scarlet"), gate("scarlet", "--strict")

    said = 'scarlet, case scarlet-bad-storm-report: fails for another reason than its defect "not an object": '
    assert (loose.code, strict.code) == (0, 1)
    assert said in loose.err
    assert said in strict.out


def test_where_a_suspicion_stands_not_every_requirement_is_said_to_hold(shipped):
    shipped.change("scenarios/agents/source_coverage.yaml", "defect: no_triples", "defect: not an object")
    decision = shipped.check("scarlet")
    [rule] = [rule for rule in decision.rules if "another reason" in rule["reason"]]

    assert decision.passed
    assert decision.reasons == ("nothing fails scarlet; 1 suspicion stands, see the warnings",)
    assert rule["reason"].startswith("tolerated without --strict: scarlet, case scarlet-bad-storm-report: fails for")


@pytest.mark.parametrize(
    ("defect", "said"),
    [
        ("e", 'fails for another reason than its defect "e"'),
        ("tripl", 'fails for another reason than its defect "tripl"'),
        ("of", 'its defect "of" is too short to name one'),
        ("triples have a source", 'its defect "triples have a source" is said of scarlet-lighthouse-history, too'),
    ],
)
def test_a_defect_is_whole_words_that_are_not_said_of_flawless_outputs(shipped, defect, said):
    shipped.change("scenarios/agents/source_coverage.yaml", "defect: not an object", f"defect: {defect}")
    decision = shipped.check("scarlet", strict=True)

    assert len(decision.reasons) == 1
    assert decision.reasons[0].startswith(f"scarlet, case scarlet-bad-recipe-card: {said}")
    assert "(`defect` is a phrase of the rubric's reason)" in decision.reasons[0]


def test_a_defect_may_be_written_in_other_capitals_and_over_lines(shipped):
    shipped.change("scenarios/agents/filter_accuracy.yaml", "defect: must be kept", 'defect: "Must  be\\nKEPT"')

    assert shipped.check("ayana", strict=True).passed


def one_sided(place, label: str) -> None:
    """Fixtures of which keeping, or dropping, everything meets 49 of 60 labels: 0.8166… is above 0.8."""
    place.agent(GOOD, BAD)
    text = (place.folder / "fixtures.yaml").read_text(encoding="utf-8")
    other = "drop" if label == "keep" else "keep"
    kept = 0

    def turned(match: re.Match[str]) -> str:
        nonlocal kept
        kept += 1
        return match[0] if kept % 30 < 11 else match[0].replace(other, label)

    place.write("fixtures.yaml", re.sub(rf'"label": "{other}"', turned, text))


@pytest.mark.parametrize("label", ["keep", "drop"])
def test_an_agent_that_decides_everything_alike_is_a_loophole(place, label):
    one_sided(place, label)
    found = [rule["reason"] for rule in place.check().rules if "loophole" in rule["reason"]]

    assert len(found) == 1
    assert f'loophole "{label} all": it scores 0.8167 on the golden inputs, and reaches 0.8 on 8 of 8' in found[0]
    assert "no degenerate output reaches 0.8" in place.kinds(strict=True)
    assert "no degenerate output reaches 0.8" not in place.kinds()


def test_headings_without_bodies_are_a_loophole_where_bodies_are_not_asked_for(shipped):
    shipped.change(
        "scenarios/agents/review_completeness.yaml",
        "rubrics: [review_completeness]",
        "rubrics: [{name: review_completeness, require_body: false}]",
    )
    said = [one for one in shipped.check("reagan", strict=True).reasons if "loophole" in one]

    assert any('"headings without bodies": it scores 1 ' in one for one in said)


def test_an_echo_of_the_input_is_a_loophole_where_the_input_holds_the_answer(shipped):
    text = (shipped.folder / "scenarios/agents/source_coverage.yaml").read_text(encoding="utf-8")
    answer = '{"triples": [{"subject": "a", "predicate": "is", "object": "b", "source": "c"}]}'
    shipped.write("scenarios/agents/source_coverage.yaml", re.sub(r"    input: \|\n", f"\\g<0>      {answer}\n", text))

    assert any('loophole "the echo of the input"' in one for one in shipped.check("scarlet", strict=True).reasons)


def test_a_fixture_without_an_output_is_a_violation_and_no_zero(place):
    place.agent(GOOD, BAD)
    text = (place.folder / "fixtures.yaml").read_text(encoding="utf-8")
    place.write("fixtures.yaml", text.replace('"output"', '"reference"', 1))
    decision = place.check()

    assert decision.agents[0].score == Fraction(9, 10)
    assert not decision.agents[0].passed
    [reason] = decision.reasons
    assert reason.startswith("f, case g0: has no score: no output: neither an outputs file of its suite nor `output`")


@pytest.mark.parametrize("output", ["", "  \n", "I cannot help with that."])
def test_empty_and_unreadable_outputs_score_0(place, output):
    place.agent(GOOD, BAD)
    text = (place.folder / "fixtures.yaml").read_text(encoding="utf-8")
    first = re.search(r'"output": ".*"\n', text)
    place.write("fixtures.yaml", text.replace(first[0], f'"output": {output!r}\n'.replace("'", '"'), 1))

    # Seven at 9/10 and one at 0.
    assert judgekit.agent_score("f") == Fraction(63, 80)


def test_all_violations_come_at_once(place):
    place.agent([Fraction(1, 2)] * 5, [Fraction(4, 5), 1])

    assert place.kinds() == [
        "mean >= 0.8",
        "every negative fixture < 0.8",
        "at least 10 fixtures, 1 golden, 1 negative",
    ]
    assert len(place.check().reasons) == 4


# ------------------------------------------------------------------------------------------------- several rubrics


def several(place, rubrics: str) -> None:
    place.agent(GOOD, BAD)
    text = (place.folder / "judgekit.yaml").read_text(encoding="utf-8")
    text = text.replace('"rubric": "filter_accuracy",', f'"rubrics": {rubrics},').replace('"threshold": 0.8,', "")
    place.write("judgekit.yaml", text)


def test_a_fixture_counts_for_the_rubrics_that_it_names(place):
    several(place, '{"filter_accuracy": 0.8, "source_coverage": 0.5}')
    decision = place.check()

    assert [(one.rubric, one.n_golden, one.n_negative) for one in decision.agents] == [
        ("filter_accuracy", 8, 4),
        ("source_coverage", 0, 0),
    ]
    assert all("source_coverage: no " in one for one in decision.reasons)


def test_a_fixture_that_names_none_of_the_rubrics_counts_for_all(place):
    several(place, '{"filter_accuracy": 0.8, "source_coverage": 0.5}')
    text = (place.folder / "fixtures.yaml").read_text(encoding="utf-8")
    place.write("fixtures.yaml", re.sub(r'"rubrics": \[\s+"filter_accuracy"\s+\],', "", text))

    assert [(one.rubric, one.score) for one in place.check().agents] == [
        ("filter_accuracy", Fraction(9, 10)),
        ("source_coverage", 0),
    ]


def test_agent_score_wants_a_rubric_where_there_are_several(place):
    several(place, '{"filter_accuracy": 0.8, "source_coverage": 0.5}')

    with pytest.raises(InputError, match="name one of filter_accuracy, source_coverage"):
        judgekit.agent_score("f")
    assert judgekit.agent_score("f", "filter_accuracy") == Fraction(9, 10)


def test_agent_score_names_a_rubric_that_is_near(place):
    place.agent(GOOD, BAD)

    with pytest.raises(InputError, match='Did you mean "filter_accuracy"'):
        judgekit.agent_score("f", "filter_acuracy")
