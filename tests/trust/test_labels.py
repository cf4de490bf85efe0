"""Label files that people really hand in: what can be said is said, the rest is refused by line, with the reason."""

from __future__ import annotations

import pytest

import judgekit
from judgekit.errors import InputError

SCORES = {f"c{number}": 1 + number % 5 for number in range(12)}
PEOPLE = {case_id: "pass" if score >= 3 else "fail" for case_id, score in SCORES.items()}


@pytest.fixture
def run(lab):
    return lab.score(SCORES)


def row(run, of="c0", **cells):
    (case,) = (one for one in run.data.cases if one.case_id == of)
    base = {"run_id": "r", "case_id": of, "variant": "default", "trial": 0, "rubric": "good", "label": "pass"}
    return base | {"output_hash": case.output_hash, "sampling": "random", "blind": "true"} | cells


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ({"case_id": "zzz"}, 'run r has no case "zzz"'),
        ({"variant": "v9"}, 'run r has no variant "v9" of this case'),
        ({"trial": 3}, "run r has no such output"),
        ({"output_hash": "0" * 64}, "run r has another output there (output_hash differs)"),
        ({"run_id": "old", "output_hash": ""}, "of run old, and without output_hash nobody knows"),
        ({"rubric": "god"}, 'the run has no judged rubric "god". Did you mean "good"?'),
        ({"label": "", "score": 9}, "good: the scale is 1 to 5, the score is not on it"),
        ({"label": "", "score": "4,5"}, 'score: a number with a decimal point is wanted, not "4,5"'),
        ({"label": "maybe"}, 'good: the label "maybe" is unknown; known are pass, fail, yes, no, 1, 0'),
        ({"label": "pass", "score": 1}, "good: label and score contradict each other (it passes at 4)"),
        ({"label": "", "score": ""}, "neither a label nor a score"),
        ({"sampling": "some"}, 'sampling: random or chosen is wanted, not "some"'),
        ({"trial": "first"}, 'trial: a whole number from 0 is wanted, not "first"'),
    ],
)
def test_a_row_that_fits_nothing_is_named_by_its_line(lab, run, cells, said):
    file = lab.rows([row(run, "c1"), row(run, **cells)])

    notes = lab.calibrate(file, run="r").notes

    assert any(note.startswith(f"labels.csv: line 3 not used: {said}") for note in notes)


def test_what_one_annotator_says_both_ways_is_not_used_at_all(lab, run):
    rows = [
        row(run, "c1", annotator="ann"),
        row(run, "c0", annotator="ann"),
        row(run, "c0", label="no", annotator="ann"),
    ]

    found = lab.calibrate(lab.rows(rows))

    assert 'labels.csv: lines 3, 4 not used: contradictory labels by ann on case "c0" (good)' in found.notes
    assert found.records[0].figures["n_outputs"] == 1


def test_two_annotators_may_differ_and_an_even_split_stands_in_no_figure(lab, run):
    rows = [row(run, "c0", annotator="a"), row(run, "c0", label="fail", annotator="b"), row(run, "c1", annotator="a")]

    found = lab.calibrate(lab.rows(rows))

    assert any(note.startswith("labels.csv: lines 2, 3: the annotators are evenly split") for note in found.notes)
    figures = found.records[0].figures
    assert (figures["estimates"]["agreement"]["n"], figures["n_compared"]) == (1, 1)


def test_the_same_row_twice_counts_once(lab, run):
    found = lab.calibrate(lab.rows([row(run), row(run)]))

    assert "labels.csv: line 3 not used: an earlier row says the same" in found.notes
    assert found.records[0].figures["n_outputs"] == 1


def test_a_scale_in_the_label_column_takes_no_1_for_pass(lab, run):
    rows = [row(run, f"c{number}", label=str(score)) for number, score in enumerate([1, 4, 5])] + [row(run, "c9")]

    found = lab.calibrate(lab.rows(rows))

    said = "labels.csv: lines 2, 3, 4 not used: good: a label is pass or fail; numbers belong in the column score"
    assert said in found.notes
    assert [pair.case_id for pair in found.records[0].pairs] == ["c9"]


def test_fewer_than_ten_labels_give_a_rate_and_no_coefficient(lab, run):
    (record,) = lab.calibrate(lab.label(run, {name: PEOPLE[name] for name in list(PEOPLE)[:7]})).records

    figures = record.figures["estimates"]
    assert figures["agreement"]["value"] is not None
    assert (figures["kappa"]["value"], figures["kappa"]["reason"]) == (None, "only 7 labels, at least 10 are needed")
    assert (record.level, record.sentence) == ("uncalibrated", "not calibrated: only 7 labels, at least 10 are needed")


def test_labels_of_one_class_leave_kappa_and_one_hit_rate_undefined(lab):
    run = lab.score(dict.fromkeys(SCORES, 5))

    (record,) = lab.calibrate(lab.label(run, dict.fromkeys(SCORES, "pass"))).records

    figures = record.figures["estimates"]
    assert figures["agreement"]["value"] == 1
    assert figures["kappa"]["reason"] == "undefined: only one label was used, by both raters"
    assert figures["specificity"]["reason"] == "people failed none of these outputs"
    assert record.level == "weak"
    assert record.sentence.startswith("cannot be told from chance: kappa undefined: only one label was used")


def test_rows_that_were_chosen_or_not_blind_or_do_not_say_are_counted_and_named(lab, run):
    cells = ({"sampling": "chosen"}, {"blind": "false"}, {"sampling": "", "blind": ""}, {"output_hash": ""})
    rows = [row(run, f"c{number}", **one) for number, one in enumerate(cells)]

    notes = lab.calibrate(lab.rows(rows)).notes

    assert [note.partition(": ")[2][:40] for note in notes] == [
        "line 2: chosen, not drawn at random: cou",
        "line 3: the annotator saw the verdict, w",
        "line 4: the file does not say whether th",
        "line 4: the file does not say how the ou",
        "line 5: without output_hash, taken for l",
    ]


def test_a_label_of_an_older_run_counts_where_the_output_is_the_same(lab, run):
    found = lab.calibrate(lab.rows([row(run, run_id="older")]), run="r")

    assert found.records[0].figures["n_outputs"] == 1


def test_an_id_that_a_table_neutralised_is_found(lab):
    run = lab.score({"=a": 5, "b": 5})

    found = lab.calibrate(lab.rows([row(run, "=a", case_id="'=a")]))

    assert [pair.case_id for pair in found.records[0].pairs] == ["=a"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("case_id,label\n", "labels.csv: holds no labels."),
        ("case,label\nc0,pass\n", 'labels.csv: there is no column case_id. Did you mean "case"?'),
        ("case_id,rubric\nc0,good\n", "labels.csv: there is neither a column label nor a column score."),
        ("case_id,label,sampelling\nc0,pass,x\n", 'labels.csv: unknown column "sampelling". Did you mean "sampling"?'),
        ("case_id,label\nc0,pass\n", "labels.csv: no run_id says which run the labels are of: give --run"),
        ("case_id,label,run_id\nc0,pass,r\nc1,pass,s\n", "labels.csv: the labels are of 2 runs (r, s): choose one"),
        ("case_id,label,run_id\nx,pass,r\n", 'line 2 not used: run r has no case "x"\nlabels.csv: no row can be used'),
        ("case_id,label,run_id\nc0,pass,gone\n", 'no run "gone"'),
    ],
)
def test_a_file_that_says_nothing_is_refused(lab, run, text, said):
    lab.write("labels.csv", text)

    with pytest.raises(InputError) as refused:
        lab.calibrate(lab.folder / "labels.csv")

    assert said in str(refused.value)


def test_a_run_with_two_rubrics_wants_to_be_told_which(lab):
    lab.write("rubrics/kind.yaml", "name: kind\nquestion: Is it kind?\nscale: {min: 1, max: 5}\nneeds: [output]\n")
    run = lab.score(SCORES, rubrics=["good", "kind"])

    with pytest.raises(InputError, match="say in a column rubric which of good, kind"):
        lab.calibrate(lab.rows([row(run, rubric="")]))


def test_a_run_without_a_judge_has_nothing_to_calibrate(lab):
    lab.write("scenarios/s.yaml", "name: a\ninput: Q\noutput: A\nexpect: {contains: [a]}\n")
    run = judgekit.score(run_id="r2")

    with pytest.raises(InputError, match="run r2 has no judged rubric"):
        lab.calibrate(lab.rows([{"run_id": run.path.name, "case_id": "a", "label": "pass"}]))
