"""Recorded judge replies in, the same replies out: `replay:PATH` judges again without a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from judgekit.errors import Complaint, InputError, ModelError, raise_complaints
from judgekit.models.base import Reply, Request
from judgekit.reading.forms import Form, Text, fill
from judgekit.reading.tables import parse_jsonl
from judgekit.reading.text import read_text, read_whole_lines, shown

_LEDGER = "verdicts.jsonl"

Key = tuple[str, str, str | None, int | None, int, str | None, str, str]
"""case_id, rubric, variant (None: any), trial (None: any), sample, against (None: any), order ("": not of a pair), item
("": all)."""


class RecordedForm(Form):
    """One line of a recording."""

    case_id: Text
    rubric: Text
    reply: Any
    variant: Text | None = None
    sample: int | None = Field(None, ge=0)
    against: Text | None = None
    order: Literal["first", "second"] | None = None
    item: Text | None = None

    @field_validator("reply")
    @classmethod
    def _is_reply(cls, reply: Any) -> Any:
        if not isinstance(reply, str | dict):
            raise ValueError("must be text or a chat message (an object)")
        return reply

    @model_validator(mode="after")
    def _has_its_order(self) -> RecordedForm:
        if self.against is not None and self.order is None:
            raise ValueError('has "against" and no "order": say first or second, where the variant was shown')
        return self


class RecordedModel:
    """A judge that gives the replies of a recording. Build it with `from_path`."""

    stateful = False
    live = False
    # A repair turn would ask for a reply that nobody recorded.
    repairs = False

    def __init__(self, name: str, replies: Mapping[Key, Mapping[str, Any]]) -> None:
        self.name = name
        self._replies = replies
        self._answers = {
            (case_id, rubric, sample): str(row["own_answer"])
            for (case_id, rubric, _, _, sample, *_), row in replies.items()
            if row.get("own_answer")
        }

    @classmethod
    def from_path(cls, path: Path | str) -> RecordedModel:
        """The model that replays a run folder (its verdicts.jsonl), or a JSONL file.

        Lines of a file hold `case_id, rubric, reply` and optionally `variant` (none: any variant) and `sample`
        (none: lines of the same case, rubric and variant count up from 0). `reply` is text or a chat message. One about
        a pair needs `order` (first or second: where the variant was shown) and may have `against` (none: the only
        opponent); one about a single item of a rubric names its `item`.

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

    @property
    def serves_any_opponent(self) -> bool:
        """Whether replies about pairs do not say whom the variant was compared with."""
        return any(order and against is None for *_, against, order, _ in self._replies)

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
        if key.step == "answer":
            # The verdict that was recorded was made beside it; where it was not written down nothing is lost.
            return Reply(self._answers.get((key.case_id, key.rubric, key.sample), ""), cost_usd=0.0)
        opponents = (key.against, None) if key.order else ("",)
        for variant, trial, against in product((key.variant, None), (key.trial, None), opponents):
            row = self._replies.get((key.case_id, key.rubric, variant, trial, key.sample, against, key.order, key.item))
            if row is not None:
                return _reply(row)
        item = f' (item "{key.item}")' if key.item else ""
        pair = f' against "{key.against}", shown {key.order}' if key.order else ""
        raise ModelError(
            f'{self.name} holds no reply for case "{key.case_id}", rubric "{key.rubric}"{item}, variant "{key.variant}"'
            f"{pair}, trial {key.trial}, sample {key.sample}.",
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
    counts: dict[tuple[str | None, ...], int] = {}
    for line, row in parse_jsonl(read_text(path, what="recording"), file=file):
        form, wrong = fill(RecordedForm, row, file=file, line=line)
        complaints += wrong
        if form is None:
            continue
        against, order = (form.against, form.order) if form.order else ("", "")
        group = (form.case_id, form.rubric, form.variant, against, order, form.item)
        sample = form.sample
        if sample is None:
            sample = counts.get(group, 0)
            counts[group] = sample + 1
        key: Key = (form.case_id, form.rubric, form.variant, None, sample, against, order, form.item or "")
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
    replies = dict(_answered(rows))
    judges = sorted({str(row["judge"]) for row in replies.values() if row.get("judge")})
    if len(judges) > 1:
        raise InputError(f"{file}: holds replies of several judges ({', '.join(judges)}); a replay needs one.")
    if not replies:
        raise InputError(f"{file}: holds no judge replies.")
    return replies


def _answered(rows: Iterable[dict[str, Any]]) -> Iterable[tuple[Key, dict[str, Any]]]:
    # Later lines win, as in a resumed run; a call that failed has no reply and never hides one that did not.
    for row in rows:
        if row.get("reply") is None:
            continue
        yield (
            (
                str(row.get("case_id", "")),
                str(row.get("rubric", "")),
                str(row.get("variant", "default")),
                int(row.get("trial") or 0),
                int(row.get("sample") or 0),
                str(row.get("against") or ""),
                str(row.get("order") or ""),
                str(row.get("item") or ""),
            ),
            row,
        )
