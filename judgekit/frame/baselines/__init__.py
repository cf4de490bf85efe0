"""A run and what it is held to in; what got worse, and the rules of the gate about it, out."""
