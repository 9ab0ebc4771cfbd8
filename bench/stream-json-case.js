import { createReadStream } from "node:fs";
import { performance } from "node:perf_hooks";
import chain from "stream-chain";
import { parser } from "stream-json";
import { pick } from "stream-json/filters/pick.js";
import { streamArray } from "stream-json/streamers/stream-array.js";

// What experiments-child.ts does, by stream-json. Arguments: file, how many rows it holds.
const [file, expected] = process.argv.slice(2);
const begin = performance.now();
let count = 0;
for await (const { value } of chain([createReadStream(file), parser(), pick({ filter: "results" }), streamArray()])) {
  if ("row_id" in value) count++;
}
const seconds = (performance.now() - begin) / 1000;
if (count !== Number(expected)) throw new Error(`${file} has ${expected} rows, and ${count} were read`);
console.log(JSON.stringify({ seconds, peakKilobytes: process.resourceUsage().maxRSS }));
