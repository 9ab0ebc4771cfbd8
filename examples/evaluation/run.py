"""Asks the support desk the questions of cases.jsonl, and writes a line of results for each.

    PYTHONPATH=agent python3 evaluation/run.py --shard 1 --of 3 --output results/shard-1.jsonl
"""

import argparse
import json
from datetime import datetime, timezone
from pathlib import Path

from support_desk.support import answer

CASES = Path(__file__).with_name("cases.jsonl")


def now() -> str:
    return datetime.now(timezone.utc).isoformat()


def result_of(case: dict) -> dict:
    """What the desk says to one question, and two scores of it."""
    row = {"id": case["id"], "input": case["question"], "expected_output": case["source"] or "a colleague"}
    start = now()
    try:
        state = answer({"question": case["question"]})
    except Exception as error:
        return {**row, "error": f"{type(error).__name__}: {error}", "start_time": start, "end_time": now()}
    facts = case["facts"]
    return {
        **row,
        "output": state["answer"],
        "start_time": start,
        "end_time": now(),
        # A boolean is a score of 1 or 0.
        "correct": state["source"] == case["source"],
        "complete": sum(fact in state["answer"] for fact in facts) / len(facts),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--shard", type=int, default=1)
    parser.add_argument("--of", type=int, default=1)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    options.output.parent.mkdir(parents=True, exist_ok=True)
    with options.output.open("w", encoding="utf-8") as file:
        for case in cases[options.shard - 1 :: options.of]:
            file.write(json.dumps(result_of(case)) + "\n")


main()
