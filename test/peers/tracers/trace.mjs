// Sends the runs of a file to a service with the public SDK, and then a trace of its decorated functions.
import { readFile } from "node:fs/promises";
import { Client } from "langsmith";
import { traceable } from "langsmith/traceable";

const [url, file] = process.argv.slice(2);
const client = new Client({ apiUrl: url, apiKey: "key-of-the-tracers" });
for (const { made, added } of JSON.parse(await readFile(file, "utf8"))) {
  const { session_name: project_name, ...run } = made;
  await client.createRun({ ...run, project_name });
  const { id, ...rest } = added;
  await client.updateRun(id, rest);
}
await client.awaitPendingTraceBatches();

const options = { client, project_name: "decorated", tracingEnabled: true };
const inner = traceable(async (question) => ({ answer: question.toUpperCase() }), {
  ...options,
  name: "inner",
  run_type: "llm",
});
const outer = traceable(async (question) => await inner(question), { ...options, name: "outer" });
await outer("why?");
await client.awaitPendingTraceBatches();
