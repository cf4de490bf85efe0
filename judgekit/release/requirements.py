"""What the release gate asks of each agent and rubric: a new requirement is a new object in REQUIREMENTS."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import ClassVar, Protocol

from judgekit.checks.wording import figure
from judgekit.records import Case
from judgekit.release.scoring import AgentScore, CaseScore, mean, score_case, score_degenerates, written
from judgekit.release.violations import Violation, Weight
from judgekit.texts.folding import fold

GOOD_GOLDEN, GOOD_NEGATIVE = 8, 4
"""Fewer are allowed, and warned of."""
_LEAST_LETTERS = 4
"""Letters and digits of a phrase that names a defect, such as "0 of 5"."""


class Requirement(Protocol):
    """One thing that is asked of every agent on every rubric."""

    kind: ClassVar[str]

    def title(self, one: AgentScore) -> str:
        """The requirement as a rule of the decision."""
        ...

    def violations(self, one: AgentScore) -> Iterator[Violation]:
        """Where it is not met."""
        ...


def violations_of(one: AgentScore) -> dict[str, list[Violation]]:
    """What is violated, by kind of requirement; a kind without violations has an empty list."""
    return {
        requirement.kind: [replace(each, kind=requirement.kind) for each in requirement.violations(one)]
        for requirement in REQUIREMENTS
    }


class MeanReached:
    """The mean over the golden fixtures reaches the threshold."""

    kind: ClassVar[str] = "low_mean"

    def title(self, one: AgentScore) -> str:
        return f"mean >= {written(one.threshold)}"

    def violations(self, one: AgentScore) -> Iterator[Violation]:
        if one.score is not None and one.score < one.threshold:
            scored = [golden for golden in one.golden if golden.score is not None]
            lowest = min(scored, key=lambda golden: golden.score or Fraction(0))
            yield _about(
                one,
                f"mean {figure(one.score, one.threshold)} of {_cases(len(scored), 'golden')} is below "
                f"{written(one.threshold)}; lowest is {lowest.fixture.case.case_id} with "
                f"{figure(lowest.score or Fraction(0))}: {lowest.reason}",
            )


class EveryFixtureScored:
    """Every fixture has a score: what has none can't count as good."""

    kind: ClassVar[str] = "no_result"

    def title(self, one: AgentScore) -> str:
        return "every fixture has a score"

    def violations(self, one: AgentScore) -> Iterator[Violation]:
        without = [each for each in one.golden if all(output.text is None for output in each.outputs)]
        if len(without) == len(one.golden) > 1:
            # One sentence for an agent that answered nothing at all, instead of one a fixture.
            said = f"none of {_cases(len(without), 'golden')} has an output; {without[0].reason}"
            yield _about(one, said)
        else:
            without = []
        for each in one.cases:
            if each.score is None and each not in without:
                yield _about(one, f"has no score: {each.reason}", each)


class NegativesBelow:
    """Every negative fixture scores strictly below the threshold, each on its own and in every trial."""

    kind: ClassVar[str] = "negative_reaches_threshold"

    def title(self, one: AgentScore) -> str:
        return f"every negative fixture < {written(one.threshold)}"

    def violations(self, one: AgentScore) -> Iterator[Violation]:
        for each in one.negative:
            scores = [result.score for result in each.results if result.status == "pass" and result.score is not None]
            if scores:
                said = f"negative fixture scores {figure(max(scores))}, and must stay below {written(one.threshold)}"
                yield _about(one, said, each)


class RightDefect:
    """A negative fixture that declares its defect fails for it: the phrase stands in what the rubric says.

    A phrase that the rubric says of flawless outputs as well, or one of hardly a letter, names no defect.
    """

    kind: ClassVar[str] = "wrong_defect"

    def title(self, one: AgentScore) -> str:
        return "negative fixtures fail for their own defect"

    def violations(self, one: AgentScore) -> Iterator[Violation]:
        for each in one.negative:
            defect = each.fixture.case.defect
            failed = [result for result in each.results if result.status == "fail"]
            if not defect or not failed:
                continue
            flawless = next(
                (golden for golden in one.golden if golden.score == 1 and _names(defect, golden.reason)), None
            )
            if not any(_names(defect, reason) for reason in _reasons(one, each)):
                said = f'fails for another reason than its defect "{defect}": {failed[0].reason}'
            elif sum(character.isalnum() for character in defect) < _LEAST_LETTERS:
                said = f'its defect "{defect}" is too short to name one'
            elif flawless is not None:
                case_id = flawless.fixture.case.case_id
                said = f'its defect "{defect}" is said of {case_id}, too, which scores 1: {flawless.reason}'
            else:
                continue
            yield _about(one, f"{said} (`defect` is a phrase of the rubric's reason)", each, "suspicion")


def _reasons(one: AgentScore, each: CaseScore) -> Iterator[str]:
    """What all rubrics of a fixture say against it: its one defect need not be every rubric's business."""
    for rubric, threshold in one.agent.thresholds.items():
        if rubric in each.fixture.rubrics:
            scored = score_case(each.fixture, rubric, threshold, each.outputs)
            yield from (result.reason for result in scored.results if result.status == "fail")


def _names(defect: str, reason: str) -> bool:
    """True if the phrase stands in the reason as whole words."""
    phrase = re.escape(" ".join(fold(defect).text.split()))
    return re.search(rf"(?<!\w){phrase}(?!\w)", " ".join(fold(reason).text.split())) is not None


class EnoughFixtures:
    """There are as many fixtures as the registry asks for."""

    kind: ClassVar[str] = "too_few_fixtures"

    def title(self, one: AgentScore) -> str:
        entry = one.agent.entry
        return f"at least {entry.min_cases} fixtures, {entry.min_golden} golden, {entry.min_negative} negative"

    def violations(self, one: AgentScore) -> Iterator[Violation]:
        entry, n_golden, n_negative = one.agent.entry, len(one.golden), len(one.negative)
        enough = True
        for count, least, what, key in (
            (n_golden + n_negative, entry.min_cases, "fixture", "min-cases"),
            (n_golden, entry.min_golden, "golden fixture", "min-golden"),
            (n_negative, entry.min_negative, "negative fixture (should_pass: false)", "min-negative"),
        ):
            if count < least:
                enough = False
                yield _about(one, f"{_n(count, what)}; at least {least} {_is(least)} needed (`{key}`)")
        if enough and (n_golden < GOOD_GOLDEN or n_negative < GOOD_NEGATIVE):
            said = f"{n_golden} golden and {n_negative} negative fixtures: {GOOD_GOLDEN} + {GOOD_NEGATIVE} or more"
            yield _about(one, f"{said} make the score worth trusting", weight="note")


class NoLoophole:
    """No agent that does no work reaches the threshold on the inputs of the golden fixtures."""

    kind: ClassVar[str] = "loophole"

    def title(self, one: AgentScore) -> str:
        return f"no degenerate output reaches {written(one.threshold)}"

    def violations(self, one: AgentScore) -> Iterator[Violation]:
        for name, answered in score_degenerates(one).items():
            scores = [each.score for each in answered]
            reached = mean([score for score in scores if score is not None])
            if reached is not None and reached >= one.threshold:
                n = sum(score is not None and score >= one.threshold for score in scores)
                said = (
                    f'loophole "{name}": it scores {figure(reached, one.threshold)} on the golden inputs, and reaches'
                )
                hint = "more varied fixtures, or a higher threshold, close it"
                yield _about(
                    one, f"{said} {written(one.threshold)} on {n} of {len(scores)}; {hint}", weight="suspicion"
                )


REQUIREMENTS: tuple[Requirement, ...] = (
    MeanReached(),
    EveryFixtureScored(),
    NegativesBelow(),
    EnoughFixtures(),
    RightDefect(),
    NoLoophole(),
)


def _about(one: AgentScore, said: str, each: CaseScore | None = None, weight: Weight = "violation") -> Violation:
    several = len(one.agent.thresholds) > 1
    case: Case | None = each.fixture.case if each else None
    return Violation(
        agent=one.agent.name,
        kind="",
        message=f"{one.rubric}: {said}" if several or case is None else said,
        rubric=one.rubric,
        case_id=case.case_id if case else "",
        weight=weight,
        file=case.file if case else "",
        line=case.line if case else None,
    )


def _n(count: int, what: str) -> str:
    first, space, rest = what.partition(" (")
    return f"{count or 'no'} {first}{'' if count == 1 else 's'}{space}{rest}"


def _cases(count: int, what: str) -> str:
    return f"{count} {what} {'fixture' if count == 1 else 'fixtures'}"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"
