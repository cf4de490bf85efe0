"""The text of an output in; headings, fences, JSON, folded text out: what checks and rubrics read answers with."""
