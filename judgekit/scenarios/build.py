"""One case as the user wrote it in, a frozen Case out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from judgekit.errors import Complaint, InputError
from judgekit.reading.entries import RubricForm, TrialsForm, VariantForm
from judgekit.reading.forms import fill
from judgekit.reading.text import read_text, shown
from judgekit.reading.yaml_text import YamlMap
from judgekit.records import AgentConfig, Case, CheckUse, Context, Place, RubricUse, Trials, Variant
from judgekit.scenarios.config_dir import read_config_dir
from judgekit.scenarios.expect import parse_expect
from judgekit.scenarios.faux import read_script
from judgekit.scenarios.forms import CASE_KEYS, CaseForm, ContextForm, FileForm

NO_CHECKS = "has no checks: give it `expect`, `rubrics` or `golden`, or say `expect: none` if it is only to be read."


@dataclass
class Builder:
    """What building the cases of one file needs and shares; complaints gather here."""

    path: Path
    place: Place
    has_rubrics: bool
    """True if the settings or a flag give rubrics to every case."""
    redact: tuple[str, ...] = ()
    """Patterns of the settings: golden files are compared without what they match."""
    complaints: list[Complaint] = field(default_factory=list)
    agents: dict[Path, AgentConfig | None] = field(default_factory=dict)
    shared: dict[int, tuple[Any, tuple[CheckUse, ...]]] = field(default_factory=dict)

    @cached_property
    def file(self) -> str:
        """The file as shown to people."""
        return shown(self.path)

    def complain(self, message: str, line: int | None) -> None:
        """Note one mistake."""
        self.complaints.append(Complaint(self.file, line, message))

    def case(self, data: Mapping[str, Any], *, suite: str, line: int | None) -> Case | None:
        """The case, or None after noting what is wrong with it."""
        before = len(self.complaints)
        form, complaints = fill(CaseForm, data, file=self.file, line=line)
        self.complaints += complaints
        if form is None:
            return None
        case_id = form.id if form.id is not None else form.name
        if case_id is None or not case_id.strip():
            self.complain("a case needs an `id` or a `name`.", line)
            return None
        lines = data.lines if isinstance(data, YamlMap) else {}
        none = form.expect == "none"
        checks = () if none or form.expect is None else self._checks(form.expect, case_id, lines.get("expect", line))
        checks += self._golden(form, case_id, lines.get("golden", line))
        rubrics = tuple(rubric_use(one, self.file, lines.get("rubrics", line)) for one in form.rubrics)
        if none and (checks or rubrics):
            self.complain(f'case "{case_id}" says `expect: none` and has rubrics or a golden file.', line)
        if not (checks or rubrics or none or self.has_rubrics or len(self.complaints) > before):
            inside = ", as `vars` holds `checks`" if {"expect", "checks"} & set(form.vars) else ""
            self.complain(f'case "{case_id}" {NO_CHECKS}{inside and f" Is it indented too far{inside}?"}', line)
        target, judge, wrong = read_script(form.faux)
        for message in wrong:
            self.complain(f'case "{case_id}": faux: {message}', lines.get("faux", line))
        return Case(
            case_id=case_id,
            input=self._text(form.input, lines.get("input", line)) or "",
            name=form.name or "",
            description=form.description,
            suite=suite,
            agent=form.agent,
            tags=form.tags,
            turns=form.turns,
            vars=form.vars,
            reference=self._text(form.reference, lines.get("reference", line)),
            context=self._context(form.context, lines.get("context", line)),
            agent_config=self._agent(form.config_dir, lines.get("config_dir", line)),
            checks=checks,
            rubrics=rubrics,
            output=form.output,
            faux_target=target,
            faux_judge=judge,
            tools={name: tool.model_dump() for name, tool in form.tools.items()},
            trials=trials(form.trials),
            should_pass=form.should_pass,
            defect=form.defect,
            no_expectation=none,
            file=self.file,
            line=line,
        )

    def _checks(self, expect: Any, case_id: str, line: int | None) -> tuple[CheckUse, ...]:
        # Cases that take their checks from the suite's defaults share one compiled set; the key keeps the object alive.
        known = self.shared.get(id(expect))
        if known is not None:
            return known[1]
        named = self._with_golden_path(expect, case_id)
        checks, complaints = parse_expect(named, place=self.place, file=self.file, line=line)
        self.complaints += complaints
        if named is expect:
            self.shared[id(expect)] = (expect, checks)
        return checks

    def _with_golden_path(self, expect: Any, case_id: str) -> Any:
        """`golden: true` under `expect` means the default path, which only the case's id can tell."""
        if isinstance(expect, Mapping) and expect.get("golden") is True:
            return {**expect, "golden": {"value": golden_name(case_id), "redact": list(self.redact)}}
        return expect

    def _golden(self, form: CaseForm, case_id: str, line: int | None) -> tuple[CheckUse, ...]:
        if not form.golden:
            return ()
        path = golden_name(case_id) if form.golden is True else form.golden
        checks, complaints = parse_expect(
            {"golden": {"value": path, "redact": list(self.redact)}}, place=self.place, file=self.file, line=line
        )
        self.complaints += complaints
        return checks

    def _text(self, value: str | FileForm | None, line: int | None) -> str | None:
        if not isinstance(value, FileForm):
            return value
        try:
            return read_text(self.place.folder / value.file)
        except InputError as problem:
            self.complain(str(problem), line)
            return None

    def _context(self, value: Any, line: int | None) -> tuple[Context, ...] | None:
        if value is None or value == "":
            return None
        if isinstance(value, tuple):
            return tuple(Context(one.text, one.id) if isinstance(one, ContextForm) else Context(one) for one in value)
        text = self._text(value, line)
        return None if text is None else (Context(text),)

    def _agent(self, config_dir: str | None, line: int | None) -> AgentConfig | None:
        if config_dir is None:
            return None
        # The project root comes first: agents usually live beside the scenarios' folder, not in it.
        folder = next(
            (one for base in (self.place.root, self.place.folder) if (one := base / config_dir).is_dir()),
            self.place.folder / config_dir,
        )
        if folder not in self.agents:
            try:
                self.agents[folder] = read_config_dir(folder)
            except InputError as problem:
                self.complain(str(problem), line)
                self.agents[folder] = None
        return self.agents[folder]


def golden_name(case_id: str) -> str:
    """Name of a case's golden file beside its scenario file."""
    return "".join("_" if character in '/\\:*?"<>|' else character for character in case_id) + ".golden.md"


def rubric_use(form: RubricForm, file: str, line: int | None) -> RubricUse:
    """The record of one `rubrics:` entry."""
    return RubricUse(form.name, form.pass_at, form.required, dict(form.model_extra or {}), file, line)


def trials(form: TrialsForm | None) -> Trials | None:
    """The record of a `trials:` entry."""
    if form is None:
        return None
    if isinstance(form.require, int):
        return Trials(form.n, form.require)
    return Trials(form.n, 1 if form.require == "any" else None)


def variant(name: str, form: VariantForm, *, folder: Path, file: str, line: int | None = None) -> Variant:
    """The record of one `variants:` entry."""
    return Variant(
        name=name,
        prompt=form.prompt or "",
        model=form.model,
        params=form.params,
        command=form.command or (),
        function=form.function or "",
        timeout_s=form.timeout_s,
        folder=folder,
        file=file,
        line=line,
    )


def spelled(data: Any) -> Any:
    """A case mapping with its keys in one spelling and its lines kept; anything else as it is."""
    if not isinstance(data, Mapping):
        return data
    result = YamlMap()
    result.line, result.lines = getattr(data, "line", 0), {}
    for key, value in data.items():
        plain = key.replace("-", "_")
        name = plain if plain in CASE_KEYS else key
        result[name if name not in result else key] = value
        if isinstance(data, YamlMap):
            result.lines[name] = data.lines[key]
    return result


def merged(defaults: Mapping[str, Any], own: Mapping[str, Any]) -> Mapping[str, Any]:
    """A case with its suite's defaults.

    The case's own value wins; `expect` and `vars` are merged key by key, `tags` and `rubrics` are joined (a rubric
    named by both is the case's).
    """
    result = YamlMap(defaults)
    result.line = getattr(own, "line", 0)
    result.lines = {**getattr(defaults, "lines", {}), **getattr(own, "lines", {})}
    for key, value in own.items():
        base = defaults.get(key)
        if key in ("expect", "vars") and isinstance(base, Mapping) and isinstance(value, Mapping):
            value = _merged_keys(base, value)
        elif key == "expect" and isinstance(base, Mapping | list) and isinstance(value, Mapping | list):
            value = [*_as_entries(base), *_as_entries(value)]
        elif key == "tags" and base is not None and value is not None:
            value = list(dict.fromkeys([*_as_list(base), *_as_list(value)]))
        elif key == "rubrics" and base is not None and value is not None:
            named = {_name(one) for one in _as_list(value)}
            value = [one for one in _as_list(base) if _name(one) not in named] + _as_list(value)
        result[key] = value
    return result


def _merged_keys(base: Mapping[str, Any], own: Mapping[str, Any]) -> YamlMap:
    result = YamlMap(base)
    result.line = getattr(own, "line", 0)
    result.lines = {**getattr(base, "lines", {}), **getattr(own, "lines", {})}
    spellings = {key.replace("-", "_"): key for key in base}
    for key, value in own.items():
        same = spellings.get(key.replace("-", "_"))
        if same is not None and same != key:
            del result[same]
        result[key] = value
    return result


def _as_entries(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else [{key: item} for key, item in value.items()]


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _name(entry: Any) -> Any:
    return entry.get("name") if isinstance(entry, Mapping) else entry
