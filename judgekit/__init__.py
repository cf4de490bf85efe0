"""judgekit: repeatable scenarios for LLM agents; deterministic checks first, a judge second, honest numbers.

Importing this reads no file and imports neither litellm nor pandas: every name below is fetched on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from judgekit.api import compare, load_run, score
    from judgekit.checks.run import run_check
    from judgekit.errors import InputError, JudgekitError, ModelError, RunError, TargetError
    from judgekit.frame.compare import Comparison
    from judgekit.judges.reply import read_reply
    from judgekit.pipeline.release import agent_score, release_gate_check
    from judgekit.pipeline.result import Run
    from judgekit.records import Case, CheckResult, Context, Decision, Output, Scale, ToolCall, Usage, Verdict

_HOMES = {
    "Case": "judgekit.records",
    "CheckResult": "judgekit.records",
    "Comparison": "judgekit.frame.compare",
    "Context": "judgekit.records",
    "Decision": "judgekit.records",
    "InputError": "judgekit.errors",
    "JudgekitError": "judgekit.errors",
    "ModelError": "judgekit.errors",
    "Output": "judgekit.records",
    "Run": "judgekit.pipeline.result",
    "RunError": "judgekit.errors",
    "Scale": "judgekit.records",
    "TargetError": "judgekit.errors",
    "ToolCall": "judgekit.records",
    "Usage": "judgekit.records",
    "Verdict": "judgekit.records",
    "agent_score": "judgekit.pipeline.release",
    "compare": "judgekit.api",
    "load_run": "judgekit.api",
    "read_reply": "judgekit.judges.reply",
    "release_gate_check": "judgekit.pipeline.release",
    "run_check": "judgekit.checks.run",
    "score": "judgekit.api",
}

__all__ = [
    "Case",
    "CheckResult",
    "Comparison",
    "Context",
    "Decision",
    "InputError",
    "JudgekitError",
    "ModelError",
    "Output",
    "Run",
    "RunError",
    "Scale",
    "TargetError",
    "ToolCall",
    "Usage",
    "Verdict",
    "agent_score",
    "compare",
    "load_run",
    "read_reply",
    "release_gate_check",
    "run_check",
    "score",
]


def __getattr__(name: str) -> Any:
    import importlib

    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    if name in ("stats", "telemetry"):
        return importlib.import_module(f"judgekit.{name}")
    raise AttributeError(f"module 'judgekit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
