"""What judgekit is compared with: a bare loop of litellm calls in threads, nothing read and nothing kept.

python tests/bench/plain_live.py PROMPTS_JSON CONCURRENCY full|bare
"""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import litellm


def main() -> None:
    said = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    params = said["params"] if sys.argv[3] == "full" else {}

    def ask(prompt: str) -> str:
        messages = [{"role": "user", "content": prompt}]
        # A bound, so that one lost connection does not hold the bench.
        reply = litellm.completion(model="gpt-4o", messages=messages, timeout=60, **params)
        return str(reply.choices[0].message.content)

    with ThreadPoolExecutor(int(sys.argv[2])) as pool:
        replies = list(pool.map(ask, said["prompts"]))
    print(len(replies))


main()
