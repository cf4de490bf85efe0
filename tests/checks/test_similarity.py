"""similarity."""

from fractions import Fraction

import pytest

from judgekit.checks.run import run_check
from judgekit.errors import InputError


@pytest.mark.parametrize(
    ("metric", "score"),
    [
        ("ratio", Fraction(2, 3)),  # 2 * 2 shared characters of 6
        ("levenshtein", Fraction(2, 3)),  # one edit in three characters
    ],
)
def test_measures_of_characters_are_exact(metric, score):
    result = run_check({"similarity": {"to": "abc", "at_least": 0.9, "metric": metric}}, "abd")
    assert (result.status, result.score) == ("fail", score)
    assert result.reason.startswith(f"{metric} 0.6667, at least 0.9")


def test_rouge_l_is_the_f_of_the_longest_common_words():
    # "the cat sat" and "the cat ran away": 2 words in common of 3 and 4, F = 4/7
    check = {"to": "the cat sat", "at_least": 0.5, "metric": "rouge_l"}
    assert run_check({"similarity": check}, "The cat ran away.").score == Fraction(4, 7)


def test_rouge_l_reads_any_script():
    check = {"to": "η γάτα κοιμάται", "at_least": 0.9, "metric": "rouge_l"}
    assert run_check({"similarity": check}, "ένα εντελώς άλλο κείμενο").score == 0
    assert run_check({"similarity": check}, "Η γάτα κοιμάται.").status == "pass"


def test_bleu_of_the_same_text_is_1():
    check = {"to": "the cat sat on the mat", "at_least": 1, "metric": "bleu"}
    assert run_check({"similarity": check}, "the cat sat on the mat").status == "pass"


def test_a_score_right_at_the_threshold_passes():
    assert run_check({"similarity": {"to": "abcde", "at_least": 0.8}}, "abcdx").score == Fraction(4, 5)
    assert run_check({"similarity": {"to": "abcde", "at_least": 0.8}}, "abcdx").status == "pass"


def test_texts_too_long_for_the_measure_are_an_error_that_names_another():
    result = run_check({"similarity": {"to": "x" * 5000, "at_least": 1}}, "y" * 5000)
    assert (result.status, result.cause) == ("error", "timeout")
    assert "levenshtein" in result.reason


@pytest.mark.parametrize(
    "check", ["abc", {"to": "x"}, {"to": "x", "at_least": 2}, {"to": "x", "at_least": 1, "metric": "cosine"}]
)
def test_mistakes_are_refused(check):
    with pytest.raises(InputError, match="similarity"):
        run_check({"similarity": check}, "x")
