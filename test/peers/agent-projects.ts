/** Files of an agent that can be told how to end, and when: after a time, or once a file is there; beside a graph that cannot even be made. */
export const JS_FILES: Readonly<Record<string, string>> = {
  "langgraph.json": JSON.stringify({
    node_version: "22",
    graphs: { agent: "./agent.ts:graph", broken: "./broken.mjs:graph" },
    env: {},
  }),
  "broken.mjs": 'export const graph = () => {\n  throw new Error("the graph cannot be made");\n};\n',
  // The JS server reports the schemas of graphs in TypeScript only.
  "agent.ts": `import { existsSync } from "node:fs";
import { Annotation, END, START, StateGraph, interrupt } from "@langchain/langgraph";

const State = Annotation.Root({
  question: Annotation<string>(),
  seconds: Annotation<number>(),
  fail: Annotation<string>(),
  holdUntil: Annotation<string>(),
  end: Annotation<string>(),
  answer: Annotation<string>(),
});

const reply = async ({ question, seconds, fail, holdUntil, end }: typeof State.State) => {
  await new Promise((resolve) => setTimeout(resolve, 1000 * (seconds ?? 0)));
  while (holdUntil !== undefined && !existsSync(holdUntil)) await new Promise((resolve) => setTimeout(resolve, 20));
  if (fail !== undefined) throw new TypeError(fail + "\\nand a second line");
  if (end === "empty") return {};
  if (end === "interrupted") interrupt("May I go on?");
  return { answer: "You asked: " + question };
};

export const graph = new StateGraph(State)
  .addNode("reply", reply)
  .addEdge(START, "reply")
  .addEdge("reply", END)
  .compile();
`,
};

/** The same for the Python server. */
export const PYTHON_FILES: Readonly<Record<string, string>> = {
  "langgraph.json": JSON.stringify({
    python_version: "3.11",
    dependencies: ["."],
    graphs: { agent: "./agent.py:graph", broken: "./broken.py:graph" },
  }),
  "broken.py": 'def graph():\n    raise ValueError("the graph cannot be made")\n',
  "agent.py": `import os.path
import time
from typing import TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt


class State(TypedDict, total=False):
    question: str
    seconds: float
    fail: str
    holdUntil: str
    end: str
    answer: str


def reply(state: State) -> State:
    time.sleep(state.get("seconds", 0))
    while "holdUntil" in state and not os.path.exists(state["holdUntil"]):
        time.sleep(0.02)
    if "fail" in state:
        raise TypeError(state["fail"] + "\\nand a second line")
    if state.get("end") == "empty":
        return {}
    if state.get("end") == "interrupted":
        interrupt("May I go on?")
    return {"answer": f"You asked: {state['question']}"}


builder = StateGraph(State)
builder.add_node("reply", reply)
builder.add_edge(START, "reply")
builder.add_edge("reply", END)
graph = builder.compile()
`,
};
