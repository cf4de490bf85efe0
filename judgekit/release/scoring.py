"""Agents and their outputs in, exact scores out: each fixture on each rubric, and the mean of each agent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from judgekit.reading.forms import as_exact
from judgekit.records import CheckResult, Output, RubricUse
from judgekit.release.registry import Agent, Fixture
from judgekit.rubrics.base import DeterministicRubric, apply

Outputs = Mapping[str, Sequence[Output]]
"""The outputs of each fixture by case id, one a trial."""


@dataclass(frozen=True)
class CaseScore:
    """One fixture on one rubric."""

    fixture: Fixture
    outputs: tuple[Output, ...]
    """One a trial."""
    results: tuple[CheckResult, ...]
    """Of each output: pass or fail by the agent's threshold."""

    @property
    def score(self) -> Fraction | None:
        """Mean over its trials; None if one of them has no score."""
        return mean([exact_score(one) for one in self.results])

    @property
    def reason(self) -> str:
        """What the rubric said of the trial with the highest score, or of the first one without any."""
        scored = [one for one in self.results if one.score is not None]
        if len(scored) < len(self.results) or not scored:
            return next((one.reason for one in self.results if one.score is None), "no output")
        return max(scored, key=lambda one: as_exact(one.score)).reason


@dataclass(frozen=True)
class AgentScore:
    """One agent on one rubric."""

    agent: Agent
    rubric: str
    threshold: Fraction
    golden: tuple[CaseScore, ...]
    negative: tuple[CaseScore, ...]

    @property
    def score(self) -> Fraction | None:
        """Exact mean over the golden fixtures that have a score; None if none has."""
        scored = [one.score for one in self.golden if one.score is not None]
        return mean(scored)

    @property
    def cases(self) -> Iterator[CaseScore]:
        """The golden fixtures, then the negative ones."""
        yield from self.golden
        yield from self.negative


def score_agents(agents: Sequence[Agent], outputs: Outputs) -> list[AgentScore]:
    """The scores of every agent on each of its rubrics, in the order of the registry."""
    return [_score(agent, rubric, at, outputs) for agent in agents for rubric, at in agent.thresholds.items()]


def _score(agent: Agent, rubric: str, threshold: Fraction, outputs: Outputs) -> AgentScore:
    scored = [score_case(one, rubric, threshold, outputs[one.case.case_id]) for one in agent.scored_by(rubric)]
    return AgentScore(
        agent,
        rubric,
        threshold,
        golden=tuple(one for one in scored if one.fixture.case.should_pass),
        negative=tuple(one for one in scored if not one.fixture.case.should_pass),
    )


def score_case(fixture: Fixture, rubric: str, threshold: Fraction, outputs: Sequence[Output]) -> CaseScore:
    """One fixture's outputs on one of its rubrics."""
    use, scorer = RubricUse(rubric, pass_at=threshold), fixture.rubrics[rubric]
    return CaseScore(fixture, tuple(outputs), tuple(apply(scorer, use, one, fixture.case) for one in outputs))


def score_degenerates(one: AgentScore) -> dict[str, list[CaseScore]]:
    """The golden fixtures as an agent that does no work would answer them, by the name of what it does."""
    found: dict[str, list[CaseScore]] = {}
    for golden in one.golden:
        case = golden.fixture.case
        rubric: DeterministicRubric = golden.fixture.rubrics[one.rubric]
        for name, text in rubric.degenerate(case).items():
            scored = score_case(golden.fixture, one.rubric, one.threshold, [Output(text, case.case_id)])
            found.setdefault(name, []).append(scored)
    return found


def written(threshold: Fraction) -> str:
    """A threshold with all of its decimals.

    Example:
        >>> written(Fraction("0.79792")), written(Fraction(7, 10)), written(Fraction(1))
        ('0.79792', '0.7', '1')
    """
    return f"{Decimal(threshold.numerator) / Decimal(threshold.denominator):f}"


def mean(scores: Sequence[Fraction | None]) -> Fraction | None:
    """The exact mean; None if there is nothing to average, or something without a score.

    Example:
        >>> mean([Fraction(2, 5), Fraction(1), Fraction(7, 10)])
        Fraction(7, 10)
    """
    known = [one for one in scores if one is not None]
    return sum(known, Fraction(0)) / len(known) if known and len(known) == len(scores) else None


def exact_score(result: CheckResult) -> Fraction | None:
    """The score as a fraction; a float of another package's rubric counts as it is written, 0.7 as 7/10."""
    return None if result.score is None else as_exact(result.score)
