import { connectTracing } from "../../src/index.ts";
import { RunIngest, Tracer } from "../../src/tracing/index.ts";

// Traces, and does not wait: what is on its way keeps the process alive, and nothing else does.
const [url = ""] = process.argv.slice(2);
const connection = connectTracing({ url, apiKey: "key" });
const tracer = new Tracer({
  ...connection,
  ingest: new RunIngest({ ...connection, lingerMilliseconds: 20 }),
  session: { session_name: "tests" },
});
for (let number = 0; number < 150; number += 1) void tracer.trace("work", { inputs: { number } }, () => ({ number }));
