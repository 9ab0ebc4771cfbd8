import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

// What tracing-runs.ts does, by the public SDK, which is installed with the peers of the tests.
// Arguments: url, count, size, file of text.
const peers = createRequire(new URL("../test/peers/package.json", import.meta.url));
const load = (name) => import(pathToFileURL(peers.resolve(name).replace(/\.js$/, ".mjs")).href);
const { Client, uuid7FromTime } = await load("langsmith");
const { convertToDottedOrderFormat } = await load("langsmith/run_trees");

const [apiUrl, count, size, textFile] = process.argv.slice(2).map((each) => (/^\d+$/.test(each) ? Number(each) : each));
const text = readFileSync(textFile, "latin1");
const begin = performance.now();
const busy = process.cpuUsage();
// What it tells of the machine would be more than is compared.
const client = new Client({ apiUrl, apiKey: "key-of-the-bench-0123456789", omitTracedRuntimeInfo: true });
for (let index = 0; index < count; index++) {
  const start = (2 * size * index) % (text.length - 2 * size);
  const question = text.slice(start, start + size) + (index % 10 === 0 ? " – ü" : "");
  const answer = text.slice(start + size, start + 2 * size);
  const now = Date.now();
  const id = uuid7FromTime(now);
  const { dottedOrder } = convertToDottedOrderFormat(now, id, 1);
  const place = { trace_id: id, dotted_order: dottedOrder };
  const inputs = { question, index };
  const head = { ...place, id, name: "bench", run_type: "chain", project_name: "bench", start_time: now };
  await client.createRun({ ...head, inputs });
  await client.updateRun(id, { ...place, end_time: Date.now(), outputs: { answer } });
}
await client.awaitPendingTraceBatches();
const seconds = (performance.now() - begin) / 1000;
const { user, system } = process.cpuUsage(busy);
const peakKilobytes = process.resourceUsage().maxRSS;
console.log(JSON.stringify({ seconds, processorSeconds: (user + system) / 1e6, peakKilobytes }));
