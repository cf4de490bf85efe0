"""Parameters that a model refuses, and judges that are not what they were."""

from __future__ import annotations

import json
from typing import Any

import pytest
from stub_server import Asked, refuses, reply

from judgekit.errors import InputError

HINT = "--judge-samples 3"


def manifest(run: Any) -> Any:
    return json.loads((run.path / "manifest.json").read_text(encoding="utf-8"))


def test_refused_temperature_is_left_out_recorded_and_shown(project: Any) -> None:
    project.numbered(3)
    project.stub.rule = refuses("temperature")

    run = project.score(judge="gpt-4o")

    judged = project.rows(run, kind="judge")
    assert [(row["status"], row["temperature"]) for row in judged] == [("pass", "")] * 3
    # Remembered: only the first call was made twice.
    assert ["temperature" in asked.body for asked in project.stub.asked] == [True, False, False, False]
    (said,) = [warning for warning in run.summary["warnings"] if "temperature" in warning]
    assert said.startswith("gpt-4o does not take temperature")
    assert HINT in said
    (judge,) = manifest(run)["judges"]
    assert judge["params_requested"] == {"temperature": 0, "seed": 0}
    assert judge["params_applied"].keys() >= {"seed"}
    assert "temperature" not in judge["params_applied"]
    assert said in (run.path / "report.html").read_text(encoding="utf-8")


def test_no_hint_where_samples_are_asked_for(project: Any) -> None:
    project.numbered(1)
    project.stub.rule = refuses("temperature")

    run = project.score(judge="gpt-4o", judge_samples=3, concurrency=1)

    assert [asked.body["seed"] for asked in project.stub.asked[1:]] == [0, 1, 2]
    assert not any(HINT in warning for warning in run.summary["warnings"])


def test_applied_temperature_is_recorded_without_a_warning(project: Any) -> None:
    project.numbered(1)

    run = project.score(judge="gpt-4o")

    assert project.rows(run, kind="judge")[0]["temperature"] == "0.0"
    assert not any("temperature" in warning for warning in run.summary["warnings"])


def test_strict_params_end_the_run_instead(project: Any) -> None:
    project.numbered(3)
    project.stub.rule = refuses("temperature")

    run = project.score(judge="gpt-4o", strict_params=True)

    assert run.decision.exit_code == 3
    assert "temperature" in run.decision.reasons[-1]
    assert project.stub.n_calls == 1
    assert {row["cause"] for row in project.rows(run, kind="judge")} == {"interrupted"}


def test_parameter_that_only_some_calls_took_is_told_with_its_share(project: Any) -> None:
    # Two models of one name behind a balancer: the second one takes no temperature.
    project.numbered(4)
    refusing = refuses("temperature")
    project.stub.rule = lambda asked: refusing(asked) if asked.number >= 2 else reply()

    run = project.score(judge="gpt-4o", concurrency=1)

    (said,) = [warning for warning in run.summary["warnings"] if "temperature" in warning]
    assert "2 of its 4 verdicts" in said
    assert "temperature" not in manifest(run)["judges"][0]["params_applied"]


def test_a_judge_whose_first_call_failed_is_recorded_with_what_the_others_were_asked(project: Any) -> None:
    project.numbered(3)
    project.score(judge="gpt-4o", no_cache=True)
    answered = project.stub.n_calls
    project.stub.rule = lambda asked: (
        reply(None, finish_reason="content_filter") if asked.number == answered else reply()
    )

    run = project.score(judge="gpt-4o", no_cache=True, concurrency=1)

    assert manifest(run)["judges"][0]["params_applied"]["temperature"] == 0
    assert not any("other parameters" in warning for warning in run.summary["warnings"])


def test_target_parameters_are_recorded_and_their_loss_is_told(project: Any) -> None:
    project.write(
        "scenarios/a.yaml",
        "suite: s\nmodel: gpt-4o\nparams: {top_p: 0.5, max_tokens: 9}\n"
        "defaults: {expect: {min_length: 1}}\ncases: [{id: a, input: Q?}]\n",
    )

    def rule(asked: Asked) -> Any:
        if "max_tokens" in asked.body:
            return refuses("max_tokens", "Use 'max_completion_tokens' instead.")(asked)
        return refuses("top_p")(asked)

    project.stub.rule = rule

    run = project.score()

    (prompt,) = manifest(run)["prompts"]
    assert prompt["params_requested"] == {"temperature": 0, "seed": 0, "top_p": 0.5, "max_tokens": 9}
    assert prompt["params_applied"] == {"temperature": 0, "seed": 0, "max_completion_tokens": 9}
    told = [warning for warning in run.summary["warnings"] if "does not take" in warning]
    # The bound was kept under its other name: nothing to tell.
    assert told == ["gpt-4o does not take top_p: the outputs of default were made without it."]


def refuses_all(*names: str) -> Any:
    """A rule: a model that takes none of these, and says so of one at a time."""
    return lambda asked: next((refuses(name)(asked) for name in names if name in asked.body), reply("Fine."))


def test_a_target_that_takes_none_of_the_parameters_is_told(project: Any) -> None:
    project.write(
        "scenarios/a.yaml",
        "suite: s\nmodel: gpt-4o\ndefaults: {expect: {min_length: 1}}\ncases: [{id: a, input: Q?}]\n",
    )
    project.stub.rule = refuses_all("temperature", "seed")

    run = project.score()

    assert [warning for warning in run.summary["warnings"] if "does not take" in warning] == [
        "gpt-4o does not take temperature: the outputs of default were made without it.",
        "gpt-4o does not take seed: the outputs of default were made without it.",
    ]
    # {}: nothing was applied; a missing key would mean that it is not known.
    assert manifest(run)["prompts"][0]["params_applied"] == {}
    assert [one["params_applied"] for one in project.records(run, "outputs")] == [{}]


def test_a_target_is_named_as_it_was_asked_for_and_not_as_it_answered(project: Any) -> None:
    project.write(
        "scenarios/a.yaml",
        "suite: s\nmodel: openai/picky\ndefaults: {expect: {min_length: 1}}\ncases: [{id: a, input: Q?}]\n",
    )
    project.stub.rule = refuses("seed")

    run = project.score(api_base=project.stub.url)

    assert "openai/picky does not take seed: the outputs of default were made without it." in run.summary["warnings"]


def test_a_judge_that_takes_none_of_the_parameters_is_told(project: Any) -> None:
    project.numbered(1)
    rule = refuses_all("temperature", "seed", "response_format")
    project.stub.rule = lambda asked: answer if (answer := rule(asked)).status != 200 else reply()

    run = project.score(judge="gpt-4o")

    assert [warning for warning in run.summary["warnings"] if "does not take" in warning] == [
        f"gpt-4o does not take temperature: its verdicts are not at temperature 0. {HINT} shows how much its verdicts "
        "vary.",
        "gpt-4o does not take seed: its verdicts are not at seed 0.",
    ]
    assert manifest(run)["judges"][0]["params_applied"] == {}
    assert [one["params_applied"] for one in project.records(run, "verdicts")] == [{}]


def test_what_a_replayed_judge_was_asked_with_stays_known_or_unknown(project: Any) -> None:
    project.numbered(1)
    rule = refuses_all("temperature", "seed", "response_format")
    project.stub.rule = lambda asked: answer if (answer := rule(asked)).status != 200 else reply()
    first = project.score(judge="gpt-4o")
    project.write(
        "replies.jsonl",
        '{"case_id": "case-0", "rubric": "helpfulness", "reply": "{\\"reason\\": \\"r\\", \\"score\\": 4}"}\n',
    )

    replayed = project.score(judge=f"replay:{first.path}")
    without = project.score(judge="replay:replies.jsonl")

    assert manifest(replayed)["judges"][0]["params_applied"] == {}
    assert manifest(without)["judges"][0]["params_applied"] is None
    assert not any("does not take" in warning for warning in without.summary["warnings"])


def test_parameter_that_is_not_the_models_is_a_mistake_of_the_file(project: Any) -> None:
    project.write(
        "scenarios/a.yaml",
        "suite: s\nmodel: gpt-4o\nparams: {stream: true}\n"
        "defaults: {expect: {min_length: 1}}\ncases: [{id: a, input: Q?}]\n",
    )

    with pytest.raises(InputError, match='"stream" is not a parameter of a model'):
        project.score()

    assert project.stub.n_calls == 0
    assert project.runs == []


def test_two_model_ids_within_a_run_are_told(project: Any) -> None:
    project.numbered(2)
    project.stub.answers(reply(model="gpt-4o-2024-08-06"), reply(model="gpt-4o-2024-11-20"))

    run = project.score(judge="gpt-4o", concurrency=1)

    assert "gpt-4o answered as gpt-4o-2024-08-06 and as gpt-4o-2024-11-20 within this run." in run.summary["warnings"]


def test_another_model_id_than_in_an_earlier_run_is_told(project: Any) -> None:
    project.numbered(1)
    project.stub.rule = lambda asked: reply(model="gpt-4o-2024-08-06")
    before = project.score(judge="gpt-4o", no_cache=True)
    # A run with another judge in between tells nothing of this one.
    project.score(judge="gpt-4o-mini", no_cache=True)
    project.stub.rule = lambda asked: reply(model="gpt-4o-2024-11-20")

    run = project.score(judge="gpt-4o", no_cache=True)

    (said,) = [warning for warning in run.summary["warnings"] if "answered as" in warning]
    assert said == (
        f"gpt-4o answered as gpt-4o-2024-08-06 in run {before.path.name} and as gpt-4o-2024-11-20 now: "
        "scores may have moved."
    )


def test_other_parameters_than_in_an_earlier_run_are_told(project: Any) -> None:
    project.numbered(1)
    before = project.score(judge="gpt-4o", no_cache=True)
    project.stub.rule = refuses("seed")

    run = project.score(judge="gpt-4o", no_cache=True)

    assert (
        f"gpt-4o was asked with other parameters in run {before.path.name} than now: seed." in run.summary["warnings"]
    )
