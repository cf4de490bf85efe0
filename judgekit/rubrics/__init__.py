"""Outputs in, exact scores in [0, 1] out, without a model; and rubric files in, judged rubrics out."""
