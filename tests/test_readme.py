"""README promises two commands; CI has to run the same."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
FIRST, SECOND = re.findall(r"^python3 -m venv .*$", README, flags=re.MULTILINE)


def test_the_first_command_scores_the_shipped_scenarios():
    assert FIRST.endswith("judgekit score")


def test_ci_calls_the_test_command_of_readme():
    assert SECOND in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_readme_names_no_foreign_package():
    # Two other projects own these names in the public index.
    assert not re.search(r"pip install[^\n]*\bjudgekit(-eval)?\b(?!/)", README.replace(FIRST, ""))
