"""Output in, Verdict out: prompts a model with a rubric and reads what it replies, or says why it can't be read."""
