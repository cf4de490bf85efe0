"""Replies of a recording, given again to the call they belong to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import pytest

from judgekit.errors import InputError, ModelError
from judgekit.models.base import CallKey, Reply, Request
from judgekit.models.recorded import RecordedModel
from judgekit.records import Usage


def recording(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "replies.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def row(reply: Any = "4", **more: Any) -> dict[str, Any]:
    return {"case_id": "a", "rubric": "tone", "reply": reply} | more


def ask(model: RecordedModel, variant: str = "default", trial: int = 0, sample: int = 0) -> Reply:
    return model.complete(Request(CallKey("a", "judge", "tone", variant, trial, sample), ()))


def test_reply_without_a_variant_fits_any(tmp_path: Path) -> None:
    model = RecordedModel.from_path(recording(tmp_path, row("4")))
    assert (ask(model, "v1").text, ask(model, "v2", trial=3).text) == ("4", "4")


def test_reply_of_the_variant_wins(tmp_path: Path) -> None:
    model = RecordedModel.from_path(recording(tmp_path, row("4"), row("5", variant="v2")))
    assert (ask(model, "v1").text, ask(model, "v2").text) == ("4", "5")


def test_lines_without_a_sample_count_up(tmp_path: Path) -> None:
    model = RecordedModel.from_path(recording(tmp_path, row("1"), row("2"), row("3", variant="v2"), row("4")))
    assert [ask(model, sample=sample).text for sample in range(3)] == ["1", "2", "4"]


def ask_pair(model: RecordedModel, order: Literal["first", "second"], against: str = "v1") -> Reply:
    key = CallKey("a", "judge", "tone", "v2", against=against, order=order)
    return model.complete(Request(key, ()))


def test_reply_about_a_pair_belongs_to_its_order(tmp_path: Path) -> None:
    model = RecordedModel.from_path(recording(tmp_path, row("A", order="first"), row("B", order="second")))
    assert (ask_pair(model, "first").text, ask_pair(model, "second").text) == ("A", "B")


def test_reply_about_one_output_answers_no_pair_and_the_other_way_round(tmp_path: Path) -> None:
    pointwise, pairwise = recording(tmp_path, row("4")), tmp_path / "pairs.jsonl"
    pairwise.write_text(json.dumps(row("A", order="first")), encoding="utf-8")
    with pytest.raises(ModelError, match='variant "v2" against "v1", shown first'):
        ask_pair(RecordedModel.from_path(pointwise), "first")
    with pytest.raises(ModelError, match="holds no reply"):
        ask(RecordedModel.from_path(pairwise), "v2")


def test_reply_about_another_opponent_is_not_taken(tmp_path: Path) -> None:
    model = RecordedModel.from_path(recording(tmp_path, row("A", order="first", against="v3")))
    with pytest.raises(ModelError, match="holds no reply"):
        ask_pair(model, "first")


def test_chat_message_is_given_with_its_fields(tmp_path: Path) -> None:
    message = {"content": '{"score":', "finish_reason": "length"}
    reply = ask(RecordedModel.from_path(recording(tmp_path, row(message))))
    assert (reply.text, reply.finish_reason, reply.raw) == ('{"score":', "length", message)


def test_replay_costs_nothing_and_knows_no_tokens(tmp_path: Path) -> None:
    reply = ask(RecordedModel.from_path(recording(tmp_path, row())))
    assert (reply.cost_usd, reply.usage) == (0.0, Usage())


@pytest.mark.parametrize("sample", [1, 7])
def test_missing_recording_is_an_error_of_its_own(tmp_path: Path, sample: int) -> None:
    with pytest.raises(ModelError, match=f'case "a", rubric "tone", .* sample {sample}') as caught:
        ask(RecordedModel.from_path(recording(tmp_path, row())), sample=sample)
    assert caught.value.cause == "not_recorded"


def test_recording_cannot_stand_in_for_a_target(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="--outputs"):
        RecordedModel.from_path(recording(tmp_path, row())).complete(Request(CallKey("a", "target"), ()))


def test_name_is_the_one_the_user_gave(tmp_path: Path) -> None:
    path = recording(tmp_path, row())
    assert RecordedModel.from_path(path).name == f"replay:{path}"


def test_every_mistake_of_a_recording_is_named_with_its_line(tmp_path: Path) -> None:
    path = recording(
        tmp_path,
        row(sample=0),
        row(sample=0),
        row(judge="x"),
        row(4),
        {"case_id": "a", "reply": "4"},
        row(sample=-1),
        row(against="v1"),
    )
    with pytest.raises(InputError) as caught:
        RecordedModel.from_path(path)
    said = [line.partition("replies.jsonl:")[2] for line in str(caught.value).split("\n")]
    assert said == [
        '2: a second reply for case "a", rubric "tone", sample 0; the first stands on line 1.',
        '3: unknown key "judge". Known keys: against, case_id, item, order, reply, rubric, sample, variant.',
        '4: "reply" must be text or a chat message (an object).',
        '5: "rubric" is missing.',
        '6: "sample" should be greater than or equal to 0.',
        '7: has "against" and no "order": say first or second, where the variant was shown.',
    ]


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_empty_recording_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="the recording is empty"):
        RecordedModel.from_path(path)


def test_missing_recording_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.jsonl: no such recording"):
        RecordedModel.from_path(tmp_path / "nowhere.jsonl")


def ledger(folder: Path, *rows: dict[str, Any], rest: str = "") -> Path:
    lines = "".join(json.dumps(one) + "\n" for one in rows)
    (folder / "verdicts.jsonl").write_text(lines + rest, encoding="utf-8")
    return folder


def verdict_row(reply: Any, **more: Any) -> dict[str, Any]:
    return row(reply, variant="v1", trial=0, sample=0, judge="gpt-4o") | more


def test_run_folder_is_replayed_by_variant_trial_and_sample(tmp_path: Path) -> None:
    model = RecordedModel.from_path(ledger(tmp_path, verdict_row("4"), verdict_row("5", trial=1)))
    assert (ask(model, "v1").text, ask(model, "v1", trial=1).text) == ("4", "5")


def test_failed_call_of_a_run_never_hides_its_reply(tmp_path: Path) -> None:
    model = RecordedModel.from_path(ledger(tmp_path, verdict_row("4"), verdict_row(None)))
    assert ask(model, "v1").text == "4"


def test_half_written_last_line_of_a_killed_run_is_left_out(tmp_path: Path) -> None:
    model = RecordedModel.from_path(ledger(tmp_path, verdict_row("4"), rest='{"case_id": "a", "rub'))
    assert ask(model, "v1").text == "4"


def test_run_of_several_judges_cannot_be_replayed_as_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"several judges \(gpt-4o, mini\)"):
        RecordedModel.from_path(ledger(tmp_path, verdict_row("4"), verdict_row("5", judge="mini", sample=1)))


def test_a_recording_needs_a_path() -> None:
    with pytest.raises(InputError, match="replay: names no recording: write replay:PATH"):
        RecordedModel.from_path("")


def test_a_folder_without_verdicts_is_no_recording(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no verdicts\.jsonl: replay:PATH wants the folder of a judged run"):
        RecordedModel.from_path(tmp_path)
