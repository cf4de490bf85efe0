"""Registry and fixtures of agents in, exact scores and violations out: the release gate, without any model."""
