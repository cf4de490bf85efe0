"""Output in, CheckResult out: rules without a model, pure and fast."""
