"""A judge against people, and what follows for its numbers."""
