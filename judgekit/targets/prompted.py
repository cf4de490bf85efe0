"""A prompt, or an agent's config-dir, and a model as target; its tools are answered by a script or by functions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from judgekit.errors import InputError, ModelError, did_you_mean
from judgekit.models.base import CallKey, Model, Reply, Request
from judgekit.models.faux import FauxModel
from judgekit.reading.text import read_text, shown
from judgekit.records import NO_FIELDS, AgentConfig, Case, Output, ToolCall, Usage, Variant
from judgekit.targets.base import failed
from judgekit.targets.tools import Functions, ScriptedTools

MAX_ITERATIONS = 10
"""Model calls of one turn, where the agent's own config says nothing."""


class PromptTarget:
    """Asks a model with the variant's prompt.

    The prompt is the name of a prompt in the config-dir's prompts.json (it then stands for the system prompt), or a
    file: a Jinja template that becomes the user message, or a plain text, which becomes the system prompt.
    """

    def __init__(
        self, variant: Variant, model: Model, params: Mapping[str, Any], *, functions: Functions = NO_FIELDS
    ) -> None:
        self.variant = variant
        self._model = model
        self._params = params
        self._functions = functions

    def asking(self, model: Model) -> PromptTarget:
        """The same target with another model behind it."""
        return PromptTarget(self.variant, model, self._params, functions=self._functions)

    @property
    def stateful(self) -> bool:
        """True if answers depend on the order of calls for a case."""
        return self._model.stateful

    @property
    def scripted(self) -> bool:
        """True if the case's own script answers."""
        return isinstance(self._model, FauxModel)

    @property
    def live(self) -> bool:
        """True if a language model answers."""
        return self._model.live

    @property
    def asks(self) -> dict[str, Any]:
        """The model that is asked, and the parameters that are requested of it."""
        return {"model": self._model.name, "params_requested": dict(self._params)}

    def collect(self, case: Case, trial: int) -> Output:
        """The model's final answer, with every tool call on the way; a failed call is an error of this case alone."""
        try:
            messages = opening(case, self.variant)
        except InputError as problem:
            return failed(case, self.variant.name, trial, problem, "target")
        return self._exchange(case, trial, messages).run()

    def first_request(self, case: Case, trial: int) -> Request:
        """The call that `collect` makes first.

        Raises:
            InputError: the prompt file is missing, or the template asks for something that the case lacks.
        """
        return self._exchange(case, trial, opening(case, self.variant)).request()

    def _exchange(self, case: Case, trial: int, messages: list[dict[str, Any]]) -> _Exchange:
        params = dict(self._params)
        if isinstance(params.get("seed"), int):
            params["seed"] += trial
        return _Exchange(self._model, case, self.variant.name, trial, params, messages, self.tools(case))

    def tools(self, case: Case) -> ScriptedTools:
        """What the model is offered in one exchange, and what its calls are answered."""
        return ScriptedTools.of(case, self._functions, limit_s=self.variant.timeout_s)


def opening(case: Case, variant: Variant) -> list[dict[str, Any]]:
    """The messages up to and including the first user message.

    Raises:
        InputError: the prompt file is missing, or the template asks for something that the case lacks.
    """
    agent = case.agent_config
    system, template = agent.system_prompt if agent else "", ""
    text = prompt_text(case, variant)
    if text is not None:
        if agent and _named(variant) in agent.prompts:
            system = text
        elif "{{" in text or "{%" in text:
            template = text
        else:
            system = f"{system}\n\n{text}".strip()
    if agent and agent.skills:
        system = f"{system.rstrip()}\n\n{_skills(agent)}"
    first = case.input if case.input or not case.turns else case.turns[0]
    user = _rendered(template, case, first, variant.folder / variant.prompt) if template else first
    messages = [{"role": "system", "content": system.strip()}] if system.strip() else []
    return [*messages, {"role": "user", "content": user}]


def prompt_text(case: Case, variant: Variant) -> str | None:
    """The variant's own prompt, of the agent's prompts.json or of a file; None where it has none.

    Raises:
        InputError: the prompt file is missing.
    """
    agent = case.agent_config
    if agent and _named(variant) in agent.prompts:
        return agent.prompts[_named(variant)]
    if not variant.prompt:
        return None
    path = variant.folder / variant.prompt
    if agent and agent.prompts and not path.is_file():
        known = list(agent.prompts)
        raise InputError(
            f'no prompt "{variant.prompt}": {shown(path)} is no file, and prompts.json of the agent has '
            f"{', '.join(known)}.{did_you_mean(variant.prompt, known)}"
        )
    return read_text(path, what="prompt file")


def _named(variant: Variant) -> str:
    return variant.prompt or variant.name


def _skills(agent: AgentConfig) -> str:
    parts = [f"## {skill.name}\n{skill.description}\n\n{skill.body}".strip() for skill in agent.skills]
    return "# Skills\n\n" + "\n\n".join(parts)


def _rendered(template: str, case: Case, first: str, path: Path) -> str:
    from judgekit.prompts import render_source

    known = {
        **case.vars,
        "input": first,
        "context": "\n\n".join(one.text for one in case.context or ()),
        "case_id": case.case_id,
    }
    return render_source(template, known, name=shown(path))


class _Exchange:
    """One conversation: the turns of a case, each with its loop of tool calls."""

    def __init__(
        self,
        model: Model,
        case: Case,
        variant: str,
        trial: int,
        params: Mapping[str, Any],
        messages: list[dict[str, Any]],
        tools: ScriptedTools,
    ) -> None:
        self._model = model
        self._case = case
        self._key = CallKey(case.case_id, "target", variant=variant, trial=trial)
        self._params = params
        self._messages = messages
        agent = case.agent_config
        self._tools = tools
        self._limit = agent.max_iterations if agent else MAX_ITERATIONS
        self._replies: list[Reply] = []
        self._calls: list[ToolCall] = []

    def run(self) -> Output:
        """The whole exchange as one Output."""
        turns = list(self._case.turns if self._case.input else self._case.turns[1:])
        try:
            final = self._turn()
            for text in turns:
                self._messages.append({"role": "user", "content": text})
                final = self._turn()
        except ModelError as problem:
            return self._output(None, None, cause=problem.cause, message=str(problem))
        return self._output(final.text or "", final.finish_reason)

    def request(self) -> Request:
        """The next call, with everything said so far."""
        return Request(self._key, tuple(self._messages), tools=self._tools.schemas, params=self._params)

    def _turn(self) -> Reply:
        for _ in range(self._limit):
            reply = self._model.complete(self.request())
            self._replies.append(reply)
            if reply.refusal:
                raise ModelError(f"the model refused: {reply.refusal}", "refusal")
            self._messages.append(_assistant(reply))
            if not reply.tool_calls:
                return reply
            self._answer_tools(reply)
            if self._is_final(reply):
                return reply
        raise ModelError(f"no final answer after {self._limit} model calls (loop.max_iterations)", "max_iterations")

    def _answer_tools(self, reply: Reply) -> None:
        for call in reply.tool_calls:
            result = self._tools.answer(call)
            self._calls.append(ToolCall(call.name, call.args, call.id, result))
            said = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, default=str)
            self._messages.append({"role": "tool", "tool_call_id": call.id, "name": call.name, "content": said})

    def _is_final(self, reply: Reply) -> bool:
        # Without tools to run, a scripted reply with tool calls is the answer itself, unless the script goes on.
        if self._tools.schemas or not isinstance(self._model, FauxModel):
            return False
        return not self._model.goes_on(self._key)

    def _flags(self) -> tuple[str, ...]:
        from_cache = bool(self._replies) and all(reply.cached for reply in self._replies)
        return tuple(dict.fromkeys([*self._tools.flags, *(["cached"] if from_cache else [])]))

    def _output(
        self, text: str | None, finish_reason: str | None, *, cause: str | None = None, message: str = ""
    ) -> Output:
        replies = self._replies
        return Output(
            text,
            case_id=self._case.case_id,
            variant=self._key.variant,
            trial=self._key.trial,
            tool_calls=tuple(self._calls),
            finish_reason=finish_reason,
            usage=_added([reply.usage for reply in replies]),
            cost_usd=_sum([reply.cost_usd for reply in replies]),
            latency_s=_sum([reply.latency_s for reply in replies]),
            model=replies[-1].model_returned or self._model.name if replies else self._model.name,
            cause=cause,
            message=message,
            flags=self._flags(),
            transcript=tuple(self._messages) if len(self._messages) > 2 or self._calls else (),
            params_applied=replies[-1].params_applied if replies and self._model.live else None,
            live=self._model.live,
        )


def _assistant(reply: Reply) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if reply.tool_calls:
        message["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(dict(call.args), ensure_ascii=False)},
            }
            for call in reply.tool_calls
        ]
    return message


def _added(usages: list[Usage]) -> Usage:
    names = ("input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens")
    return Usage(**{name: _sum([getattr(usage, name) for usage in usages]) for name in names})


def _sum(values: list[Any]) -> Any:
    """The sum, or None if there is nothing to add or any part is unknown."""
    return None if not values or any(value is None for value in values) else sum(values)
