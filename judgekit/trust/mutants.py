"""Good answers in, damaged ones out; and what a suite made of them in, kill rates and survivors out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from judgekit.records import Case
from judgekit.texts.jsontext import json_in
from judgekit.texts.visible import has_visible
from judgekit.trust.mutations import MUTATIONS, Mutation

if TYPE_CHECKING:
    from judgekit.stats import Estimate


@dataclass(frozen=True, slots=True)
class Mutant:
    """One damaged answer of one case."""

    case_id: str
    mutation: str
    text: str
    change: str
    """What was changed, for people."""
    hint: str
    """What kind of check would notice it."""


def mutants_of(
    text: str, case: Case, *, seed: int, judged: bool = False, mutations: Sequence[Mutation] = MUTATIONS
) -> list[Mutant]:
    """At most one mutant of each kind of an answer, the same ones for the same seed.

    Left out is what is no damage: a text that differs from the answer, or from a mutant before it, in nothing but
    letter case, white space or the layout of its JSON.

    Args:
        text: The good answer.
        case: Its case, for the input and the evidence.
        seed: Chooses which section, figure, name … is hit.
        judged: Whether a judge will see the mutants; some kinds can deceive nobody else.
        mutations: The kinds of damage.

    Example:
        >>> [one.change for one in mutants_of("Revenue is 4.2M.", Case("q1", "Q1?"), seed=0)][:2]
        ['4.2 became 5.2', '"is" became "is not" after "Revenue"']
    """
    seen = {_essence(text)}
    found = []
    for one in mutations:
        if one.judged_only and not judged:
            continue
        # Chance of its own for each kind: another kind more, or less, must not change the others.
        damage = one.damage(text, case, Random(f"{seed}\0{case.case_id}\0{one.name}"))
        if damage is None or (essence := _essence(damage.text)) in seen:
            continue
        seen.add(essence)
        found.append(Mutant(case.case_id, one.name, damage.text, damage.change, damage.hint))
    return found


def _essence(text: str) -> str:
    found = json_in(text)
    if found is not None and not (text[: found.start] + text[found.end :]).strip():
        return repr(found.value)
    return " ".join(text.casefold().split()) if has_visible(text) else ""


Kill = bool | None
"""True: noticed; False: not; None: no result, so nobody knows."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one mutant."""

    mutant: Mutant
    killed: Kill
    """Whether the case fails on it: something required fails."""
    by: Mapping[tuple[str, str], Kill] = field(default_factory=dict)
    """By kind (check, rubric, judge) and name, for what passed on the good answer; judges as `metric [judge]`."""
    why_open: str = ""
    """Why there is no result."""

    @property
    def noticed_by(self) -> list[str]:
        """Names of what noticed it, required or not."""
        return [name for (_, name), kill in self.by.items() if kill]


@dataclass(frozen=True, slots=True)
class KillRate:
    """Share of some mutants that were noticed."""

    name: str
    kind: str
    """suite, check, rubric, judge or mutation."""
    killed: int
    n: int
    """Mutants with a result."""
    n_open: int
    """Mutants without one; they are in no rate."""
    n_cases: int
    estimate: Estimate
    """The rate, with its interval over cases."""


def kill_rates(outcomes: Sequence[Outcome]) -> list[KillRate]:
    """The rate of the suite as a whole, then of each check, rubric and judge, then by kind of damage."""
    rates = [_rate("all", "suite", [(one, one.killed) for one in outcomes])]
    for key in dict.fromkeys(key for one in outcomes for key in one.by):
        kind, name = key
        rates.append(_rate(name, kind, [(one, one.by[key]) for one in outcomes if key in one.by]))
    for name in dict.fromkeys(one.mutant.mutation for one in outcomes):
        mine = [(one, one.killed) for one in outcomes if one.mutant.mutation == name]
        rates.append(_rate(name, "mutation", mine))
    return rates


def _rate(name: str, kind: str, found: Iterable[tuple[Outcome, Kill]]) -> KillRate:
    from judgekit.stats import mean_interval

    found = list(found)
    known = [(one.mutant.case_id, kill) for one, kill in found if kill is not None]
    # Mutants of one answer stand or fall together: the interval goes over cases.
    estimate = mean_interval([float(kill) for _, kill in known], [case_id for case_id, _ in known], bounds=(0, 1))
    killed = sum(kill for _, kill in known)
    n_cases = len({case_id for case_id, _ in known})
    return KillRate(name, kind, killed, len(known), len(found) - len(known), n_cases, estimate)
