import { onTestFinished, expect, test } from "vitest";
import * as z from "zod";
import { runFaults } from "../../src/contract/run-rules.ts";
import { Run } from "../../src/contract/run.ts";
import { startLocalService } from "../../src/local/index.ts";
import { connectTracing } from "../../src/index.ts";
import { RunIngest, Tracer, type ActiveRun } from "../../src/tracing/index.ts";
import { FlakyFront } from "./flaky-front.ts";
import { seeded } from "./seeded.ts";

const RUNS = 100_000;
const DEPTH = 8;
const PAGE = 1000;
const Numbered = z.object({ number: z.number() });
const Page = z.object({ resources: z.array(Run), total: z.number() });

/** One trace of so many runs; answers their names in the order in which they were begun, as a tree. */
async function grow(tracer: Tracer, count: number): Promise<readonly string[]> {
  const random = seeded("tree");
  const names = ["run 0"];
  const root = tracer.start("run 0", { inputs: { number: 0 } });
  const path: ActiveRun[] = [root];
  while (names.length < count) {
    // As deep as it may be, or up again: the shape is that of any recursive work.
    while (path.length > 1 && (path.length === DEPTH || random() < 0.5)) {
      const done = path.pop();
      await done?.end({ depth: path.length });
    }
    const number = names.length;
    const parent = path.at(-1) ?? root;
    path.push(parent.child(`run ${String(number)}`, { inputs: { number, text: "é".repeat(number % 50) } }));
    names.push(`${"  ".repeat(path.length - 1)}run ${String(number)}`);
  }
  for (const run of path.toReversed()) await run.end({ depth: 0 });
  return names;
}

test("a trace of 100,000 runs arrives complete and in order, although 5 % of requests get a 429 and 2 % are cut", async () => {
  const service = await startLocalService({ apiKey: "key" });
  onTestFinished(() => service.close());
  const front = await FlakyFront.open(service.url, { limited: 0.05, reset: 0.02 }, "a trace");
  await using connection = connectTracing({ url: front.url, apiKey: "key" });
  const ingest = new RunIngest(connection);
  const tracer = new Tracer({ ...connection, ingest, session: { session_name: "a storm" } });
  const names = await grow(tracer, RUNS);
  expect(await tracer.flush()).toEqual({ accepted: RUNS, stored: RUNS, dropped: 0, rejected: 0, unsent: 0 });
  console.log(`Met on the way: ${String(front.faults.limited)} answers of 429, ${String(front.faults.reset)} cuts`);
  expect(front.faults.limited).toBeGreaterThan(10);
  expect(front.faults.reset).toBeGreaterThan(4);

  const found: string[] = [];
  const seen = new Set<string>();
  for (let offset = 0; offset < RUNS; offset += PAGE) {
    const query = `session=a+storm&limit=${String(PAGE)}&offset=${String(offset)}`;
    const answer = await fetch(`${service.url}/runs?${query}`, { headers: { "x-api-key": "key" } });
    const { resources, total } = Page.parse(await answer.json());
    expect(total).toBe(RUNS);
    // One look at each page: half a million of them would take longer than all that they look at.
    const wrong = resources.flatMap((run) => {
      const depth = (run.dotted_order ?? "").split(".").length - 1;
      found.push(`${"  ".repeat(depth)}${run.name ?? ""}`);
      // In the order of their places a parent comes before its children.
      const isInOrder = run.parent_run_id == null || seen.has(run.parent_run_id);
      seen.add(run.id);
      const { number } = Numbered.parse(run.inputs);
      return [
        ...runFaults(run, { made: true }),
        ...(isInOrder ? [] : ["before its parent"]),
        ...(run.name === `run ${String(number)}` ? [] : [`the inputs of run ${String(number)}`]),
        ...(run.outputs === undefined ? ["without outputs"] : []),
        ...(run.end_time === undefined ? ["without an end"] : []),
      ].map((what) => [run.id, what]);
    });
    expect(wrong).toEqual([]);
  }
  expect(found).toHaveLength(RUNS);
  expect(found.findIndex((name, index) => name !== names[index])).toBe(-1);
});
