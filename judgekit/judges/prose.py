"""A judge's prose in, the score it states out: labelled scores first, then scores that can't be anything else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from judgekit.judges.spelling import in_digits
from judgekit.judges.written import MAXIMUM, NUMBER, Unread, is_range, matched_score, own_lines, plain, shorten
from judgekit.records import Scale

_WORDS = (
    "score|rating|grade|mark|bewertung|punktzahl|puntuaci[oó]n|puntaje|calificaci[oó]n|pontua[cç][aã]o|оценка"
    "|评分|得分|分数|評分|スコア|点数|점수|평점"
)
_FINAL_WORDS = "overall|verdict|final(?:[ \t]+(?:answer|verdict))?"
_VALUE = rf"(?P<number>{NUMBER})(?:{MAXIMUM})?(?![\w%⁄/]|[.,]\d)"
# `$4$`, `\(4\)` and `\boxed{4}` are formulas; "$4" is money.
_OPEN = r"(?:[\[(*_`\"'“{ \t]|\$(?=[^$\n]{1,20}\$)|\\\(|\\boxed\{)*+"
_GAP = r"[*_`\"']{0,3}[ \t]*(?:\([^()\n]{0,60}\)[ \t]*)?[*_`]{0,3}[ \t]*(?::|=|->|→|[ \t][-–—][ \t])[*_` \t]*+\n?"
_NO_VALUE = re.compile(r"(?:n/?a|none|null|nan|unknown|not applicable|undefined)\b", re.IGNORECASE)
_MEASURED = re.compile(r"[ \t]*(?:=|→|->)")
_QUALIFIER = re.compile(r"([^\W\d_]+)[ \t_-]+$")
_FINAL = frozenset(
    (
        *("final", "overall", "total", "aggregate", "global", "最终", "总体"),
        # These say that the score replaces an earlier one.
        *("actually", "adjusted", "amended", "corrected", "new", "revised", "updated"),
    )
)
_NEUTRAL = frozenset(
    (
        "a",
        "an",
        "and",
        "answer",
        "assigned",
        "is",
        "its",
        "judge",
        "my",
        "numeric",
        "of",
        "response",
        "so",
        "the",
        "this",
        "thus",
        "your",
    )
)
_NOT_THE_VERDICT = frozenset(
    (
        *("average", "highest", "lowest", "max", "maximum", "min", "minimum", "passing", "possible"),
        *("draft", "example", "first", "initial", "previous", "prior", "sample"),
        *("candidate", "claimed", "own", "self", "stated"),
    )
)
_TAG = re.compile(rf"<(score|rating|grade|verdict|final_score)>\s*(?:{_VALUE})\s*</\1>", re.IGNORECASE)
_SPEAKS = (
    r"\b(?:(?:score|rating|grade|mark)(?:[ \t]+for[ \t]+[^.:;\n]{1,60}?)?[ \t]+(?:is|was|of|as|would[ \t]+be)"
    r"|rated?(?:[ \t]+(?:it|this|the)(?:[ \t]+\w+)?)?(?:[ \t]+(?:as|at))?)"
    r"(?:[ \t]+an?)?[ \t]+[*_`\"'(\[]{0,3}"
)
_SPOKEN = re.compile(
    rf"{_SPEAKS}{_VALUE}(?P<after>[*_`\"')\]]{{0,3}}(?:[ \t]+[^\W\d]+)?)",
    re.IGNORECASE,
)
# "A score of 5 would need sources" speaks of the scale, and "rated 3 books" of something else: few words may follow.
_MAY_FOLLOW = frozenset(
    ("", "and", "because", "but", "due", "given", "overall", "since", "star", "stars", "point", "points")
)
_OF_MAXIMUM = re.compile(
    rf"(?<![\w./])(?P<number>{NUMBER})(?:[ \t]*/[ \t]*|[ \t]+out[ \t]+of[ \t]+)(?P<of>{NUMBER})(?P<percent>(?!))?"
    rf"(?=[ \t]*(?:stars?|points?)?[*_`\"')\]]{{0,3}}(?:[.,;:!?](?!\d)|[ \t]*$|\n|[ \t]+[-–—][ \t]))",
    re.IGNORECASE | re.MULTILINE,
)
# A hyphen is a bullet only if white space follows; in "-3" it is the sign. An arrow points at what follows.
_BULLETS = r"(?:[*>#\s]|[-+]+(?=[\s>]))*+"
_BARE = re.compile(rf"{_BULLETS}{_OPEN}{_VALUE}[\])*_`\"'”}}.!$\\ \t]*")
_ONE_WORD = re.compile(rf"[-*+#\s]*[*_`]{{0,3}}[^\W\d_]+[*_`]{{0,3}}[ \t]*:[*_` \t\n]*{_VALUE}[*_`. \t]*")
_LEAD = re.compile(r"^(?:[ \t*_`]|-+(?=\s))+")
_NUMBERED = re.compile(rf"(?P<number>{NUMBER})(?:{MAXIMUM})?(?:\.|,|:|[ \t]*[-–—])?[ \t]+\(?[^\W\d]")
_NUMBERED_TIGHT = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[ \t]*[.,:(-]|[ \t]+[-–—])")
_WORD_THEN = re.compile(rf"[\w ,.'’]{{1,25}}?[,.]?[ \t]*\((?:{_VALUE})\)[.!]?", re.IGNORECASE)
# "1. 2": the first item of a form, answered with 2.
_FIRST_ITEM = re.compile(rf"1[.)][ \t]+{_VALUE}\.?")
# "The response does not use the fact. 0", "Yes, 1", "It uses the fact well. (1)"
# No "e.g. 3", "see fig. 3", "approx. 3": the last word of a sentence is longer, and no abbreviation.
_SENTENCE_THEN = re.compile(
    rf"(?:[^\n]*[^\W\d_]{{4}}(?<!prox|chap|sect)[ \t]?[.!?]|(?:yes|no)[ \t]?[.,])[ \t]+\(?{_VALUE}\)?[.!]?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Stated:
    """A score found in prose."""

    score: Fraction
    unlabelled: bool = False
    """True if no word such as "score" named it: the whole reply is little more than the number."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    rank: int
    """4 called final or revised, 3 called the score, 2 called by the rubric's name, 1 called the score of something."""
    at: int
    qualifier: str
    value: re.Match[str] | None
    """None: named and explicitly without a value, as in "Score: N/A"."""


def stated_score(text: str, scale: Scale, key: str | None = None) -> Stated | None:
    """The score that prose states, or None if it states none.

    A labelled score wins over any other number, the last over earlier ones, "Final score" or "Revised score" over
    "Style score".

    Args:
        text: Prose without thoughts and JSON.
        scale: The score must lie on it.
        key: A further label, such as the rubric's name.

    Raises:
        Unread: the score stated is no number, outside the scale, or several scores contradict each other.

    Example:
        >>> stated_score("Fluent, if dull. In 2002, say.\\nRating: 2", Scale(1, 3)).score
        Fraction(2, 1)
        >>> stated_score("There are 5 good points.", Scale(0, 10)) is None
        True
    """
    text = in_digits("\n".join(own_lines(text)).strip(), _opening(key))
    found = _best(list(_labelled(text, key)))
    if found is not None:
        if found.value is None:
            raise Unread("not_a_number", "the score is given as not applicable, not as a number")
        return Stated(matched_score(found.value, scale))
    for pattern in (_SPOKEN, _OF_MAXIMUM):
        spoken = {matched_score(match, scale) for match in pattern.finditer(text) if _is_verdict(match)}
        if len(spoken) > 1:
            raise Unread(
                "ambiguous", f"several scores are stated: {', '.join(str(float(one)) for one in sorted(spoken))}"
            )
        if spoken:
            return Stated(spoken.pop())
    bare = _bare(text)
    return None if bare is None else Stated(matched_score(bare, scale), unlabelled=True)


def line_score(text: str, scale: Scale, key: str | None = None) -> Fraction | None:
    """The score of the last line that is a labelled score and nothing else; None if there is none in the scale."""
    last: Fraction | None = None
    for line in (in_digits(one, _opening(key)) for one in own_lines(text)):
        for one in _labelled(line, key):
            if one.value is not None and not line[one.value.end() :].strip(" \t*_`.\"')]"):
                try:
                    last = matched_score(one.value, scale)
                except Unread:
                    continue
    return last


def _label(key: str | None) -> str:
    named = f"{_WORDS}|{_FINAL_WORDS}"
    if key:
        named += "|" + r"[ \t_-]+".join(re.escape(part) for part in re.split(r"[\s_-]+", plain(key)) if part)
    return rf"(?<![A-Za-z0-9_.-])({named}){_GAP}{_OPEN}"


def _opening(key: str | None) -> str:
    """What stands before a score."""
    return f"(?:{_label(key)}|{_SPEAKS})"


def _labelled(text: str, key: str | None) -> Iterator[_Candidate]:
    label = re.compile(_label(key), re.IGNORECASE)
    value = re.compile(_VALUE)
    for match in label.finditer(text):
        number = value.match(text, match.end())
        if number is not None and (is_range(text, number.end()) or _MEASURED.match(text, number.end())):
            continue
        if number is None and not _NO_VALUE.match(text, match.end()):
            continue
        before = _QUALIFIER.search(text, max(0, match.start() - 40), match.start())
        qualifier = before.group(1).casefold() if before else ""
        if qualifier in _NOT_THE_VERDICT:
            continue
        name = match.group(1).casefold()
        final = qualifier in _FINAL or re.fullmatch(_FINAL_WORDS, name)
        if final:
            rank = 4
        elif not qualifier or qualifier in _NEUTRAL:
            rank = 3 if re.fullmatch(_WORDS, name) else 2
        else:
            rank = 1
        yield _Candidate(rank, match.start(), qualifier if rank == 1 else "", number)
    for match in _TAG.finditer(text):
        yield _Candidate(3, match.start(), "", match)


def _best(candidates: list[_Candidate]) -> _Candidate | None:
    if not candidates:
        return None
    rank = max(one.rank for one in candidates)
    top = sorted((one for one in candidates if one.rank == rank), key=lambda one: one.at)
    named = {one.qualifier: one.value["number"] if one.value else "" for one in top}
    if rank == 1 and len(set(named.values())) > 1:
        raise Unread("ambiguous", f"scores of several things and no overall one: {shorten(', '.join(named))}")
    return top[-1]


def _is_verdict(match: re.Match[str]) -> bool:
    follower = (match.groupdict().get("after") or "").strip("*_`\"')] \t").casefold()
    return follower in _MAY_FOLLOW and not is_range(match.string, match.end("number"))


def _bare(text: str) -> re.Match[str] | None:
    """A number that is the whole reply, or its last or first line, or opens its only line."""
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines:
        return None
    alone = [found for line in lines if (found := _BARE.fullmatch(line))]
    if len({found["number"] for found in alone}) > 1:
        raise Unread("ambiguous", f"several bare numbers: {shorten(', '.join(found['number'] for found in alone))}")
    if alone and (_BARE.fullmatch(lines[-1]) or _BARE.fullmatch(lines[0])):
        return alone[0]
    if len(lines) <= 2 and (found := _ONE_WORD.fullmatch(text)):
        return found
    if len(lines) > 1:
        return None
    line = _LEAD.sub("", lines[0]).rstrip(" \t*_`-")
    if found := _FIRST_ITEM.fullmatch(line):
        return found
    if _NUMBERED_TIGHT.match(line) and (found := _NUMBERED.match(line)):
        return found
    return _WORD_THEN.fullmatch(line) or _SENTENCE_THEN.fullmatch(line)
