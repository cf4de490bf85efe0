"""One case as the user wrote it in, a frozen Case out."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from judgekit.errors import Complaint, InputError, did_you_mean
from judgekit.reading.entries import HttpForm, RubricForm, TrialsForm, VariantForm
from judgekit.reading.forms import fill
from judgekit.reading.text import read_text, shown
from judgekit.reading.yaml_text import YamlMap
from judgekit.records import AgentConfig, Case, CheckUse, Context, Endpoint, Place, RubricUse, Trials, Variant
from judgekit.scenarios.config_dir import read_config_dir
from judgekit.scenarios.expect import parse_expect
from judgekit.scenarios.faux import read_script
from judgekit.scenarios.forms import CASE_KEYS, CaseForm, ContextForm, FileForm
from judgekit.scenarios.merge import entry_line, merged, numbered

NO_CHECKS = "has no checks: give it `expect`, `rubrics` or `golden`, or say `expect: none` if it is only to be read."
_LONGEST_NAME = 200
"""Bytes of a golden file's name before its ending; file systems take 255."""


@dataclass(frozen=True)
class Defaults:
    """What a suite gives to each of its cases, and the builder of the file that says so."""

    data: YamlMap
    home: Builder


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
    agents: dict[str, AgentConfig | None] = field(default_factory=dict)
    shared: dict[int, tuple[Any, tuple[CheckUse, ...]]] = field(default_factory=dict)

    @cached_property
    def file(self) -> str:
        """The file as shown to people."""
        return shown(self.path)

    def beside(self, path: Path) -> Builder:
        """A builder for the rows of another file: complaints name that file, and paths in it start there."""
        return Builder(path, replace(self.place, folder=path.parent), self.has_rubrics, self.redact)

    def complain(self, message: str, line: int | None) -> None:
        """Note one mistake."""
        self.complaints.append(Complaint(self.file, line, message))

    def defaults(self, data: Any) -> Defaults:
        """The `defaults:` of a suite, without what is wrong in them: that is told once, not once a case."""
        sound = self.spelled(data, CASE_KEYS)
        for key in list(sound):
            if key not in CASE_KEYS:
                self.complain(f'unknown key "{key}" in defaults.{did_you_mean(key, CASE_KEYS)}', sound.lines.get(key))
                del sound[key]
                continue
            alone = YamlMap({"id": "defaults", key: sound[key]})
            alone.line, alone.lines = sound.line, {key: sound.lines.get(key, sound.line)}
            trial = Builder(self.path, self.place, True, self.redact)
            trial.case(alone, suite="", line=sound.line or None)
            if trial.complaints:
                self.complaints += trial.complaints
                del sound[key]
        return Defaults(sound, self)

    def case(
        self, data: Mapping[str, Any], *, suite: str, line: int | None, defaults: Defaults | None = None
    ) -> Case | None:
        """The case, or None after noting what is wrong with it."""
        before = len(self.complaints)
        own = self.spelled(data, CASE_KEYS)
        whole = merged(defaults.data, own) if defaults else own
        form, complaints = fill(CaseForm, whole, file=self.file, line=line)
        self.complaints += complaints
        case_id = (form.id if form.id is not None else form.name) if form else None
        if form is not None and not (case_id or "").strip():
            self.complain("a case needs an `id` or a `name`.", line)
        if form is None or case_id is None or not case_id.strip():
            # Its checks are looked at all the same: all mistakes in one message.
            self._checks(own.get("expect"), "", own.lines.get("expect", line))
            return None
        place = _Places(self, own, defaults, line)
        none = form.expect == "none"
        checks = self._expected(own, defaults, case_id, place) if "expect" in whole else ()
        checks += self._golden(form, case_id, place)
        rubrics = tuple(place.rubric(one) for one in form.rubrics)
        if none and (checks or rubrics):
            self.complain(f'case "{case_id}" says `expect: none` and has rubrics or a golden file.', line)
        for name in sorted({one.name for one in rubrics if sum(one.name == other.name for other in rubrics) > 1}):
            self.complain(f'case "{case_id}" names the rubric "{name}" twice.', own.lines.get("rubrics", line))
        if not (checks or rubrics or none or self.has_rubrics or len(self.complaints) > before):
            inside = ", as `vars` holds `checks`" if {"expect", "checks"} & set(form.vars) else ""
            self.complain(f'case "{case_id}" {NO_CHECKS}{inside and f" Is it indented too far{inside}?"}', line)
        target, judge, wrong = read_script(form.faux)
        for message in wrong:
            self.complain(f'case "{case_id}": faux: {message}', own.lines.get("faux", line))
        return Case(
            case_id=case_id,
            input=place.text("input", form.input) or "",
            name=form.name or "",
            description=form.description,
            suite=suite,
            agent=form.agent,
            tags=form.tags,
            turns=form.turns,
            vars=form.vars,
            reference=place.text("reference", form.reference),
            context=place.context(form.context),
            agent_config=place.agent(form.config_dir),
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

    def spelled(self, data: Any, known: Sequence[str]) -> YamlMap:
        """A mapping with its known keys in one spelling and its lines kept; a key given in both is a mistake."""
        result = YamlMap()
        result.line, result.lines = getattr(data, "line", 0), {}
        lines = data.lines if isinstance(data, YamlMap) else {}
        for key, value in data.items():
            plain = key.replace("-", "_")
            name = plain if plain in known else key
            if name in result:
                first = f", first given on line {result.lines[name]}" if name in result.lines else ""
                self.complain(f'duplicate key "{key}"{first}.', lines.get(key, result.line or None))
                continue
            result[name] = value
            if key in lines:
                result.lines[name] = lines[key]
        return result

    def _expected(self, own: YamlMap, defaults: Defaults | None, case_id: str, place: _Places) -> tuple[CheckUse, ...]:
        """The checks of the case and its suite, each compiled where it was written; the case's own win."""
        mine = own.get("expect")
        given: Any = None
        base: tuple[CheckUse, ...] = ()
        if defaults and ("expect" not in own or isinstance(mine, Mapping | list)):
            given = defaults.data.get("expect")
            base = defaults.home._checks(given, case_id, defaults.data.lines.get("expect"), golden=self)
        checks = self._checks(mine, case_id, own.lines.get("expect", place.line))
        if not base or not checks:
            return base + checks
        if isinstance(mine, Mapping) and isinstance(given, Mapping):
            return tuple({use.metric: use for use in (*base, *checks)}.values())
        return numbered((*base, *checks))

    def _checks(
        self, expect: Any, case_id: str, line: int | None, *, golden: Builder | None = None
    ) -> tuple[CheckUse, ...]:
        if expect is None or expect == "none":
            return ()
        # Cases that take their checks from the suite's defaults share one compiled set; the key keeps the object alive.
        known = self.shared.get(id(expect))
        if known is not None:
            return known[1]
        named = _with_golden_path(expect, case_id, golden or self)
        checks, complaints = parse_expect(named, place=self.place, file=self.file, line=line)
        self.complaints += complaints
        if named is expect:
            self.shared[id(expect)] = (expect, checks)
        return checks

    def _golden(self, form: CaseForm, case_id: str, place: _Places) -> tuple[CheckUse, ...]:
        if not form.golden:
            return ()
        # The default path is the case's own, wherever `golden: true` was written.
        home = self if form.golden is True else place.home("golden")
        path = golden_name(case_id) if form.golden is True else form.golden
        checks, complaints = parse_expect(
            {"golden": {"value": path, "redact": list(self.redact)}},
            place=home.place,
            file=home.file,
            line=place.own.lines.get("golden", place.line),
        )
        self.complaints += complaints
        return checks

    def read(self, value: str | FileForm | None, line: int | None) -> str | None:
        """The text, or that of the file it names."""
        if not isinstance(value, FileForm):
            return value
        try:
            return read_text(self.place.folder / value.file)
        except InputError as problem:
            self.complain(str(problem), line)
            return None

    def agent(self, config_dir: str, line: int | None) -> AgentConfig | None:
        """The agent of a config-dir, read once."""
        if config_dir not in self.agents:
            # The project root comes first: agents usually live beside the scenarios' folder, not in it.
            folder = next(
                (one for base in (self.place.root, self.place.folder) if (one := base / config_dir).is_dir()),
                self.place.folder / config_dir,
            )
            try:
                self.agents[config_dir] = read_config_dir(folder)
            except InputError as problem:
                self.complain(str(problem), line)
                self.agents[config_dir] = None
        return self.agents[config_dir]


@dataclass(frozen=True)
class _Places:
    """Which file said what of one case: its own, or that of the suite whose defaults it takes."""

    builder: Builder
    own: YamlMap
    defaults: Defaults | None
    line: int | None

    def home(self, key: str) -> Builder:
        """The builder of the file that gives the case this key."""
        return self.builder if self.defaults is None or key in self.own else self.defaults.home

    def text(self, key: str, value: str | FileForm | None) -> str | None:
        """The text under a key, or that of the file it names."""
        return self.home(key).read(value, self.own.lines.get(key, self.line))

    def context(self, value: Any) -> tuple[Context, ...] | None:
        """The evidence, in pieces."""
        if value is None or value == "":
            return None
        if isinstance(value, tuple):
            return tuple(Context(one.text, one.id) if isinstance(one, ContextForm) else Context(one) for one in value)
        text = self.text("context", value)
        return None if text is None else (Context(text),)

    def agent(self, config_dir: str | None) -> AgentConfig | None:
        """The agent, if the case has one."""
        if config_dir is None:
            return None
        return self.home("config_dir").agent(config_dir, self.own.lines.get("config_dir", self.line))

    def rubric(self, form: RubricForm) -> RubricUse:
        """The use of one rubric, with the file and line that ask for it."""
        mine = entry_line(self.own, form.name)
        if mine is not None or self.defaults is None:
            return rubric_use(form, self.builder.file, mine or self.line)
        given = self.defaults
        return rubric_use(form, given.home.file, entry_line(given.data, form.name))


def _with_golden_path(expect: Any, case_id: str, builder: Builder) -> Any:
    """`golden: true` under `expect` means the default path, which only the case's id can tell."""
    if isinstance(expect, Mapping) and expect.get("golden") is True:
        path = builder.place.folder / golden_name(case_id)
        return {**expect, "golden": {"value": str(path), "redact": list(builder.redact)}}
    return expect


def golden_name(case_id: str) -> str:
    """Name of a case's golden file beside its scenario file; one that no file can have is changed and marked.

    Example:
        >>> golden_name("late-parcel"), golden_name("a/b")
        ('late-parcel.golden.md', 'a_b-c14cdd.golden.md')
    """
    safe = "".join("_" if one in '/\\:*?"<>|' or not one.isprintable() else one for one in case_id)
    if safe != case_id or len(safe.encode()) > _LONGEST_NAME:
        # Two ids must not share one file.
        mark = hashlib.sha256(case_id.encode("utf-8", "surrogatepass")).hexdigest()[:6]
        safe = f"{safe[: _LONGEST_NAME // 4]}-{mark}"
    return f"{safe}.golden.md"


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
    limit_s = form.http.timeout_s if form.http else None
    return Variant(
        name=name,
        prompt=form.prompt or "",
        model=form.model,
        params=form.params,
        command=form.command or (),
        function=form.function or "",
        http=_endpoint(form.http) if form.http else None,
        timeout_s=form.timeout_s if limit_s is None else limit_s,
        folder=folder,
        file=file,
        line=line,
    )


def _endpoint(form: HttpForm) -> Endpoint:
    answer = form.response
    return Endpoint(
        url=form.url,
        output=answer.output,
        context=answer.context,
        tool_calls=answer.tool_calls,
        usage=answer.usage,
        method=form.method,
        headers=form.headers,
        body=form.body,
    )
