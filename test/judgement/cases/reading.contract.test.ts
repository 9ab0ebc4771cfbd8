import { expect, test } from "vitest";
import { casesRig, plain } from "./cases-rig.ts";

test("rows become cases with their trials, metrics and what is measured", async () => {
  const { write, read } = await casesRig();
  await write({
    "a.jsonl": [
      `{"id": "q-2", "input": "b", "expected": "B", "accuracy": 1, "tone": 0.5, "latency_ms": 20, "language": "de"}`,
      `{"id": "q-1", "input": "a", "expected": "A", "accuracy": 0, "tone": 0.25, "latency_ms": 30, "language": "en"}`,
      `{"id": "q-1", "input": "a", "expected": "A", "accuracy": 1, "tone": null, "latency_ms": 10, "language": "en"}`,
    ].join("\n"),
  });
  console.log(JSON.stringify(plain(await read()), null, 1));
});
