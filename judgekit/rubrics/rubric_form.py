"""What a rubric file may hold, and what can be wrong between its keys."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, field_validator

from judgekit import plugins
from judgekit.errors import did_you_mean
from judgekit.reading.forms import Bool, Exact, Form, Text, as_exact, as_text
from judgekit.texts.visible import has_visible

_NEEDS = ("input", "output", "reference", "context")
_KINDS = ("scale", "labels", "checklist", "criteria", "pairwise")
_MOST_POINTS = 20
_PLACES = ("first", "second", "tie")
_NAME = re.compile(r"[^\W_][\w-]*")


def _filled(value: Any) -> str:
    text = as_text(value).strip()
    if not has_visible(text):
        raise ValueError("is empty")
    return text


def _named(value: Any) -> str:
    text = _filled(value)
    if not _NAME.fullmatch(text):
        raise ValueError(f'must be made of letters, digits, "_" and "-", not "{text}"')
    return text


def _mapping(value: Any) -> Any:
    if not isinstance(value, Mapping) or not value:
        raise ValueError("must be a mapping that holds something")
    return dict(value)


def _questions(value: Any) -> Any:
    if isinstance(value, list) and value:
        return {f"q{index}": question for index, question in enumerate(value, start=1)}
    if not isinstance(value, Mapping) or not value:
        raise ValueError("must be a list of yes/no questions, or a mapping from item names to questions")
    return dict(value)


def _needs(value: Any) -> tuple[str, ...]:
    asked = [as_text(one) for one in (value if isinstance(value, list | tuple) else [value])]
    for one in asked:
        if one not in _NEEDS:
            raise ValueError(f'holds "{one}"; known are {", ".join(_NEEDS)}.{did_you_mean(one, _NEEDS)}')
    return tuple(one for one in _NEEDS if one in asked or one == "output")


def _words(value: Any) -> tuple[str, ...]:
    """What the judge calls the two outputs and a tie: `true` for A, B and tie, or a mapping."""
    if value is True or (isinstance(value, str) and value.strip() == "true"):
        return ("A", "B", "tie")
    if not isinstance(value, Mapping) or not {"first", "second"} <= set(value) <= set(_PLACES):
        raise ValueError("must be true, or {first: WORD, second: WORD, tie: WORD} with the judge's words (tie: if any)")
    words = tuple(_filled(value[place]) for place in _PLACES if place in value)
    if len({word.casefold() for word in words}) < len(words):
        raise ValueError(f"has one word for two things: {', '.join(words)}")
    return words


_Filled = Annotated[Text, BeforeValidator(_filled)]
_Name = Annotated[Text, BeforeValidator(_named)]
_CHECKLIST = WithJsonSchema({"type": ["array", "object"], "items": {"type": "string"}})
_WORDS_SCHEMA = WithJsonSchema(
    {"anyOf": [{"const": True}, {"type": "object", "properties": {place: {"type": "string"} for place in _PLACES}}]}
)
_NEEDS_SCHEMA = WithJsonSchema({"type": "array", "items": {"enum": list(_NEEDS)}})


class ScaleForm(Form):
    """A numeric scale with both ends inclusive."""

    min: Exact = Field(description="Lowest score.")
    max: Exact = Field(description="Highest score.")
    anchors: dict[Exact, _Filled] = Field(default_factory=dict, description="What single scores mean.")


class RubricForm(Form):
    """A rubric file as the user writes it."""

    name: _Name = Field(description="Name of the metric; the file is found by it.")
    question: _Filled = Field(description="What is asked about each output.")
    scale: ScaleForm | None = Field(None, description="Numeric scale.")
    labels: Annotated[dict[_Filled, Exact], BeforeValidator(_mapping)] | None = Field(
        None, description="Labels with their scores."
    )
    checklist: Annotated[dict[_Name, _Filled], BeforeValidator(_questions), _CHECKLIST] | None = Field(
        None, description="Yes/no questions; the score is the share of yes."
    )
    criteria: Annotated[dict[_Name, ScaleForm], BeforeValidator(_mapping)] | None = Field(
        None, description="Criteria with a scale each, judged in one call."
    )
    pairwise: Annotated[tuple[str, ...], BeforeValidator(_words), _WORDS_SCHEMA] | None = Field(
        None, description="Two outputs are compared; true, or the judge's words for first, second and tie."
    )
    weighted: Bool = Field(
        False, description="Whether the score is weighted by the probabilities of the judge's verdict token."
    )
    calls: Literal["one", "each"] | None = Field(
        None, description="Whether checklist items or criteria are asked in one call (default) or in one each."
    )
    answer_first: Bool = Field(False, description="Whether the judge solves the task before it sees the output.")
    panel: Literal["mean", "majority"] | None = Field(
        None, description="How several judges decide; default: labels and pairs by majority, scores by their mean."
    )
    pass_at: Exact | None = Field(None, description="Threshold on the score; without it the rubric only scores.")
    needs: Annotated[tuple[str, ...], BeforeValidator(_needs), _NEEDS_SCHEMA] = Field(
        ("input", "output"), description="What the judge is shown; output always."
    )
    template: _Filled | None = Field(None, description="Jinja file beside this one, or a built-in template.")
    required: Bool = Field(False, description="Whether a case fails with it.")

    @field_validator("name")
    @classmethod
    def _not_taken(cls, name: str) -> str:
        if name in plugins.names("rubrics"):
            raise ValueError(f'"{name}" is the name of a deterministic rubric; choose another')
        return name


def mistakes(document: Mapping[str, Any]) -> Iterable[tuple[tuple[str | int, ...], str]]:
    """What is wrong between the keys of a rubric file, each with the path of the value.

    What can't be read at all is passed over here: the form complains about it.
    """
    plain = {key.replace("-", "_"): value for key, value in document.items()}
    given = [kind for kind in _KINDS if plain.get(kind) is not None]
    if len(given) != 1:
        said = f"has {' and '.join(given)}" if given else "has no scale"
        yield (given[1],) if given else (), f"{said}; give exactly one of {', '.join(_KINDS)}."
    bounds: list[Fraction] = []
    for where, scale in _scales(plain):
        ends = [_exact(scale.get(end)) for end in ("min", "max")]
        if ends[0] is None or ends[1] is None:
            continue
        bounds += [ends[0], ends[1]]
        if ends[0] >= ends[1]:
            yield (*where, "min"), f'"min" ({shown_number(ends[0])}) must be below "max" ({shown_number(ends[1])}).'
            continue
        anchors = scale.get("anchors")
        yield from _anchors((*where, "anchors"), anchors if isinstance(anchors, Mapping) else {}, ends[0], ends[1])
    labels = plain.get("labels")
    if isinstance(labels, Mapping):
        yield from _labels(labels)
        bounds += [score for score in map(_exact, labels.values()) if score is not None]
    if isinstance(plain.get("checklist"), list | Mapping) or plain.get("pairwise") is not None:
        bounds += [Fraction(0), Fraction(1)]
    if plain.get("calls") is not None and not plain.get("checklist") and not plain.get("criteria"):
        yield ("calls",), "only a checklist or criteria have several things to ask for."
    needs = plain.get("needs")
    if plain.get("answer_first") in (True, "true") and needs is not None and "input" not in needs:
        yield ("needs",), 'leaves out "input", and with answer_first the judge solves what the input asks.'
    if plain.get("weighted") in (True, "true"):
        yield from _weighable(plain)
    pass_at = _exact(plain.get("pass_at"))
    if len(given) == 1 and pass_at is not None and bounds and not min(bounds) <= pass_at <= max(bounds):
        limits = f"from {shown_number(min(bounds))} to {shown_number(max(bounds))}"
        yield ("pass_at",), f'"pass_at" is {shown_number(pass_at)}, outside the scale {limits}.'


def _weighable(plain: Mapping[str, Any]) -> Iterable[tuple[tuple[str | int, ...], str]]:
    for kind in ("checklist", "criteria"):
        if plain.get(kind) is not None:
            yield ("weighted",), f"a {kind} has several verdicts in one reply; only one can be weighted."
    scale = plain.get("scale")
    if isinstance(scale, Mapping):
        ends = [_exact(scale.get(end)) for end in ("min", "max")]
        if any(end is not None and end.denominator != 1 for end in ends):
            yield ("weighted",), "the ends of a weighted scale are whole numbers: each point is one token."
        elif None not in ends and ends[1] - ends[0] > _MOST_POINTS:  # type: ignore[operator]
            yield (
                ("weighted",),
                f"a weighted scale has at most {_MOST_POINTS + 1} points; models tell no more.",
            )


def _scales(plain: Mapping[str, Any]) -> Iterable[tuple[tuple[str, ...], Mapping[str, Any]]]:
    if isinstance(plain.get("scale"), Mapping):
        yield ("scale",), plain["scale"]
    if isinstance(plain.get("criteria"), Mapping):
        for name, scale in plain["criteria"].items():
            if isinstance(scale, Mapping):
                yield ("criteria", name), scale


def _anchors(
    where: tuple[str, ...], anchors: Mapping[str, Any], low: Fraction, high: Fraction
) -> Iterable[tuple[tuple[str, ...], str]]:
    seen: set[Fraction] = set()
    for key in anchors:
        point = _exact(key)
        if point is None:
            continue
        if not low <= point <= high:
            yield (
                (*where, key),
                f"the anchor {key} is outside the scale from {shown_number(low)} to {shown_number(high)}.",
            )
        if point in seen:
            yield (*where, key), f"the anchor {key} is given twice."
        seen.add(point)


def _labels(labels: Mapping[str, Any]) -> Iterable[tuple[tuple[str, ...], str]]:
    seen: dict[str, str] = {}
    for label in labels:
        folded = label.strip().casefold()
        if folded in seen:
            yield ("labels", label), f'the labels "{seen[folded]}" and "{label}" differ only in case.'
        seen.setdefault(folded, label)
    scores = [_exact(score) for score in labels.values()]
    if labels and None not in scores and len(set(scores)) == 1:
        yield ("labels",), "all labels have the same score, so the rubric could never tell two outputs apart."


def _exact(value: Any) -> Fraction | None:
    try:
        return as_exact(value)
    except ValueError:
        return None


def number(value: Fraction) -> float:
    """The number as people write it: 5, not 5.0."""
    return int(value) if value.denominator == 1 else float(value)


def shown_number(value: Fraction) -> str:
    return f"{number(value):g}"
