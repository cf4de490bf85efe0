"""Scenario files in, cases out: strict, with file and line in every complaint."""
