import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ question: Annotation(), answer: Annotation(), revision: Annotation() });

// The JS server reports no revision in /info: a run proves which one answers, and that the secret is there.
const reply = ({ question }) => ({
  answer: `You asked: ${question}${process.env.MODEL_API_KEY === undefined ? "" : ", with a key"}`,
  revision: process.env.GRAPH_HOST_REVISION_ID,
});

export const graph = new StateGraph(State)
  .addNode("reply", reply)
  .addEdge(START, "reply")
  .addEdge("reply", END)
  .compile();
