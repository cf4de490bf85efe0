"""The frozen nouns that the rooms hand to each other; nothing here does work."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, Protocol

from judgekit.errors import InputError

Status = Literal["pass", "fail", "scored", "unscored", "error", "skipped"]

UNSCORED_CAUSES = frozenset(
    (
        "parse",
        "truncated",
        "refusal",
        "empty",
        "missing_field",
        "out_of_range",
        "not_a_number",
        "unknown_label",
        "ambiguous",
        "inconsistent",
    )
)
"""Why a judge that answered gave no usable verdict."""

NO_FIELDS: Mapping[str, Any] = {}


# ---------------------------------------------------------------------------------------------------- what is tested


@dataclass(frozen=True, slots=True)
class Context:
    """One piece of supplied or retrieved evidence."""

    text: str
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where files named by a check are found, and whether code may run; validators get it as `info.context`."""

    folder: Path = Path()
    root: Path = Path()
    allow_code: bool = False


@dataclass(frozen=True, slots=True)
class CheckUse:
    """One check of a case, validated and compiled."""

    metric: str
    """Name in the results: the YAML name, with `#2` and so on where a case uses one check repeatedly."""
    check: Check
    negated: bool = False
    """`not_NAME`: passes only if none of the listed items is met."""
    required: bool = True
    line: int | None = None


@dataclass(frozen=True, slots=True)
class RubricUse:
    """One rubric as a case, suite, setting or flag asks for it."""

    name: str
    """Registered name, or path of a rubric file."""
    pass_at: Fraction | None = None
    """Overrides the rubric's own threshold; exact, as written."""
    required: bool | None = None
    """None: by kind (deterministic with a threshold yes, judged no)."""
    options: Mapping[str, Any] = field(default_factory=lambda: NO_FIELDS)
    """What a deterministic rubric takes, such as `sections`."""
    file: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A JSON endpoint, as the user wrote it."""

    url: str
    """Template of the address."""
    output: str
    """JSONPath of the output in the answer."""
    context: str | None = None
    """JSONPath of what the target retrieved."""
    tool_calls: str | None = None
    """JSONPath of its tool calls."""
    usage: str | None = None
    """JSONPath of its tokens."""
    method: str = "POST"
    headers: Mapping[str, str] = field(default_factory=lambda: NO_FIELDS, repr=False)
    """Templates by name; nothing ever shows them, for they may hold a key."""
    body: Any = None
    """Template of the JSON, or JSON whose texts are templates; None: nothing is sent."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One named configuration of a target."""

    name: str
    prompt: str = ""
    """Prompt file, or the name of a prompt in the config-dir's prompts.json."""
    model: str | None = None
    """None: as the suite, the settings or the flag say."""
    params: Mapping[str, Any] = field(default_factory=lambda: NO_FIELDS)
    command: tuple[str, ...] = ()
    function: str = ""
    http: Endpoint | None = None
    timeout_s: float = 60
    folder: Path = Path()
    """Where its files are looked up."""
    file: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill of an agent, from `skills/<name>/SKILL.md`."""

    name: str
    description: str
    body: str


@dataclass(frozen=True, slots=True)
class AgentConfig:
    """What a config-dir holds."""

    folder: Path
    system_prompt: str
    hash: str
    """Hash over every file that was read."""
    card: Mapping[str, Any] = field(default_factory=lambda: NO_FIELDS)
    prompts: Mapping[str, str] = field(default_factory=lambda: NO_FIELDS)
    """Variant name -> prompt text."""
    tools: Mapping[str, Any] = field(default_factory=lambda: NO_FIELDS)
    """Tools of its tools.json: name -> `description` and `parameters`."""
    tools_allowed: tuple[str, ...] | None = None
    """None: no list given, every offered tool is allowed."""
    max_iterations: int = 10
    skills: tuple[Skill, ...] = ()


@dataclass(frozen=True, slots=True)
class Trials:
    """How often a case is repeated and how many repeats must pass."""

    n: int = 1
    require: int | None = None
    """Number of trials that must pass; None means all."""


@dataclass(frozen=True, slots=True)
class Case:
    """One input with its expectations: the unit that is scored."""

    case_id: str
    input: str = ""
    name: str = ""
    description: str = ""
    suite: str = ""
    """Name of the suite, or of the file that holds the case."""
    agent: str = ""
    tags: tuple[str, ...] = ()
    turns: tuple[Any, ...] = ()
    vars: Mapping[str, Any] = field(default_factory=lambda: NO_FIELDS)
    reference: str | None = None
    context: tuple[Context, ...] | None = None
    """None: not supplied; a target may still retrieve its own."""
    agent_config: AgentConfig | None = None
    """Contents of the case's config-dir."""
    checks: tuple[CheckUse, ...] = ()
    rubrics: tuple[RubricUse, ...] = ()
    output: str | None = None
    """Recorded output written into the scenario file."""
    faux_target: tuple[Any, ...] | None = None
    """Scripted steps of the faux target; None: the case has no script."""
    faux_judge: Mapping[str, tuple[Any, ...]] = field(default_factory=lambda: NO_FIELDS)
    """Scripted judge replies by rubric name."""
    tools: Mapping[str, Any] = field(default_factory=lambda: NO_FIELDS)
    trials: Trials | None = None
    """None: as the settings or the flag say."""
    should_pass: bool = True
    """False: a negative fixture, which must fail something required."""
    defect: str = ""
    no_expectation: bool = False
    """`expect: none`: the case is only to be read."""
    file: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Suite:
    """The cases of one scenario document with the settings that they share."""

    name: str
    cases: tuple[Case, ...]
    variants: tuple[Variant, ...] = ()
    model: str | None = None
    params: Mapping[str, Any] = field(default_factory=lambda: NO_FIELDS)
    outputs: Path | None = None
    judge: tuple[str, ...] = ()
    against: str | None = None
    file: str = ""
    lines: Mapping[str, int] = field(default_factory=lambda: NO_FIELDS)
    """Line of each suite key, for complaints found later."""


# ------------------------------------------------------------------------------------------------ what a target gave


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One tool call that a target made."""

    name: str
    args: Mapping[str, Any] = field(default_factory=lambda: NO_FIELDS)
    id: str = ""
    result: Any = None
    """What the tool answered, where known."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or more model calls; None is unknown, not zero."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None

    @property
    def total_tokens(self) -> int | None:
        """Input and output together; None unless both are known."""
        if self.input_tokens is None or self.output_tokens is None:
            return None
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class Output:
    """What a target returned for one case, variant and trial.

    Example:
        >>> Output("Revenue rose.").text
        'Revenue rose.'
    """

    text: str | None
    """None: the call failed, and `cause` says why."""
    case_id: str = ""
    variant: str = "default"
    trial: int = 0
    tool_calls: tuple[ToolCall, ...] | None = None
    """None: not known (a recording without that column); (): none made."""
    finish_reason: str | None = None
    usage: Usage = Usage()
    cost_usd: float | None = None
    latency_s: float | None = None
    model: str | None = None
    context: tuple[Context, ...] | None = None
    """Context that the target retrieved itself; it wins over the case's."""
    cause: str | None = None
    """Cause of the error, when `text` is None."""
    message: str = ""
    """The error in words."""
    flags: tuple[str, ...] = ()
    transcript: tuple[Mapping[str, Any], ...] = ()
    """Chat messages of the whole exchange, where there was one."""
    params_applied: Mapping[str, Any] | None = None
    """What the model was really asked with, where a live one was asked; None: not known, {}: with nothing."""
    live: bool = False
    """True if a model was paid for it: then it is synced to disk before it counts."""


# -------------------------------------------------------------------------------------------------- what was found


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Result of one check, or of one deterministic rubric, on one output."""

    status: Status
    score: Fraction | float | None
    """Share met, in [0, 1]; None where there is no result."""
    reason: str
    """What is missing and what was found instead: enough to mend the prompt without opening the output."""
    spans: tuple[tuple[int, int], ...] = ()
    """Places in the output that the result speaks of: start and end offsets in characters, end exclusive."""
    cause: str | None = None
    flags: tuple[str, ...] = ()
    detail: Mapping[str, Any] = field(default_factory=lambda: NO_FIELDS)
    """Further JSON-ready figures, such as `measured`, `diff`, `precision`."""


class Check(Protocol):
    """What the pipeline asks of a check; judgekit.checks.base.Check is the way to write one."""

    name: str

    def evaluate(self, output: Output, case: Case, *, negated: bool = False) -> CheckResult:
        """Result of this check on one output."""
        ...


@dataclass(frozen=True, slots=True)
class Scale:
    """A numeric scale with both ends inclusive.

    Raises:
        InputError: an end is no finite number, or `min` is not below `max`.

    Example:
        >>> Scale(1, 5).max
        5
    """

    min: float
    max: float
    anchors: Mapping[float, str] = field(default_factory=dict)
    """What single scores mean, for the judge and for people."""

    def __post_init__(self) -> None:
        for name, end in (("min", self.min), ("max", self.max)):
            try:
                finite = math.isfinite(end)
            except (TypeError, OverflowError):
                finite = False
            if not finite:
                raise InputError(f"Scale: {name} must be a finite number, not {end!r:.60}.")
        if self.min >= self.max:
            raise InputError(f"Scale: min ({self.min}) must be below max ({self.max}).")


@dataclass(frozen=True, slots=True)
class Rubric:
    """A judged rubric: a named standard that a model scores by."""

    name: str
    question: str
    scale: Scale | None = None
    """Numeric scale; None where labels, checklist or criteria are used."""
    labels: Mapping[str, float] = field(default_factory=lambda: NO_FIELDS)
    """Label -> score."""
    checklist: Mapping[str, str] = field(default_factory=lambda: NO_FIELDS)
    """Item name -> yes/no question; the score is the share of yes."""
    criteria: Mapping[str, Scale] = field(default_factory=lambda: NO_FIELDS)
    """Criterion -> scale; one verdict per criterion."""
    pairwise: tuple[str, ...] = ()
    """The judge's words for the output shown first, for the one shown second and, if it may say so, for a tie;
    empty: one output is judged at a time."""
    weighted: bool = False
    """Whether the score is weighted by the probabilities of the verdict's token."""
    calls: Literal["one", "each"] = "one"
    """Whether checklist items or criteria are asked in one call for all, or in one each."""
    answer_first: bool = False
    """Whether the judge solves the task before it sees the output."""
    panel: Literal["", "mean", "majority"] = ""
    """How several judges decide together; empty: labels and pairs by majority, scores by their mean."""
    pass_at: Fraction | None = None
    """Threshold on the score; None: the rubric only scores."""
    required: bool = False
    needs: tuple[str, ...] = ("input", "output")
    template: str = ""
    """Jinja source of the prompt."""
    template_name: str = ""
    file: str = ""

    @property
    def items(self) -> tuple[str, ...]:
        """Names of its checklist items or criteria; empty where it has one verdict."""
        return (*self.checklist, *self.criteria)

    @property
    def bounds(self) -> tuple[float, float]:
        """Lowest and highest score that this rubric can give as a whole."""
        if self.pairwise:
            return 0.0, 1.0
        if self.scale:
            return self.scale.min, self.scale.max
        if self.labels:
            return min(self.labels.values()), max(self.labels.values())
        if self.criteria:
            return min(one.min for one in self.criteria.values()), max(one.max for one in self.criteria.values())
        return 0.0, 1.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one judge reply says, or why it says nothing usable."""

    status: Status
    score: float | None = None
    label: str | None = None
    passed: bool | None = None
    cause: str | None = None
    flags: tuple[str, ...] = ()
    reason: str = ""
    items: Mapping[str, Verdict] = field(default_factory=lambda: NO_FIELDS)
    """Verdicts of checklist items or criteria by name."""
    weights: Mapping[str, float] = field(default_factory=lambda: NO_FIELDS)
    """Probability of each point of the scale, where the score is weighted by it."""
    missing_mass: float | None = None
    """Probability on no point of the scale; None: not weighted."""
    token: int | None = None
    """Number of the reply's token that was weighed."""


@dataclass(frozen=True, slots=True)
class Judgment:
    """One sample of one judge on one output: the verdict with everything it rests on."""

    case_id: str
    variant: str
    trial: int
    rubric: str
    judge: str
    """Requested model, as the user named it."""
    judge_identity: str
    sample: int
    verdict: Verdict
    against: str = ""
    order: str = ""
    """Pairwise only: `first` or `second`, the place at which the variant's output was shown."""
    item: str = ""
    """The one item that was asked for, where a rubric asks for each in a call of its own."""
    prompt: str = ""
    """The prompt as sent; empty where nothing was asked."""
    prompt_hash: str = ""
    reply: Any = None
    """The raw reply: text or a chat message; None where there was none."""
    model_returned: str | None = None
    params_requested: Mapping[str, Any] = field(default_factory=lambda: NO_FIELDS)
    params_applied: Mapping[str, Any] | None = None
    """None: not known; {}: the model took none."""
    cached: bool = False
    usage: Usage = Usage()
    cost_usd: float | None = None
    latency_s: float | None = None
    repaired: bool = False
    """True if the first reply was unreadable and a second was asked for."""
    n_calls: int = 0
    """How many replies were asked for: the verdict's, perhaps a repair and an own answer."""
    n_cached: int = 0
    """How many of them came from the cache; `cached` is true if all did."""
    own_answer: str = ""
    """The judge's own answer to the task, where the rubric asks for one first."""
    live: bool = False


# ---------------------------------------------------------------------------------------------------- what is decided


@dataclass(frozen=True, slots=True)
class Rule:
    """One gate rule: `name` of `metric` must be `op` `threshold`."""

    name: str
    """pass_rate, case_pass_rate, pass_hat_K, mean, corrected_pass_rate, kill_rate, max_errors, or every_case."""
    op: str = ">="
    threshold: Fraction = Fraction(1)
    metric: str = ""
    on: Literal["point", "lower"] = "point"
    text: str = ""
    """The rule as written, for reasons and reports."""


@dataclass(frozen=True, slots=True)
class AgentResult:
    """How one agent stands on one rubric in the release gate."""

    agent: str
    rubric: str
    """Registered name of the rubric."""
    threshold: Fraction
    score: Fraction | None
    """Exact mean over the golden cases that have a score, 0 to 1; None without one."""
    passed: bool
    """True if the score reaches the threshold and nothing else about this agent and rubric is violated."""
    label: str = ""
    """Name shown in telemetry in place of the rubric's; empty for the rubric's own."""
    n_golden: int = 0
    n_negative: int = 0
    n_violations: int = 0
    n_scored: int = 0
    """Golden cases that the mean is over; with fewer than `n_golden` the agent does not pass."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What the gate says, with its reasons; the exit code follows from it."""

    passed: bool
    exit_code: int
    reasons: tuple[str, ...]
    rules: tuple[Mapping[str, Any], ...] = ()
    """Per rule and variant: rule, variant, outcome (holds, fails, undecided), value, n_scored, n_total, reason."""
    agents: tuple[AgentResult, ...] = ()
    """The release gate's results, one per agent and rubric; empty for a decision about a run."""
    run_id: str = ""
    revision: str = ""
    """Revision of the files under test, such as a commit; empty where none is known."""
    source: Literal["fixtures", "outputs", ""] = ""
    """What the release gate scored: its fixtures' own outputs, or live ones; empty for a decision about a run."""
