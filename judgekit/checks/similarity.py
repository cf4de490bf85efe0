"""The check of nearness to a given text: similarity."""

from __future__ import annotations

import difflib
import importlib
import re
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

from pydantic import Field, field_validator

from judgekit.checks.base import Check, NoResult
from judgekit.checks.text import canonical
from judgekit.checks.wording import figure
from judgekit.reading.forms import Exact, Text
from judgekit.records import Case, CheckResult, Output
from judgekit.texts.quoting import quote

Metric = Literal["ratio", "levenshtein", "rouge_l", "bleu"]

_NEEDS = {"levenshtein": "rapidfuzz", "rouge_l": "rouge_score", "bleu": "sacrebleu"}
_WORD = re.compile(r"[^\W_]+")

# Time grows with the product of both lengths and faster; these stay within about a second.
_MOST_WORK = {"ratio": 9_000_000, "levenshtein": 4_000_000_000, "rouge_l": 9_000_000, "bleu": 10**12}


class Similarity(Check):
    """The output is near enough to a given text, by one of four measures from 0 to 1."""

    name: ClassVar[str] = "similarity"
    to: Text = Field(description="The text to compare with.")
    at_least: Annotated[Exact, Field(ge=0, le=1)] = Field(description="The smallest similarity that passes, 0 to 1.")
    metric: Metric = Field(
        "ratio",
        description="ratio: shared stretches of characters (difflib); levenshtein: 1 - edits / longer length; "
        "rouge_l: F of the longest common sequence of words; bleu: BLEU of n-grams. All but ratio need the extra "
        "`text`.",
    )

    @field_validator("metric")
    @classmethod
    def _installed(cls, metric: Metric) -> Metric:
        package = _NEEDS.get(metric)
        if package is not None:
            try:
                importlib.import_module(package)
            except ImportError:
                raise ValueError(f'"{metric}" needs the extra `text` (package {package}), which is missing') from None
        return metric

    def items(self, output: Output, case: Case) -> CheckResult:
        """Pass or fail, with the similarity as score."""
        said, wanted = canonical(output.text or ""), canonical(self.to)
        work = _words(said, wanted) if self.metric in ("rouge_l", "bleu") else len(said) * len(wanted)
        if work > _MOST_WORK[self.metric]:
            raise NoResult(
                "timeout",
                f"texts of {len(said)} and {len(wanted)} characters take too long for the metric {self.metric}; "
                + ("use `metric: levenshtein`" if self.metric == "ratio" else "compare shorter texts"),
            )
        score = _MEASURES[self.metric](said, wanted)
        passed = score >= self.at_least
        reason = f"{self.metric} {figure(score, self.at_least)}, at least {figure(self.at_least)}"
        if not passed:
            reason += f"; the output begins {quote(said, 40)}, wanted {quote(wanted, 40)}"
        return CheckResult("pass" if passed else "fail", score, reason, detail={"measured": float(score)})


def _words(one: str, other: str) -> int:
    return (one.count(" ") + 1) * (other.count(" ") + 1)


def _ratio(said: str, wanted: str) -> Fraction:
    blocks = difflib.SequenceMatcher(None, wanted, said, autojunk=False).get_matching_blocks()
    length = len(said) + len(wanted)
    return Fraction(2 * sum(block.size for block in blocks), length) if length else Fraction(1)


def _levenshtein(said: str, wanted: str) -> Fraction:
    from rapidfuzz.distance import Levenshtein

    longest = max(len(said), len(wanted))
    return 1 - Fraction(Levenshtein.distance(said, wanted), longest) if longest else Fraction(1)


class _AnyScript:
    """rouge_score's own tokenizer keeps ASCII only, so that two different Greek texts would both be empty."""

    def tokenize(self, text: str) -> list[str]:
        return _WORD.findall(text.casefold())


def _rouge_l(said: str, wanted: str) -> Fraction:
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rougeL"], use_stemmer=False, tokenizer=_AnyScript())
    # F is 2 LCS / (m + n), a fraction of small whole numbers: this gives it back exactly.
    return Fraction(float(scorer.score(wanted, said)["rougeL"].fmeasure)).limit_denominator(10**7)


def _bleu(said: str, wanted: str) -> Fraction:
    from sacrebleu import sentence_bleu

    return min(Fraction(1), Fraction(sentence_bleu(said, [wanted]).score) / 100)


_MEASURES = {"ratio": _ratio, "levenshtein": _levenshtein, "rouge_l": _rouge_l, "bleu": _bleu}
