"""Sends the runs of a file to a service with the public SDK, and then a trace of its decorated functions."""

import json
import sys
from datetime import datetime

from langsmith import Client, traceable

url, file = sys.argv[1:]
client = Client(api_url=url, api_key="key-of-the-tracers")


def times(fields):
    return {k: datetime.fromisoformat(v) if k.endswith("_time") else v for k, v in fields.items()}


with open(file, encoding="utf-8") as lines:
    for run in json.load(lines):
        made = times(run["made"])
        client.create_run(project_name=made.pop("session_name"), **made)
        added = times(run["added"])
        client.update_run(added.pop("id"), **added)
client.flush()


@traceable(name="inner", run_type="llm", client=client, project_name="decorated", enabled=True)
def inner(question):
    return {"answer": question.upper()}


@traceable(name="outer", client=client, project_name="decorated", enabled=True)
def outer(question):
    return inner(question)


outer("why?")
client.flush()
