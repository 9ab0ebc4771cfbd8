"""What tracing-runs.ts does, by the public SDK for Python. Arguments: url, count, size, file of text."""
import datetime
import json
import os
import resource
import sys
import time

from langsmith import Client, uuid7

url, count, size, text_file = sys.argv[1:]
count, size = int(count), int(size)
# What comes while its queue is full is lost, and there would be less to compare.
os.environ["LANGSMITH_TRACING_QUEUE_MAX_SIZE"] = str(2 * count)
with open(text_file, encoding="latin1", newline="") as file:
    text = file.read()
begin, busy = time.perf_counter(), time.process_time()
# What it tells of the machine would be more than is compared.
client = Client(api_url=url, api_key="key-of-the-bench-0123456789", omit_traced_runtime_info=True)
for index in range(count):
    start = (2 * size * index) % (len(text) - 2 * size)
    question = text[start : start + size] + (" – ü" if index % 10 == 0 else "")
    answer = text[start + size : start + 2 * size]
    now = datetime.datetime.now(datetime.timezone.utc)
    id = uuid7()
    place = {"trace_id": id, "dotted_order": f"{now:%Y%m%dT%H%M%S%f}Z{id}"}
    client.create_run(
        "bench",
        {"question": question, "index": index},
        "chain",
        project_name="bench",
        id=id,
        start_time=now,
        **place,
    )
    client.update_run(
        id,
        end_time=datetime.datetime.now(datetime.timezone.utc),
        outputs={"answer": answer},
        **place,
    )
client.flush()
seconds, busy = time.perf_counter() - begin, time.process_time() - busy
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({"seconds": seconds, "processorSeconds": busy, "peakKilobytes": peak}))
