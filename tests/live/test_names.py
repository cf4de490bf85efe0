"""Names and addresses that are none are found before anything is asked."""

from __future__ import annotations

from typing import Any

import pytest

from judgekit.errors import InputError


@pytest.mark.parametrize("name", ["", " ", "openai/", "replay:"])
@pytest.mark.parametrize("role", ["judge", "model"])
def test_name_that_is_none_is_refused(project: Any, role: str, name: str) -> None:
    project.numbered(1)

    with pytest.raises(InputError, match="names no model"):
        project.score(**{role: name})


@pytest.mark.parametrize("address", ["", "127.0.0.1:8080/v1", "http://", "ftp://there/v1"])
def test_address_that_is_none_is_refused(project: Any, address: str) -> None:
    # An unset variable of the shell must not send the key, and the prompts, to the provider instead.
    project.numbered(1)

    with pytest.raises(InputError, match="api_base must be an address"):
        project.score(judge="openai/own", api_base=address)


def test_unknown_model_ends_the_run_with_its_name(project: Any) -> None:
    project.numbered(2)

    run = project.score(judge="gpt4o")

    assert run.decision.exit_code == 3
    assert "gpt4o: the model cannot be asked" in run.decision.reasons[-1]
    assert project.stub.n_calls == 0
