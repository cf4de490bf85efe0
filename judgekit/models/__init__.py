"""The one door to language models: a request in, a reply out, whoever answers."""
