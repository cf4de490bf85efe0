"""A finished run in, files for people and machines out; nothing here computes a result."""
