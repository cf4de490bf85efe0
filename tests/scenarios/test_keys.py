"""What a case and a suite may say, and how a mistake in it is told."""

from __future__ import annotations

from typing import Any

import pytest

Folder = Any

CASE = "id: a\noutput: hi\nexpect: {contains: hi}\n"


def test_the_example_of_the_contract_is_a_case(folder: Folder) -> None:
    folder.write("agents/x/system-prompt.txt", "Be brief.")
    case = folder.case(
        """
        name: executive-summary
        description: Agent should produce a structured summary from a report
        config-dir: agents/x
        input: |
          Summarize this Q1 report: Revenue $4.2M, up 12%.
        expect:
          contains:
            - "revenue"
            - "risk"
          max_length: 500
          has_sections:
            - "Summary"
        """
    )
    assert case.case_id == "executive-summary"
    assert [use.metric for use in case.checks] == ["contains", "max_length", "has_sections"]
    assert case.agent_config is not None
    assert case.agent_config.system_prompt == "Be brief."


@pytest.mark.parametrize(
    ("hyphen", "underscore"),
    [
        ("config-dir: x", "config_dir: x"),
        ("should-pass: false", "should_pass: false"),
        ("expect: {max-length: 3}", "expect: {max_length: 3}"),
        ("expect: {not-contains: x}", "expect: {not_contains: x}"),
        ("expect: {not-has-sections: x}", "expect: {not_has_sections: x}"),
        (
            "expect: {contains: {value: x, case-sensitive: true}}",
            "expect: {contains: {value: x, case_sensitive: true}}",
        ),
        ("expect: {any-of: [{contains: x}]}", "expect: {any_of: [{contains: x}]}"),
        ("rubrics: [{name: tone, pass-at: 4}]", "rubrics: [{name: tone, pass_at: 4}]"),
    ],
)
def test_hyphen_and_underscore_spellings_are_the_same(folder: Folder, hyphen: str, underscore: str) -> None:
    folder.write("x/system-prompt.txt", "Be brief.")
    base = "id: a\noutput: hi\n" + ("" if "expect" in hyphen else "expect: {contains: hi}\n")
    one, other = folder.case(base + hyphen), folder.case(base + underscore)
    assert one == other


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("config-dir: x\nconfig_dir: y\n", 5),
        ("should_pass: true\nshould-pass: true\n", 5),
        ("tags: x\ntags: y\n", 5),
        ("rubrics:\n  - name: tone\n    pass-at: 4\n    pass_at: 4\n", 7),
    ],
)
def test_both_spellings_of_a_key_are_a_duplicate(folder: Folder, text: str, line: int) -> None:
    said = folder.mistakes(CASE + text)
    assert any(one.startswith(f"a.yaml:{line}: ") and "duplicate key" in one for one in said)


def test_both_spellings_of_a_check_are_a_duplicate(folder: Folder) -> None:
    said = folder.mistakes("id: a\nexpect:\n  max_length: 3\n  max-length: 4\n")
    assert said[0].startswith('a.yaml:4: duplicate key: "max_length" and "max-length" are the same check.')


def test_both_spellings_of_an_option_are_a_duplicate(folder: Folder) -> None:
    said = folder.mistakes(
        "id: a\nexpect:\n  contains:\n    value: x\n    case_sensitive: true\n    case-sensitive: true\n"
    )
    assert said[0].startswith("a.yaml:6: ")
    assert "duplicate key" in said[0]


def test_an_unknown_key_names_the_closest_one(folder: Folder) -> None:
    assert folder.mistakes(CASE + "outptu: x\n") == ['a.yaml:4: unknown key "outptu". Did you mean "output"?']


def test_an_unknown_check_names_the_closest_one(folder: Folder) -> None:
    (said,) = folder.mistakes("id: a\nexpect:\n  contains: x\n  contian: y\n")
    assert said.startswith('a.yaml:4: unknown check "contian". Did you mean "contains"?')


def test_an_unknown_negated_check_names_the_closest_negated_one(folder: Folder) -> None:
    assert 'Did you mean "not_contains"?' in folder.mistakes("id: a\nexpect: {not-contian: y}\n")[0]


def test_all_mistakes_of_a_case_come_at_once(folder: Folder) -> None:
    said = folder.mistakes(
        """
        id: a
        outptu: hi
        should_pass: no
        expect:
          contian: x
          max_length: many
          contains: {value: x, case_sensitive: yes}
        rubrics: [{nam: tone}]
        """
    )
    assert [one.split(": ")[0] for one in said] == [f"a.yaml:{line}" for line in (2, 3, 5, 6, 7, 8)]


def test_a_missing_id_does_not_hide_other_mistakes(folder: Folder) -> None:
    assert len(folder.mistakes("input: x\nexpect: {contian: x}\n")) == 2


def test_all_mistakes_of_all_cases_and_files_come_at_once(folder: Folder) -> None:
    folder.write("b.yaml", "suite: b\ncases:\n  - {id: x, expect: {contian: y}}\n  - {id: y, outptu: z}\n")
    folder.write("c.yaml", "a: [\n")
    folder.write("sub/d.yaml", "suite: d\nfoo: 1\ncases: [{id: z}]\n")
    said = folder.mistakes("id: a\nexpct: 1\n")
    assert {one.split(": ")[0] for one in said} >= {"a.yaml:2", "b.yaml:3", "b.yaml:4", "sub/d.yaml:2", "sub/d.yaml:3"}
    assert any("c.yaml" in one and "not valid YAML" in one for one in said)


def test_a_mistake_of_the_suite_does_not_hide_those_of_its_cases(folder: Folder) -> None:
    said = folder.mistakes("suite: x\nfoo: 1\nvariants: {v: {prmpt: y}}\ncases:\n  - {id: a, expect: {contian: x}}\n")
    assert [one.split(": ")[0] for one in said] == ["a.yaml:2", "a.yaml:3", "a.yaml:5"]


def test_a_case_key_at_the_top_of_a_suite_is_sent_to_defaults(folder: Folder) -> None:
    (said,) = folder.mistakes("suite: x\nexpect: {contains: x}\ncases: [{id: a, output: x, expect: {contains: x}}]\n")
    assert said == 'a.yaml:2: unknown key "expect". Put it under "defaults".'


@pytest.mark.parametrize("word", ["yes", "no", "on", "off", "True"])
@pytest.mark.parametrize(
    "text",
    [
        "should_pass: WORD",
        "golden: WORD",
        "expect: {contains: {value: x, required: WORD}}",
        "expect: {contains: {value: x, case_sensitive: WORD}}",
        "expect: {json: WORD}",
        "rubrics: [{name: tone, required: WORD}]",
    ],
)
def test_only_true_and_false_are_booleans(folder: Folder, text: str, word: str) -> None:
    said = folder.mistakes(f"id: a\noutput: hi\n{text.replace('WORD', word)}\n")
    assert any("must be true" in one for one in said)


@pytest.mark.parametrize("written", ["no", "1.10", "012", "2024-01-01", "on", "1e3", "12:30", "true", "null_", '"~"'])
def test_a_list_of_texts_keeps_what_was_written(folder: Folder, written: str) -> None:
    case = folder.case(f"id: a\noutput: x\nexpect: {{contains: [{written}]}}\ntags: [{written}]\n")
    assert case.checks[0].check.value == (written.strip('"'),)
    assert case.tags == (written.strip('"'),)


@pytest.mark.parametrize("written", ["~", "null"])
def test_an_empty_item_of_a_list_of_texts_is_refused(folder: Folder, written: str) -> None:
    (said,) = folder.mistakes(f"id: a\noutput: x\nexpect:\n  contains: [{written}]\n")
    assert said.startswith('a.yaml:4: "contains" is empty (null)')


@pytest.mark.parametrize("key", ["rubrics", "tags", "vars", "turns", "tools"])
def test_a_key_left_empty_is_told_as_such(folder: Folder, key: str) -> None:
    (said,) = folder.mistakes(CASE + f"{key}:\n")
    assert said.startswith(f'a.yaml:4: "{key}" is empty')


def test_mistakes_of_nested_checks_keep_their_lines(folder: Folder) -> None:
    said = folder.mistakes(
        """
        id: a
        expect:
          any_of:
            - contains: x
            - all_of:
                - contian: y
                - max_length: -1
          at_least:
            n: 1
            of:
              - not_contian: z
        """
    )
    assert [one.split(": ")[0] for one in said] == ["a.yaml:6", "a.yaml:7", "a.yaml:11"]


def test_merge_keys_may_share_checks(folder: Folder) -> None:
    found = folder.write(
        "a.yaml",
        """
        suite: s
        cases:
          - id: a
            output: x
            expect: &shared {contains: x, max_length: 10}
          - id: b
            output: x
            expect: {<<: *shared, max_length: 5}
        """,
    )
    cases = folder.cases(found.name)
    assert [use.check.value for use in cases["b"].checks if use.metric == "max_length"] == [5]
    assert {use.metric for use in cases["b"].checks} == {"contains", "max_length"}


def test_a_check_needed_twice_stands_in_a_list(folder: Folder) -> None:
    case = folder.case(
        "id: a\nexpect:\n  - contains: x\n  - contains: {value: y, required: false}\n  - not-contains: z\n"
    )
    assert [(use.metric, use.required) for use in case.checks] == [
        ("contains", True),
        ("contains#2", False),
        ("not_contains", True),
    ]


@pytest.mark.parametrize("expect", ["hello", "[hello]", "12", "true", "[[contains]]"])
def test_an_expectation_of_another_form_is_refused(folder: Folder, expect: str) -> None:
    assert folder.mistakes(f"id: a\nexpect: {expect}\n")[0].startswith("a.yaml:2: ")


@pytest.mark.parametrize("document", ["hello", "[1, 2]", "12", "- id: a\n  expect: {contains: x}"])
def test_a_document_that_is_no_mapping_is_refused(folder: Folder, document: str) -> None:
    assert "this is neither" in folder.mistakes(document)[0]


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n---\n"])
def test_an_empty_file_is_no_scenario(folder: Folder, text: str) -> None:
    assert "a.yaml: no scenarios: the file is empty." in folder.mistakes(text)


@pytest.mark.parametrize("cases", ["[]", "", "{}", "12", '""', "true"])
def test_a_suite_without_cases_is_refused(folder: Folder, cases: str) -> None:
    assert folder.mistakes(f"suite: x\ncases: {cases}\n")[0].startswith("a.yaml:2: ")


def test_a_suite_that_lists_no_cases_at_all_is_refused(folder: Folder) -> None:
    assert folder.mistakes("suite: x\n") == ['a.yaml:1: "cases" is missing.']


@pytest.mark.parametrize("key", ["scenarios", "tests", "samples"])
def test_another_tools_list_of_cases_is_recognised(folder: Folder, key: str) -> None:
    (said,) = folder.mistakes(f"{key}:\n  - id: a\n    checks: []\n")
    assert said == f'a.yaml:1: unknown key "{key}". A suite lists its cases under `cases`.'


def test_an_unreadable_input_file_names_the_line_that_asks_for_it(folder: Folder) -> None:
    (said,) = folder.mistakes(CASE + "input: {file: nothing.txt}\n")
    assert said == "a.yaml:4: nothing.txt: no such file."


@pytest.mark.parametrize("name", ["a\\0b.txt", "x" * 5000, "."])
def test_a_name_that_no_file_can_have_is_no_crash(folder: Folder, name: str) -> None:
    (said,) = folder.mistakes(CASE + f'input: {{file: "{name}"}}\n')
    assert said.startswith("a.yaml:4: ")


def test_a_path_in_a_file_starts_at_that_file(folder: Folder) -> None:
    folder.write("sub/report.txt", "Q1\n")
    folder.write("sub/a.yaml", CASE + "input: {file: report.txt}\ncontext: {file: ../sub/report.txt}\n")
    case = folder.cases("sub")["a"]
    assert case.input == "Q1\n"
    assert case.context is not None
    assert case.context[0].text == "Q1\n"


def test_context_is_text_or_pieces(folder: Folder) -> None:
    case = folder.case(CASE + "context: [plain, {id: 012, text: one}, 1.10]\n")
    assert case.context is not None
    assert [(one.id, one.text) for one in case.context] == [(None, "plain"), ("012", "one"), (None, "1.10")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("context:\n  - {id: x}\n", 'a.yaml:5: "context.0.text" is missing.'),
        ("input: {fil: x}\n", 'a.yaml:4: unknown key "fil". Did you mean "file"?'),
        ("tools:\n  search:\n    result: x\n", 'a.yaml:6: unknown key "result". Did you mean "results"?'),
        (
            "tools:\n  search:\n    results:\n      - {when: {q: x}}\n",
            'a.yaml:7: "tools.search.results.0.result" is missing.',
        ),
        ("trials: 0\n", 'a.yaml:4: "trials.n" must be a whole number of at least 1, not "0".'),
        ("faux:\n  - {error: outage}\n", "a.yaml:4: "),
        ("config-dir: nowhere\n", "a.yaml:4: nowhere: no such config-dir."),
    ],
)
def test_a_mistake_inside_a_key_has_its_own_line(folder: Folder, text: str, said: str) -> None:
    assert any(one.startswith(said) for one in folder.mistakes(CASE + text))


def test_code_needs_leave(folder: Folder) -> None:
    (said,) = folder.mistakes("id: a\nexpect: {python: 'checks:f'}\n")
    assert said.startswith("a.yaml:2: ")
    assert "allow_code: true" in said
