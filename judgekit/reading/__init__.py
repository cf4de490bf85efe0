"""Files of the user in, plain values with line numbers out; every mistake of a file in one message."""
