"""Recorded judge replies in, the same replies out: `replay:PATH` judges again without a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import Field, field_validator

from judgekit.errors import Complaint, InputError, ModelError, raise_complaints
from judgekit.models.base import Reply, Request
from judgekit.reading.forms import Form, Text, fill
from judgekit.reading.tables import parse_jsonl
from judgekit.reading.text import read_text, read_whole_lines, shown

_LEDGER = "verdicts.jsonl"

Key = tuple[str, str, str | None, int | None, int]
"""case_id, rubric, variant (None: any), trial (None: any), sample."""


class RecordedForm(Form):
    """One line of a recording."""

    case_id: Text
    rubric: Text
    reply: Any
    variant: Text | None = None
    sample: int | None = Field(None, ge=0)

    @field_validator("reply")
    @classmethod
    def _is_reply(cls, reply: Any) -> Any:
        if not isinstance(reply, str | dict):
            raise ValueError("must be text or a chat message (an object)")
        return reply


class RecordedModel:
    """A judge that gives the replies of a recording. Build it with `from_path`."""

    stateful = False
    live = False
    # A repair turn would ask for a reply that nobody recorded.
    repairs = False

    def __init__(self, name: str, replies: Mapping[Key, Mapping[str, Any]]) -> None:
        self.name = name
        self._replies = replies

    @classmethod
    def from_path(cls, path: Path | str) -> RecordedModel:
        """The model that replays a run folder (its verdicts.jsonl), or a JSONL file.

        Lines of a file hold `case_id, rubric, reply` and optionally `variant` (none: any variant) and `sample`
        (none: lines of the same case, rubric and variant count up from 0). `reply` is text or a chat message.

        Raises:
            InputError: no path, or no such file; unknown keys or two replies for one sample, with their lines.
        """
        if not str(path).strip():
            raise InputError("replay: names no recording: write replay:PATH, a run folder or a JSONL file.")
        source = Path(path)
        name = f"replay:{path}"
        if source.is_dir():
            if not (source / _LEDGER).is_file():
                said = f"has no {_LEDGER}: replay:PATH wants the folder of a judged run, or a JSONL file"
                raise InputError(f"{shown(source)}: the folder {said}.")
            return cls(name, _from_run(source / _LEDGER))
        return cls(name, _from_file(source))

    def __len__(self) -> int:
        return len(self._replies)

    def complete(self, request: Request) -> Reply:
        """The recorded reply of one case, rubric, variant and sample.

        Raises:
            ModelError: nothing was recorded (`not_recorded`).
        """
        key = request.key
        if key.role != "judge":
            raise ModelError("a recording holds judge replies; give recorded outputs with --outputs.", "not_recorded")
        for variant in (key.variant, None):
            for trial in (key.trial, None):
                row = self._replies.get((key.case_id, key.rubric, variant, trial, key.sample))
                if row is not None:
                    return _reply(row)
        raise ModelError(
            f'{self.name} holds no reply for case "{key.case_id}", rubric "{key.rubric}", variant "{key.variant}", '
            f"trial {key.trial}, sample {key.sample}.",
            "not_recorded",
        )


def _reply(row: Mapping[str, Any]) -> Reply:
    raw = row["reply"]
    message = raw if isinstance(raw, Mapping) else {"content": raw}
    content = message.get("content")
    # Tokens of the recorded call are not spent again and are unknown here; its cost is known: a replay pays nothing.
    return Reply(
        content if isinstance(content, str) else None,
        finish_reason=message.get("finish_reason"),
        refusal=message.get("refusal"),
        reasoning=message.get("reasoning_content"),
        cost_usd=0.0,
        model_returned=row.get("model_returned"),
        params_applied=row.get("params_applied"),
        raw=raw,
    )


def _from_file(path: Path) -> dict[Key, dict[str, Any]]:
    file = shown(path)
    complaints: list[Complaint] = []
    replies: dict[Key, dict[str, Any]] = {}
    lines: dict[Key, int] = {}
    counts: dict[tuple[str, str, str | None], int] = {}
    for line, row in parse_jsonl(read_text(path, what="recording"), file=file):
        form, wrong = fill(RecordedForm, row, file=file, line=line)
        complaints += wrong
        if form is None:
            continue
        group = (form.case_id, form.rubric, form.variant)
        sample = form.sample
        if sample is None:
            sample = counts.get(group, 0)
            counts[group] = sample + 1
        key: Key = (form.case_id, form.rubric, form.variant, None, sample)
        if key in replies:
            complaints.append(
                Complaint(
                    file,
                    line,
                    f'a second reply for case "{form.case_id}", rubric "{form.rubric}", sample {sample}; '
                    f"the first stands on line {lines[key]}.",
                )
            )
            continue
        replies[key], lines[key] = {"reply": form.reply}, line
    raise_complaints(complaints)
    if not replies:
        raise InputError(f"{file}: the recording is empty.")
    return replies


def _from_run(path: Path) -> dict[Key, dict[str, Any]]:
    file = shown(path)
    # A run that was killed may end in half a line, which never counted.
    rows = [row for _, row in parse_jsonl(read_whole_lines(path), file=file)]
    replies = dict(_pointwise(rows))
    judges = sorted({str(row["judge"]) for row in replies.values() if row.get("judge")})
    if len(judges) > 1:
        raise InputError(f"{file}: holds replies of several judges ({', '.join(judges)}); a replay needs one.")
    if not replies:
        raise InputError(f"{file}: holds no judge replies.")
    return replies


def _pointwise(rows: Iterable[dict[str, Any]]) -> Iterable[tuple[Key, dict[str, Any]]]:
    # Later lines win, as in a resumed run; a call that failed has no reply and never hides one that did not.
    for row in rows:
        if row.get("reply") is None or row.get("against"):
            continue
        yield (
            (
                str(row.get("case_id", "")),
                str(row.get("rubric", "")),
                str(row.get("variant", "default")),
                int(row.get("trial") or 0),
                int(row.get("sample") or 0),
            ),
            row,
        )
