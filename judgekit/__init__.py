"""judgekit: repeatable scenarios for LLM agents."""
