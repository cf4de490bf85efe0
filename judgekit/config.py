"""`judgekit.yaml`, or `[tool.judgekit]` in pyproject.toml, in; a Project out."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, GetJsonSchemaHandler, WithJsonSchema, field_validator, model_validator
from pydantic.json_schema import JsonSchemaValue

from judgekit.errors import Complaint, InputError, raise_complaints
from judgekit.reading.entries import RubricList, TrialsEntry, Variant
from judgekit.reading.forms import Bool, Form, Text, TextList, Whole, as_exact, as_text, fill
from judgekit.reading.mistakes import KeyMistake
from judgekit.reading.text import read_text, shown
from judgekit.reading.toml_text import with_lines
from judgekit.reading.yaml_text import YamlMap, read_yaml

SETTINGS_FILE = "judgekit.yaml"

Op = Literal[">=", ">", "<=", "<"]
_PASS_HAT = re.compile(r"^pass[_-]hat[_-]([1-9][0-9]{0,4})$")
_BOUND = re.compile(r"\s*(>=|<=|>|<|≥|≤)?\s*([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)\s*(%)?\s*$")


@dataclass(frozen=True, slots=True)
class Bound:
    """A comparison with an exact number, such as `>= 0.9`."""

    op: Op
    value: Fraction
    text: str


def as_bound(value: Any) -> Bound:
    """A bound from `>= 4`, `0.9` (at least) or `90%`.

    Raises:
        ValueError: no such form.

    Example:
        >>> as_bound("90%").value
        Fraction(9, 10)
    """
    if isinstance(value, Bound):
        return value
    text = as_text(value).strip()
    match = _BOUND.match(text)
    if not match:
        raise ValueError(f'must be a number such as 0.9, 90% or ">= 4", not "{text}"')
    op = (match[1] or ">=").replace("≥", ">=").replace("≤", "<=")
    number = as_exact(match[2]) / (100 if match[3] else 1)
    return Bound(op, number, text if match[1] else f">= {text}")  # type: ignore[arg-type]


def _as_rate(value: Any) -> Bound:
    bound = as_bound(value)
    if not 0 <= bound.value <= 1:
        raise ValueError(f"must lie between 0 and 1 (or 0% and 100%), not {bound.text}")
    return bound


def as_max_errors(value: Any) -> Fraction | int:
    """A count of errors that is tolerated, or a share of the cases when written with `%`."""
    text = as_text(value).strip()
    try:
        if text.endswith("%"):
            share = as_exact(text[:-1]) / 100
            if 0 <= share <= 1:
                return share
        elif text.isdecimal():
            return int(text)
    except ValueError:
        pass
    raise ValueError(f'must be a whole number such as 3 or a share such as "2%", not "{text}"')


_BOUND_SCHEMA = WithJsonSchema({"type": ["number", "string"], "examples": [0.9, ">= 0.9", "90%"]})
AnyBound = Annotated[Bound, BeforeValidator(as_bound), _BOUND_SCHEMA]
Rate = Annotated[Bound, BeforeValidator(_as_rate), _BOUND_SCHEMA]
MaxErrors = Annotated[
    Fraction | int,
    BeforeValidator(as_max_errors),
    WithJsonSchema({"type": ["integer", "string"], "examples": [0, "2%"]}),
]


class MetricGate(Form):
    """What one metric must reach."""

    mean: AnyBound | None = Field(None, description="Bound on the mean score, on the metric's own scale.")
    pass_rate: Rate | None = Field(None, description="Bound on the share of results that pass.")
    corrected_pass_rate: Rate | None = Field(None, description="Bound on the pass rate corrected for judge errors.")
    on: Literal["point", "lower"] | None = Field(
        None, description="Compare the estimate itself or the lower end of its interval."
    )

    @model_validator(mode="after")
    def _has_a_bound(self) -> MetricGate:
        if self.mean is None and self.pass_rate is None and self.corrected_pass_rate is None:
            raise ValueError('has no bound: write for example mean: ">= 4" or pass_rate: ">= 0.9"')
        return self


class GateSettings(Form):
    """The rules that decide; without any, every case has to pass."""

    pass_rate: Rate | None = Field(None, description="Share of the selected cases that pass.")
    case_pass_rate: Rate | None = Field(None, description="For every case: share of its trials that pass.")
    pass_hat: dict[int, Rate] = Field(default_factory=dict, description="Written pass_hat_K: all of K trials pass.")
    metrics: dict[str, MetricGate] = Field(default_factory=dict, description="Rules by metric name.")
    kill_rate: Rate | None = Field(None, description="Share of damaged outputs that fail; `judgekit prove` decides it.")
    max_errors: MaxErrors = Field(0, description='Cases without a result that are tolerated: a count or "2%".')
    canaries: Bool = Field(False, description="Whether no judge may fall for a planted output (--canary).")
    variants: TextList = Field((), description="Variants that are gated; default all but the reference variant.")

    @model_validator(mode="before")
    @classmethod
    def _gather_pass_hat(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        plain, hats = {}, {}
        for key, value in data.items():
            match = _PASS_HAT.match(str(key))
            if match:
                if int(match[1]) in hats:
                    raise KeyMistake(str(key), "is a duplicate key")
                try:
                    hats[int(match[1])] = _as_rate(value)
                except ValueError as problem:
                    raise KeyMistake(str(key), str(problem)) from None
            elif str(key).replace("-", "_") == "pass_hat":
                raise KeyMistake(str(key), "wants a number of trials: write pass_hat_5")
            else:
                plain[key] = value
        return {**plain, "pass_hat": hats} if hats else plain

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        made = super().__get_pydantic_json_schema__(core_schema, handler)
        properties = handler.resolve_ref_schema(made)["properties"]
        del properties["pass-hat"]
        rate = properties.pop("pass_hat")["additionalProperties"]
        handler.resolve_ref_schema(made)["patternProperties"] = {_PASS_HAT.pattern: rate}
        return made

    @property
    def has_rules(self) -> bool:
        """True if anything replaces the default rule that every case passes; `kill_rate` speaks of no output."""
        return any((self.pass_rate, self.case_pass_rate, self.pass_hat, self.metrics))


def _as_threshold(value: Any) -> Fraction:
    threshold = as_exact(value)
    if not 0 <= threshold <= 1:
        raise ValueError(f"must lie between 0 and 1, not {as_text(value)}")
    return threshold


Threshold = Annotated[
    Fraction, BeforeValidator(_as_threshold), WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1})
]


class AgentEntry(Form):
    """One agent of the release gate: what its fixtures are scored by, and what they must reach."""

    rubric: Text | None = Field(None, description="Deterministic rubric that scores the fixtures.")
    threshold: Threshold | None = Field(None, description="Mean that the golden fixtures must reach, 0 to 1.")
    rubrics: dict[str, Threshold] = Field(default_factory=dict, description="Several rubrics, each with its threshold.")
    fixtures: TextList = Field((), description="Scenario files or folders with the golden and negative fixtures.")
    label: Text | None = Field(None, description="Name of the rubric in telemetry; default its own.")
    format: Text | None = Field(None, description="Declared format of the outputs, NAME/VERSION.")
    min_cases: Whole = Field(10, description="Fixtures that are needed at least.")
    min_golden: Whole = Field(1, description="Golden fixtures that are needed at least.")
    min_negative: Whole = Field(1, description="Negative fixtures that are needed at least.")

    @model_validator(mode="after")
    def _one_way_to_say_it(self) -> AgentEntry:
        if self.rubrics and (self.rubric is not None or self.threshold is not None):
            raise ValueError("has both rubric and rubrics: keep one of them")
        if not self.rubrics and (self.rubric is None or self.threshold is None):
            raise ValueError("needs rubric and threshold, or rubrics: {NAME: threshold}")
        if self.label and len(self.rubrics) > 1:
            raise ValueError("has a label and several rubrics: a label is the name of one, leave it out")
        return self

    @property
    def thresholds(self) -> dict[str, Fraction]:
        """Threshold by rubric, in the order written."""
        if self.rubric is not None and self.threshold is not None:
            return {self.rubric: self.threshold}
        return dict(self.rubrics)


PositiveUsd = Annotated[float, Field(gt=0)]


class TelemetrySettings(Form):
    """Where OpenTelemetry events go once telemetry is on: `--otel`, or an OTLP endpoint in the environment."""

    scope: Text = Field("qadra.eval", description="Instrumentation scope (target) of the events.")
    endpoint: Text | None = Field(
        None, description="Base address of the OTLP/HTTP receiver where the environment names none."
    )
    timeout_s: Annotated[float, Field(gt=0, le=60)] = Field(
        5.0, description="Seconds that sending may take in all, retries included; at most 60."
    )

    @field_validator("scope")
    @classmethod
    def _named(cls, scope: str) -> str:
        if not scope.strip():
            raise ValueError("must not be empty")
        return scope

    @field_validator("endpoint")
    @classmethod
    def _an_address(cls, endpoint: str | None) -> str | None:
        if endpoint is not None and not re.match(r"https?://[^/\s]", endpoint):
            raise ValueError(f'must be an address such as http://localhost:4318, not "{endpoint}"')
        return endpoint


class Settings(Form):
    """The settings of a project; a flag wins over a scenario file, which wins over these."""

    judge: TextList | None = Field(None, description="Model that judges; several make a panel.")
    judge_samples: Whole = Field(1, description="How often the judge is asked about each output.")
    rubrics: RubricList = Field((), description="Rubrics for every case.")
    model: Text | None = Field(None, description="Model that answers.")
    params: dict[str, Any] = Field(default_factory=dict, description="Parameters of the model.")
    variants: dict[str, Variant] = Field(default_factory=dict, description="Named configurations of the target.")
    against: Text | None = Field(None, description="Reference variant.")
    trials: TrialsEntry | None = Field(None, description="Repeats of each case.")
    gate: GateSettings = Field(default_factory=GateSettings, description="Rules that decide the exit code.")
    baseline: Text | None = Field(None, description="Run or file to compare with.")
    agents: dict[str, AgentEntry] = Field(default_factory=dict, description="Agents of the release gate.")
    telemetry: TelemetrySettings = Field(default_factory=TelemetrySettings, description="OpenTelemetry events.")
    prices: dict[str, Any] = Field(default_factory=dict, description="Own prices by model.")
    redact: TextList = Field((), description="Regular expressions masked in every report.")
    allow_code: Bool = Field(False, description="Whether scenario files may run Python functions and commands.")
    out: Text = Field("reports", description="Folder of the run folders.")
    concurrency: Whole = Field(8, description="Model calls at the same time.")
    rpm: Whole | None = Field(None, description="Model calls per minute.")
    max_cost: PositiveUsd | None = Field(None, description="Budget of a run in USD.")
    cluster: Text | None = Field(None, description="Column that names cases which are not independent.")

    @model_validator(mode="after")
    def _patterns(self) -> Settings:
        for pattern in self.redact:
            try:
                re.compile(pattern)
            except re.error as problem:
                raise ValueError(f'redact: "{pattern}" is not a regular expression: {problem}') from None
        return self


@dataclass(frozen=True)
class Project:
    """Where a project lives and what its settings say."""

    root: Path
    """Folder of the nearest judgekit.yaml or pyproject.toml; the working folder if there is neither."""
    file: str = ""
    """Settings file as shown to people; empty if there is none."""
    settings: Settings = Settings()
    tree: Any = None
    """What the settings file holds, with its lines where it is YAML."""

    def line(self, key: str) -> int | None:
        """Line of a setting, where one is known."""
        return self.place(key)

    def place(self, *path: str) -> int | None:
        """Line of what stands at a path of keys such as `"agents", "scarlet"`; None if the settings lack it."""
        if _line(self.tree, path) is None:
            return None
        # Where tomllib has read it, the lines take a second look, which only complaints need.
        tree = self.tree if isinstance(self.tree, YamlMap) else _with_lines(self.root / "pyproject.toml")
        return _line(tree, path)


def _line(tree: Any, path: Sequence[str]) -> int | None:
    """Line of what stands at a path of keys, 0 where the tree knows no lines; None if it is not there."""
    line = 0
    for part in path:
        names = (part, part.replace("_", "-"))
        found = next((name for name in names if isinstance(tree, Mapping) and name in tree), None)
        if found is None:
            return None
        line = tree.lines[found] if isinstance(tree, YamlMap) else 0
        tree = tree[found]
    return line


def load_project(folder: Path | None = None) -> Project:
    """The project that `folder` (default: the working folder) lies in.

    Raises:
        InputError: both settings files have settings, or a setting is wrong; with file and line.
    """
    start = (folder or Path.cwd()).resolve()
    for root in (start, *start.parents):
        own, shared = root / SETTINGS_FILE, root / "pyproject.toml"
        if not own.is_file() and not shared.is_file():
            continue
        table = _pyproject_table(shared) if shared.is_file() else None
        if own.is_file() and table is not None:
            raise InputError(
                f"{shown(own)}: settings stand here and in [tool.judgekit] of {shown(shared)}; keep one of the two."
            )
        if own.is_file():
            return _project(root, own, _one_document(own))
        return _project(root, shared, table) if table is not None else Project(root)
    return Project(start)


def _one_document(path: Path) -> Any:
    documents = read_yaml(path)
    if len(documents) > 1:
        raise InputError(f"{shown(path)}: holds {len(documents)} documents, one is wanted.")
    return documents[0] if documents else {}


def _pyproject_table(path: Path) -> Any:
    try:
        data = tomllib.loads(read_text(path))
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{shown(path)}: not valid TOML: {problem}.") from None
    tools = data.get("tool")
    return tools.get("judgekit") if isinstance(tools, dict) else None


def _project(root: Path, path: Path, data: Any) -> Project:
    file = shown(path)
    if not isinstance(data, Mapping):
        raise InputError(f"{file}: settings are keys and values.")
    settings, complaints = fill(Settings, data, file=file)
    if complaints and not isinstance(data, YamlMap):
        complaints = fill(Settings, data, file=file, tree=_with_lines(path))[1]
    raise_complaints(complaints)
    if settings is None:
        raise InputError(str(Complaint(file, None, "no settings could be read.")))
    return Project(root, file, settings, data)


def _with_lines(path: Path) -> Any:
    """[tool.judgekit] of a pyproject.toml with its lines, which only complaints need."""
    return with_lines(read_text(path), start="[tool.judgekit").get("tool", {}).get("judgekit")
