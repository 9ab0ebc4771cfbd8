import { AgentServer } from "../../src/agent-server/client.ts";
import { runEvaluation } from "../../src/evaluation/run.ts";
import { systemClock } from "../../src/http/clock.ts";
import { Endpoint } from "../../src/http/endpoint.ts";
import { HttpClient } from "../../src/http/http-client.ts";
import { requestIn } from "./request.ts";

// One evaluation in a process of its own: the address of the server, the directory, and a nonce if there is one.
const [, , url = "", directory = "", nonce] = process.argv;
const http = new HttpClient({ clock: systemClock, random: () => 0 });
await runEvaluation(requestIn(directory, { nonce, trials: 2 }), {
  server: new AgentServer({ endpoint: new Endpoint(url, {}), http }),
  // Ids follow from it: here they are to be the same on each server.
  ...{ url: "http://agent.example", tracer: undefined, env: {}, workspace: directory, clock: systemClock },
  signal: new AbortController().signal,
  emit: () => undefined,
  redact: (text) => text,
  isSecret: () => false,
});
await http.close();
