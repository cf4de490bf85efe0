"""Run data in, the JSON document out that the HTML page reads; the page knows nothing else of a run.

The document, version 2:

    version     2
    kind        "run"; the page also shows an "index" of runs (judgekit.reports.index) and "texts" that a page had no
                room for (judgekit.reports.html)
    title       text
    run         {run_id, started_at, finished_at, command, versions, seed, partial}
    passed      {VARIANT: [cases that passed, cases that could]}
    against     {SUITE: reference variant}
    note        what to know of an uncalibrated judge; may be empty
    summary     decision, counts, by_variant, estimates, comparisons, cost, tokens, judge_calls, warnings, gated, alone,
                since, baseline, panels, weighted, economy, canaries: as in summary.json; what is not there is left out
    agents      [{agent, rubric, score, threshold, passed, n_golden, n_negative, n_violations, n_scored}] of a
                release gate
    history     [{time, run_id, revision, agent, rubric, score, threshold, passed}], oldest first
    judges      as in manifest.json
    trust       [{metric, judge, judge_identity, rubric, level, sentence, figures, run_id?}], one for each judged
                metric and judge, `run_id` where people have labelled; corrected rates stand in the estimates
    said        {since, baseline, alone, trials, judges: [text]}: what else the summary says, a sentence each; `alone`
                of a single variant with few cases, `judges` of panels, weighting and planted outputs
    metrics     {NAME: {kind, required, scale_min, scale_max, and as in manifest.json question?, definition?,
                threshold?, anchors?, labels?, checklist?, criteria?}}
    labels      ratings of people that were given along, rows of the label format
    omitted     true if inputs, outputs, prompts and replies are left out
    side        name of the file beside the page that holds the texts in `cut` whole; empty if there is none
    texts       every text of the tables, once each, perhaps cut
    first       how many of them the page needs before it shows anything
    cut         {position in `texts`: characters of the whole text}, for those that are cut
    tables      entries   one row per case × variant
                outputs   one per case × variant × trial; `entry` is a row of entries
                results   one per metric (and judge) of an output; `output` is a row of outputs
                verdicts  one per sample of a judge; `output` likewise

A table is {rows: N, columns: {NAME: {kind, cells: [N cells]}}}, or {kind, all: CELL} where all cells are the same.
By `kind` a cell is a `value` (number, boolean, null, or a list of numbers), a `text` (position in `texts`, or null) or
a `list` (of positions in `texts`, or null). Offsets in `spans` count Unicode characters: start, end, start, end, …
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from judgekit.frame import RunData
from judgekit.frame.alone import FEW
from judgekit.frame.canaries import canary_line, is_canary
from judgekit.frame.panels import panel_lines
from judgekit.frame.weighting import weighting_lines
from judgekit.reports.agents import agents_of, history_of
from judgekit.reports.changes import baseline_texts, since_texts, trial_texts
from judgekit.reports.columns import Texts
from judgekit.reports.embedded import shortened
from judgekit.reports.fold import entries, passed_of
from judgekit.reports.run_tables import tables
from judgekit.reports.wording import calibration_note, other_warnings
from judgekit.writing import clean

VERSION = 2
TEXT_BYTES = 24_000_000
"""All texts of a page together before they are compressed: even if nothing can be, a page stays below 40 MB."""
TEXT_CHARACTERS = 100_000
"""One text; browsers slow down on longer ones."""

_SUMMARY = (
    "decision",
    "counts",
    "by_variant",
    "estimates",
    "comparisons",
    "cost",
    "tokens",
    "judge_calls",
    "gated",
)
_SUMMARY_WHERE_THERE = ("alone", "since", "baseline", "panels", "weighted", "economy", "canaries")
_ABOUT_METRIC = ("question", "definition", "threshold", "anchors", "labels", "checklist", "criteria")


@dataclass(frozen=True, slots=True)
class Shown:
    """How a report is made; the defaults are those of a run folder."""

    title: str = ""
    """Empty: the run's own."""
    outputs: bool = True
    """False: the texts of inputs, outputs, prompts and replies are left out."""
    labels: Sequence[Mapping[str, str]] = ()
    """Ratings of people, rows of the label format."""
    side: str = ""
    """Name of the file that will hold whole what the page has to cut; empty: there will be none."""
    text_bytes: int = TEXT_BYTES
    """Room for all texts together; where they are more, the longest are cut to one common length."""
    text_characters: int = TEXT_CHARACTERS
    """The most of one text."""


AS_IN_A_RUN_FOLDER = Shown()


def document(run: RunData, shown: Shown = AS_IN_A_RUN_FOLDER) -> dict[str, Any]:
    """The document of a run, JSON-ready, as the docstring of this module lays it out."""
    return document_and_rest(run, shown)[0]


def document_and_rest(run: RunData, shown: Shown = AS_IN_A_RUN_FOLDER) -> tuple[dict[str, Any], dict[int, str]]:
    """The document of a run, and by position the whole texts that it had to cut."""
    # What judges said of planted outputs belongs to no case of the run.
    run = replace(run, verdicts=[row for row in run.verdicts if not is_canary(row)])
    texts = Texts()
    found = entries(run)
    made, first = tables(run, found, texts, outputs=shown.outputs)
    whole = list(texts.position)
    kept, cut = shortened(whole, shown.text_bytes, shown.text_characters)
    manifest = run.manifest
    summary = {key: run.summary[key] for key in _SUMMARY} | {"warnings": other_warnings(run)}
    summary |= {key: run.summary[key] for key in _SUMMARY_WHERE_THERE if run.summary.get(key)}
    doc = {
        "version": VERSION,
        "kind": "run",
        "title": shown.title or manifest.get("title") or f"judgekit run {run.summary['run_id']}",
        "run": clean(
            {
                "run_id": run.summary["run_id"],
                "partial": bool(run.summary.get("partial")),
                **{key: manifest.get(key) for key in ("started_at", "finished_at", "command", "versions", "seed")},
            }
        ),
        "note": calibration_note(run),
        "passed": passed_of(found),
        "against": {one["name"]: one["against"] for one in manifest.get("suites") or () if one.get("against")},
        "summary": clean(summary),
        "agents": clean(agents_of(run)),
        "history": clean(history_of(run)),
        "judges": clean(manifest.get("judges") or []),
        "trust": clean(list((run.summary.get("trust") or {}).values())),
        "said": clean(_said(run.summary)),
        "metrics": clean(_metrics(run)),
        "labels": [dict(row) for row in shown.labels],
        "omitted": not shown.outputs,
        "side": shown.side if cut else "",
        "texts": kept,
        "first": first,
        "cut": cut,
        "tables": made,
    }
    return doc, {int(position): whole[int(position)] for position in cut}


def _said(summary: Mapping[str, Any]) -> dict[str, list[str]]:
    judges = [*_panels(summary), *weighting_lines(summary.get("weighted") or ())]
    canaries = summary.get("canaries")
    alone = summary.get("alone")
    return {
        "since": since_texts(summary),
        "baseline": baseline_texts(summary),
        # From so many cases on the sentence says nothing that the table of variants does not.
        "alone": [alone["sentence"]] if alone and alone["n"] < FEW else [],
        "trials": trial_texts(summary),
        "judges": [*judges, canary_line(canaries)] if canaries else judges,
    }


def _panels(summary: Mapping[str, Any]) -> list[str]:
    """A text for each panel, what it would be without a judge included."""
    texts: list[str] = []
    for line in panel_lines(summary.get("panels") or ()):
        if line.startswith(" "):
            texts[-1] += f"; {line.strip()}"
        else:
            texts.append(line)
    return texts


def _metrics(run: RunData) -> dict[str, dict[str, Any]]:
    known: Mapping[str, Mapping[str, Any]] = run.manifest.get("metrics") or {}
    metrics: dict[str, dict[str, Any]] = {}
    for row in run.results:
        if row.metric not in metrics:
            about = known.get(row.metric) or {}
            metrics[row.metric] = {
                "kind": row.kind,
                "required": row.required,
                **{key: about[key] for key in _ABOUT_METRIC if about.get(key)},
                "scale_min": row.scale_min,
                "scale_max": row.scale_max,
            }
    return metrics
