"""A plain loop with the public Python SDK: url, file of cases, how many at a time. One request a case, and no more is known."""

import asyncio
import json
import resource
import sys
import time

from langgraph_sdk import get_client

url, path, concurrency = sys.argv[1:4]


async def main() -> None:
    client = get_client(url=url, api_key="key-of-the-bench")
    gate = asyncio.Semaphore(int(concurrency))

    async def ask(case: dict) -> bool:
        async with gate:
            state = await client.runs.wait(None, "agent", input={"question": case["question"]})
        return state["messages"][-1]["content"] == case["answer"]

    with open(path, encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    right = await asyncio.gather(*(ask(case) for case in cases))
    assert all(right)


started = time.perf_counter()
asyncio.run(main())
seconds = time.perf_counter() - started
usage = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({"seconds": seconds, "peakKilobytes": usage.ru_maxrss}))
