"""What judgekit is compared with: a plain loop that does the same four checks and writes one CSV."""

import csv
import json
import re
import sys

import jsonschema

SCHEMA = json.loads(open(sys.argv[2], encoding="utf-8").read())  # noqa: SIM115, PTH123
PATTERN = re.compile(r"ticket-[0-9]+")


def main() -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    with open(sys.argv[1], encoding="utf-8") as source, open(sys.argv[3], "w", encoding="utf-8", newline="") as target:  # noqa: PTH123
        writer = csv.writer(target)
        writer.writerow(["case_id", "contains", "regex", "max_length", "json_schema"])
        for line in source:
            row = json.loads(line)
            text = row["output"]
            writer.writerow(
                [
                    row["case_id"],
                    "refund" in text.casefold(),
                    bool(PATTERN.search(text)),
                    len(text.strip()) <= 900,
                    validator.is_valid(json.loads(text)),
                ]
            )


main()
