"""An agent that says which revision it is, and can be told to take its time."""

import os
import time
from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict, total=False):
    question: str
    seconds: float
    answer: str
    revision: str


def reply(state: State) -> State:
    time.sleep(state.get("seconds", 0))
    with_key = ", with a key" if "MODEL_API_KEY" in os.environ else ""
    return {
        "answer": f"You asked: {state['question']}{with_key}",
        "revision": os.environ["GRAPH_HOST_REVISION_ID"],
    }


builder = StateGraph(State)
builder.add_node("reply", reply)
builder.add_edge(START, "reply")
builder.add_edge("reply", END)
graph = builder.compile()
