"""Two outputs of one case in, one judge's choice between them out: asked in one order, from the variant's side."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from judgekit.judges.answering import own_answer, with_answer
from judgekit.judges.asking import ask_judge, failed, raw_reply, sample_params
from judgekit.judges.prompting import evidence_variables, judge_identity, missing_evidence, template_of
from judgekit.judges.weighted import weighed
from judgekit.models.base import CallKey, Model, Reply, Request
from judgekit.prompts import render_source, reply_schema
from judgekit.records import Case, Context, Judgment, Output, Rubric, Verdict

Order = Literal["first", "second"]
ORDERS: tuple[Order, ...] = ("first", "second")
WORDS = ("A", "B", "tie")
"""What a judge calls the outputs where the rubric does not say."""
REFERENCE = "reference"
"""What a pair's other side is called where it is the reference answer of the case."""

_SCORES = {"win": 1.0, "tie": 0.5, "loss": 0.0}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two outputs of one case, from the side of the first."""

    output: Output
    """The variant's."""
    other: Output
    """What it is compared with."""
    against: str
    """Its name: a variant, or `reference`."""


def judge_pair(
    model: Model, rubric: Rubric, case: Case, pair: Pair, order: Order, *, sample: int, params: Mapping[str, Any]
) -> Judgment:
    """One sample of a judge on one pair in one order; its label is win, tie or loss of the variant, its score 1, .5, 0.

    The verdict is `error` without a call where an output is missing (`no_output`) or the evidence that the rubric needs
    is; otherwise as of `judge_once`.

    Args:
        model: The judge.
        rubric: What to compare by; a pairwise one (see `as_pairwise`).
        case: The case, for its input and evidence.
        pair: The two outputs.
        order: Where the variant's output is shown.
        sample: Number of the repeat, from 0.
        params: Requested parameters; a `seed` is asked for as seed + sample.

    Raises:
        InputError: the rubric's template asks for a variable that it is not given.
    """
    output = pair.output
    blank = Judgment(
        output.case_id or case.case_id,
        output.variant,
        output.trial,
        rubric.name,
        model.name,
        judge_identity(model.name, rubric, params),
        sample,
        Verdict("error"),
        against=pair.against,
        order=order,
        params_requested=sample_params(rubric, params, sample),
    )
    missing = missing_output(pair) or missing_evidence(rubric, case, replace(output, context=_context(case, pair)))
    if missing:
        return failed(blank, *missing)

    answer: Reply | None = None
    if rubric.answer_first:
        given = own_answer(model, rubric, case, _context(case, pair), blank)
        if isinstance(given, Judgment):
            return given
        answer = given

    def read(reply: Reply) -> Verdict:
        return read_choice(raw_reply(reply), rubric.pairwise, order, weighted=rubric.weighted)

    own = None if answer is None else answer.text or ""
    request = Request(
        CallKey(
            blank.case_id,
            "judge",
            rubric.name,
            output.variant,
            output.trial,
            sample,
            against=pair.against,
            order=order,
        ),
        (
            {
                "role": "user",
                "content": pair_prompt(rubric, case, pair, order, own_answer=own),
            },
        ),
        reply_schema=reply_schema(rubric),
        params=blank.params_requested,
        is_usable=lambda reply: read(reply).status != "unscored",
    )
    judgment = ask_judge(model, request, blank, read)
    return judgment if answer is None else with_answer(judgment, answer)


def as_pairwise(rubric: Rubric, *, against: str = "") -> Rubric:
    """The rubric as it compares two outputs; one against the reference answer is not shown that answer twice.

    Example:
        >>> as_pairwise(Rubric("tone", "Is it kind?", labels={"kind": 1, "rude": 0})).pairwise
        ('A', 'B', 'tie')
    """
    needs = tuple(one for one in rubric.needs if one != REFERENCE) if against == REFERENCE else rubric.needs
    return replace(rubric, pairwise=rubric.pairwise or WORDS, needs=needs, calls="one")


def pair_prompt(rubric: Rubric, case: Case, pair: Pair, order: Order, *, own_answer: str | None = None) -> str:
    """The prompt as a judge gets it: constant part and evidence the same in both orders, the two outputs last.

    `own_answer` is as of `judge_prompt`.

    Raises:
        InputError: the rubric's template asks for a variable that it is not given.
    """
    texts = [pair.output.text or "", pair.other.text or ""]
    name, source = template_of(rubric)
    variables = evidence_variables(rubric, case, _context(case, pair), [*texts, own_answer or ""], own_answer)
    first, second = texts if order == "first" else reversed(texts)
    variables |= {"words": list(rubric.pairwise), "names": _names(rubric.pairwise)}
    variables |= {"output_first": first, "output_second": second}
    return render_source(source, variables, name=name)


def read_choice(reply: Any, words: Sequence[str], order: Order, *, weighted: bool = False) -> Verdict:
    """Win, tie or loss of the variant by a raw reply.

    Args:
        reply: Text, or a chat message.
        words: The judge's words for the output shown first, for the second, and for a tie where there is one.
        order: Where the variant's output was shown.
        weighted: Whether the score is the probability that the variant is chosen, a tie counting half.

    Example:
        >>> read_choice('{"reason": "names the date", "winner": "B"}', ("A", "B", "tie"), "second").label
        'win'
    """
    # Its patterns take a while to make, and runs without a judge never need them.
    from judgekit.judges.reply import read_reply

    outcomes = dict(zip(words, ("win", "loss", "tie") if order == "first" else ("loss", "win", "tie"), strict=False))
    verdict = read_reply(reply, labels={word: _SCORES[outcome] for word, outcome in outcomes.items()})
    if verdict.cause in ("unknown_label", "missing_field", "parse"):
        # "Output A" for A: the prompt calls them so.
        longer = dict(zip(_names(words), list(outcomes.values()), strict=False))
        again = read_reply(reply, labels={word: _SCORES[outcome] for word, outcome in longer.items()})
        if again.label is not None:
            verdict, outcomes = again, longer
    if len(words) > 2 and verdict.cause in ("unknown_label", "missing_field", "parse"):
        said = _plain(reply)
        if verdict.cause == "unknown_label":
            again = read_reply(reply, labels={**dict.fromkeys(words, 0.0), **dict.fromkeys(_TIES, 0.5)})
            if again.label in _TIES:
                verdict = replace(again, label=words[2])
        elif _NEITHER.fullmatch(said):
            verdict = Verdict("scored", 0.5, words[2], reason=said)
    if verdict.label is None:
        return verdict
    if weighted:
        scores = {word: _SCORES[outcome] for word, outcome in outcomes.items()}
        verdict = weighed(verdict, reply, scores, verdict.label, None)
    return replace(verdict, label=outcomes[verdict.label or ""])


_TIES = ("neither", "both", "draw", "equal")
_NEITHER = re.compile(
    r"(?:the winner is )?neither(?: (?:output|one|of (?:them|the two)))?(?: is (?:clearly )?(?:better|the winner))?"
    r"|both (?:outputs )?are equal(?:ly good)?|it is a (?:tie|draw)",
    re.IGNORECASE,
)
"""What a judge writes for a tie when it writes nothing else."""


def _plain(reply: Any) -> str:
    said = reply.get("content") if isinstance(reply, Mapping) else reply
    return said.strip(" \n*_.!") if isinstance(said, str) else ""


def _names(words: Sequence[str]) -> list[str]:
    """What the prompt calls the two outputs."""
    return [word if word.casefold().startswith("output") else f"OUTPUT {word}" for word in words[:2]]


def missing_output(pair: Pair) -> tuple[str, str] | None:
    """Cause and message where one of the two outputs is not there; None if both are."""
    for output, name in ((pair.output, pair.output.variant), (pair.other, pair.against)):
        if output.text is None:
            why = f": {output.message}" if output.message else ""
            cause = "no_reference" if output is pair.other and name == REFERENCE else "no_output"
            return cause, f"there is no output of {name} to compare{why}"
    return None


def _context(case: Case, pair: Pair) -> tuple[Context, ...] | None:
    """What both were written from, each piece once; the same in both orders."""
    if pair.output.context is None and pair.other.context is None:
        return case.context
    return tuple(dict.fromkeys((*(pair.other.context or ()), *(pair.output.context or ()))))
