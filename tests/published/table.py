"""Replayed figures in, the Markdown of `reports/example/published.md` out: published and replayed side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from published_choices import Cell, Weighed, Won, alpaca_models
from published_data import Data
from published_ratings import Correlated, Rates, dices, newsroom, pandalm_judges, pandalm_kappas, tau_bench

PANDALM_KAPPAS = (0.85, 0.88, 0.86)
"""README of WeOpenML/PandaLM."""
TAU_BENCH = (0.420, 0.273, 0.220, 0.200)
"""README of sierra-research/tau-bench."""
NEWSROOM = {"informativeness": 0.285, "relevance": 0.115, "fluency": -0.016, "coherence": 0.065}
DICES = 0.161
"""As those of Newsroom: arXiv:2406.18403."""
TOPICAL_CHAT = (
    ("pearson", "published_pearson_dataset"),
    ("kendall", "published_kendall_by_context"),
    ("pearson_within", "published_pearson_by_context"),
)
"""Figures of a cell, and where their published values stand."""

_INTRO = """\
# Published results, replayed

Recorded replies of public studies, read and aggregated by judgekit's own parts (reply reader, pairwise reader, both
orders, means over samples, weighting by log-probabilities, statistics), beside the figures that were published. Made by
`pytest -m published` where all recorded data stands beside the project; without it the same command replays the sample
in `tests/data/`. A test holds this table to what is computed."""


def table(
    data: Data,
    cells: Sequence[Cell],
    from_raw: Sequence[Correlated],
    from_scores: Sequence[Correlated],
    weighed: Sequence[Weighed],
    expected: Mapping[str, Any],
) -> str:
    """The whole document."""
    sections = [
        _INTRO,
        _llmbar(data, cells),
        _topical_chat(from_raw, from_scores, expected["topical_chat"]),
        _pandalm(pandalm_kappas(data), pandalm_judges(data), expected["pandalm"]),
        _alpaca(data, weighed, alpaca_models(data, weighed)),
        _tau(tau_bench(data)),
        _raters(newsroom(data), dices(data)),
    ]
    return "\n\n".join(sections) + "\n"


def _llmbar(data: Data, cells: Sequence[Cell]) -> str:
    known = {(one["subset"], one["judge"], one["variant"]): one for one in data.rows("llmbar/published.jsonl")}
    pairs = [pair for cell in cells for pair in cell.pairs if not pair.rated]
    alike = sum(own == theirs for pair in pairs for own, theirs in zip(pair.outcomes, pair.upstream, strict=True))
    rows = []
    for cell in cells:
        published, n = known[cell.subset, cell.judge, cell.variant], len(cell.pairs)
        rows.append(
            (
                cell.judge,
                cell.variant,
                cell.subset,
                f"{published['accuracy_pct']:.2f}",
                f"{100 * (cell.accuracy.value or 0):.2f}",
                _of(published["position_agreement"]),
                f"{cell.agreement}/{n}",
                _of(published["both_correct"]),
                f"{cell.both_right}/{n}",
                str(cell.unread),
            )
        )
    header = ("judge", "prompt", "subset", "accuracy %", "replayed", "orders agree", "replayed", "both right")
    unread = [
        (pair.item, pair.judge, pair.variant, "both" if pair.rated else order, _tail(reply))
        for cell in cells
        for pair in cell.pairs
        for order, reply, outcome in zip(("first", "second"), pair.replies, pair.outcomes, strict=True)
        if outcome is None and not (pair.rated and order == "second")
    ]
    return "\n\n".join(
        (
            "## LLMBar: pairs in both orders (arXiv:2310.07641)",
            f"{alike:,} of {2 * len(pairs):,} pairwise replies are read as in the publication. As published, an "
            "unread reply is a wrong one, two unread replies agree, an unread rating counts half, and equal ratings "
            "count half and do not agree. Subset Manual is in the sample.",
            _markdown((*header, "replayed", "unread"), sorted(rows, key=lambda row: (row[0], row[1])), right=3),
            "Left unread, by the place of the preferred output (ratings: the reply is empty):",
            _markdown(("item", "judge", "prompt", "preferred output shown", "the reply ends"), unread, right=9),
        )
    )


def _topical_chat(
    from_raw: Sequence[Correlated], from_scores: Sequence[Correlated], known: Sequence[Mapping[str, Any]]
) -> str:
    raw = {(one.variant, one.dimension): one for one in from_raw}
    published = {(one["variant"], one["dimension"]): one for one in known}
    rows = []
    for one in from_scores:
        theirs, own = published[one.variant, one.dimension], raw.get((one.variant, one.dimension))
        cells: list[str] = [one.variant, one.dimension]
        for kind, name in TOPICAL_CHAT:
            cells += [_three(theirs[name]), _three(getattr(one, kind)), _three(own and getattr(own, kind))]
        rows.append((*cells, "" if own is None else f"{own.unread} of {own.n_samples:,}"))
    replayed = ("scores", "raw replies")
    figures = [one for name in ("r", "tau-b in contexts", "r in contexts") for one in (name, *replayed)]
    return "\n\n".join(
        (
            "## Topical-Chat: scores against people (arXiv:2310.05657)",
            "Pearson's r over all items, Kendall's tau-b and Pearson's r as means over contexts; each item has the "
            "mean of its 20 samples. *Scores* are those the publication read, where decimals are cut off; *raw "
            "replies* are read here, with decimals, and numbers off the scale unread. Empty: not published, or no "
            "replies recorded. From raw replies r is within .010 and tau-b within .025 of the published figure, but "
            "for tau-b of score_only_auto_cot on groundedness (.0252): the publication took 1 for the score of two "
            "replies that quote the year 1805.",
            _markdown(("prompt", "dimension", *figures, "unread"), rows, right=2),
        )
    )


def _pandalm(kappas: Sequence[float], judges: Sequence[Rates], known: Mapping[str, Any]) -> str:
    people = [
        (f"annotators {pair}", f"{published:.2f}", f"{kappa:.4f}")
        for pair, published, kappa in zip(("1, 2", "1, 3", "2, 3"), PANDALM_KAPPAS, kappas, strict=True)
    ]
    rows = []
    for one in judges:
        theirs = known[one.judge] if one.policy == "tie" else {}
        names = ("accuracy", "precision_macro", "recall_macro", "f1_macro")
        own = (one.accuracy, one.precision, one.recall, one.f1)
        figures = [
            figure
            for name, value in zip(names, own, strict=True)
            for figure in (_four(theirs.get(name)), f"{value:.4f}")
        ]
        rows.append((one.judge, one.policy, str(one.n), str(one.unread), *figures))
    header = ("judge", "unread replies are", "n", "unread", "accuracy", "replayed", "precision", "replayed")
    return "\n\n".join(
        (
            "## PandaLM: three people and two judges (arXiv:2306.05087)",
            _markdown(("Cohen's kappa", "published", "replayed"), people, right=1),
            "The judges against the majority of the three; precision, recall and F1 are means over the labels 1, 2 and "
            "tie. The published figures count an unreadable reply as a tie; what else could be done with it is beside "
            "them. In the sample.",
            _markdown((*header, "recall", "replayed", "F1", "replayed"), rows, right=2),
        )
    )


def _alpaca(data: Data, weighed: Sequence[Weighed], models: Sequence[Won]) -> str:
    known = {one["model"]: one for one in data.rows("alpaca_eval/published.jsonl")}
    rows = [
        (
            one.model,
            str(one.n),
            str(one.n_weighed),
            f"{known[one.model]['win_rate']:.6f}",
            f"{one.win_rate:.6f}",
            f"{known[one.model]['standard_error']:.6f}",
            f"{one.standard_error:.6f}",
            "" if one.summed is None else f"{one.summed:.6f}",
        )
        for one in models
    ]
    header = ("model", "n", "weighed", "win rate %", "replayed", "standard error", "replayed", "all spellings")
    bare = max(abs(one.bare - one.recorded) for one in weighed)
    summed = max(abs(one.summed - one.recorded) for one in weighed)
    return "\n\n".join(
        (
            "## AlpacaEval 2: preferences weighted by log-probabilities",
            f"{len(weighed):,} preferences are computed from the log-probabilities of the judge's first token and are "
            f"within {_power(bare)} of the recorded ones; which output was called m and which M was not recorded, so "
            "the nearer of both readings is taken. Preferences without log-probabilities are the recorded ones. "
            '*All spellings* sums the ways to write a token ("M", " M"), as judgekit\'s judges do: within '
            f"{_power(summed)} of each recorded preference.",
            _markdown(header, rows, right=1),
        )
    )


def _tau(found: Sequence[float]) -> str:
    rows = [(f"pass^{k}", f"{TAU_BENCH[k - 1]:.3f}", f"{value:.4f}") for k, value in enumerate(found, 1)]
    return "\n\n".join(
        (
            "## tau-bench: all of k trials pass (arXiv:2406.12045)",
            "50 tasks, 4 trials each. In the sample.",
            _markdown(("", "published", "replayed"), rows, right=1),
        )
    )


def _raters(dimensions: Mapping[str, float], safety: float) -> str:
    rows = [
        (f"Newsroom, {name}", "ordinal", f"{NEWSROOM[name]:.3f}", f"{value:.4f}") for name, value in dimensions.items()
    ]
    rows.append(("DICES-350, safety", "nominal", f"{DICES:.3f}", f"{safety:.4f}"))
    return "\n\n".join(
        (
            "## Raters: Krippendorff's alpha (arXiv:2406.18403)",
            _markdown(("ratings", "level", "published", "replayed"), rows, right=2),
        )
    )


def _markdown(header: Sequence[str], rows: Iterable[Sequence[str]], *, right: int) -> str:
    """A table whose columns from `right` on are figures."""
    lines = [header, ["---:" if at >= right else "---" for at in range(len(header))], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _of(counts: str) -> str:
    return counts.replace(" ", "")


def _tail(reply: str) -> str:
    text = " ".join(reply.split()).replace("|", "\\|")
    return f"… {text[-110:]}" if len(text) > 110 else text or "(empty)"


def _three(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _four(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def _power(value: float) -> str:
    """The power of ten that the value does not exceed: the last digits of a sum differ by machine."""
    return next(f"1e{power}" for power in range(-15, 1) if value <= 10**power)
