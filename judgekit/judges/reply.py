"""A judge's raw reply in, a Verdict out: the score or label it states, or the cause why it states none. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from judgekit.errors import InputError
from judgekit.judges.items import ChecklistKind, CriteriaKind
from judgekit.judges.kinds import BooleanKind, Kind, LabelKind, Reading, ScaleKind, reason_of
from judgekit.judges.message import Message, as_message, reads_as_refusal
from judgekit.judges.scan import Scan, scan
from judgekit.judges.written import Unread, exact, shorten
from judgekit.reading.text import without_surrogates
from judgekit.records import Scale, Verdict

# A brace that never closes is a verdict cut short only if it opens like one; an output may be quoted with stray braces.
_VERDICT_STARTS = re.compile(
    r"\{\s*[\"'“‘]?\s*(?:score|rating|reason|label|pass|verdict|grade|items|criteria|explanation|overall)",
    re.IGNORECASE,
)
_LONGEST_REASON = 4000


def read_reply(
    reply: Any,
    *,
    scale: Scale | None = None,
    labels: Mapping[str, float] | None = None,
    label_key: str | None = None,
    checklist: Mapping[str, str] | None = None,
    criteria: Mapping[str, Scale] | None = None,
    threshold: float | Fraction | None = None,
) -> Verdict:
    """The verdict of one raw judge reply; nothing is clamped, rescaled, defaulted or executed.

    Read, in this order: arguments of a tool call; the last JSON object that holds a verdict (bare, fenced or in prose;
    near-JSON is mended and flagged `repaired`); the last labelled score or label of the prose; a reply that is little
    more than the number or the label. Thoughts and quoted objects are never read.

    Args:
        reply: Text, or a chat message (`content, reasoning_content, tool_calls, finish_reason, refusal`).
        scale: A numeric score is wanted, between its ends inclusive.
        labels: One of these labels is wanted; each is worth its score.
        label_key: The word that names the label or score, such as "GRADE"; with `labels` the only one that does.
        checklist: Item -> question; a yes or no for each is wanted, and the score is the share of yes.
        criteria: Criterion -> scale; a score for each is wanted, and the score is their mean.
        threshold: The score that passes, compared exactly. None: a score alone is `scored`.

    Give at most one of `scale, labels, checklist, criteria`. With none only `{"pass": true}` and its like are read.

    Returns:
        Verdict with status `pass`, `fail` or `scored`, or `unscored` with one of the causes `parse, truncated,
        refusal, empty, missing_field, out_of_range, not_a_number, unknown_label, ambiguous`. A bare boolean has score
        None. Flags: `repaired`, `inconsistent` (the judge contradicts itself), `unlabelled` (a number without a word
        such as "score" beside it).

    Raises:
        InputError: the arguments, not the reply, are wrong, such as a threshold outside the scale.

    Example:
        >>> read_reply('Sure! {"reason": "no source", "score": 2}', scale=Scale(1, 5), threshold=4).status
        'fail'
        >>> read_reply("GRADE: C", labels={"C": 1, "I": 0}, label_key="GRADE").score
        1.0
        >>> read_reply('{"score": 85}', scale=Scale(0, 10)).cause
        'out_of_range'
    """
    kind = _kind(scale, labels, label_key, checklist, criteria)
    passes_at = _threshold(threshold, scale)
    message = as_message(reply)
    if message.refused is not None:
        return Verdict("unscored", cause="refusal", reason=f"the judge refused: {shorten(message.refused)}")
    try:
        reading = _read(message, kind)
    except Unread as problem:
        return Verdict("unscored", cause=problem.cause, reason=without_surrogates(str(problem)))
    return _decided(reading, passes_at)


def _kind(
    scale: Scale | None,
    labels: Mapping[str, float] | None,
    label_key: str | None,
    checklist: Mapping[str, str] | None,
    criteria: Mapping[str, Scale] | None,
) -> Kind:
    wanted = {"scale": scale, "labels": labels, "checklist": checklist, "criteria": criteria}
    given = [name for name, one in wanted.items() if one is not None]
    if len(given) > 1:
        raise InputError(f"read_reply takes one of scale, labels, checklist, criteria, not {' and '.join(given)}.")
    for name, one in wanted.items():
        if isinstance(one, Mapping) and not one:
            raise InputError(f"read_reply: {name} is empty.")
    if scale is not None:
        return ScaleKind(scale, label_key)
    if labels is not None:
        return LabelKind(labels, label_key)
    if checklist is not None:
        return ChecklistKind(checklist)
    if criteria is not None:
        return CriteriaKind(criteria)
    return BooleanKind()


def _threshold(threshold: float | Fraction | None, scale: Scale | None) -> Fraction | None:
    if threshold is None:
        return None
    try:
        passes_at = exact(threshold)
    except (ValueError, OverflowError, TypeError):
        raise InputError(f"threshold must be a finite number, not {threshold!r}.") from None
    if scale is not None and not exact(scale.min) <= passes_at <= exact(scale.max):
        raise InputError(f"threshold is {threshold}, outside the scale from {scale.min:g} to {scale.max:g}.")
    return passes_at


def _read(message: Message, kind: Kind) -> Reading:
    called = [one for one in map(kind.from_object, message.arguments) if one is not None]
    if called:
        if any(one.says != called[0].says for one in called):
            raise Unread("ambiguous", "several tool calls give different verdicts")
        return called[-1]
    text = _decoded(message.text)
    words = scan(text)
    if words.broken and _VERDICT_STARTS.match(words.broken):
        cause = "parse" if message.finished else "truncated"
        raise Unread(cause, f'the last verdict is not complete: "{shorten(words.broken)}"')
    in_json = _last_object(words, kind, message)
    if in_json is not None:
        return in_json
    if message.cut:
        raise Unread("truncated", "the reply was cut off before its verdict")
    if not words.prose.strip() and not message.arguments:
        if words.open_thought and not message.finished:
            raise Unread("truncated", "the reply ends inside its thoughts")
        raise Unread("empty", "the reply holds thoughts only" if text.strip() else "the reply is empty")
    stated = kind.from_prose(words.prose)
    if stated is not None:
        return replace(stated, reason=stated.reason or words.prose.strip())
    if words.objects or message.arguments:
        raise Unread("missing_field", f"the reply's JSON does not hold the verdict asked for{_hint(kind)}")
    if reads_as_refusal(text):
        raise Unread("refusal", f'the judge refused: "{shorten(text)}"')
    raise Unread("parse", f'no verdict found in "{shorten(words.prose.strip())}"{_hint(kind)}')


def _hint(kind: Kind) -> str:
    return "; no scale or labels were given, so only a pass field is read" if isinstance(kind, BooleanKind) else ""


def _last_object(words: Scan, kind: Kind, message: Message) -> Reading | None:
    for one in reversed(words.objects):
        reading = kind.from_object(one.value)
        if reading is None:
            if reason_of(one.value):
                # The judge's own object, without its verdict: one before it may be a quotation.
                return None
            continue
        if message.cut and not (words.ends_with_object and one is words.objects[-1]):
            raise Unread("truncated", "the reply was cut off after a first verdict")
        # An object may be quoted from the output; a verdict on a line of its own after it is the judge's.
        later = kind.from_last_line(words.prose[one.end :])
        if later is not None and later.score != reading.score:
            return replace(later, reason=words.prose.strip())
        return replace(reading, flags=(*reading.flags, "repaired")) if one.repaired else reading
    return None


def _decoded(text: str) -> str:
    """The text inside a reply that is one JSON string, as some gateways send it; else the text itself."""
    stripped = text.strip()
    if len(stripped) > 2 and stripped[0] == stripped[-1] == '"' and '\\"' in stripped:
        try:
            inner = json.loads(stripped, strict=False)
        except ValueError:
            return text
        if isinstance(inner, str):
            return inner
    return text


def _decided(reading: Reading, threshold: Fraction | None) -> Verdict:
    passed, flags = reading.stated_pass, reading.flags
    if reading.score is not None:
        passed = None if threshold is None else reading.score >= threshold
        if passed is not None and reading.stated_pass not in (None, passed):
            flags = (*flags, "inconsistent")
    return Verdict(
        "scored" if passed is None else "pass" if passed else "fail",
        None if reading.score is None else float(reading.score),
        reading.label,
        passed,
        None,
        tuple(dict.fromkeys(flags)),
        reading.reason[:_LONGEST_REASON],
        reading.items,
    )
