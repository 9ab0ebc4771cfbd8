import { expect, test } from "vitest";
import type { FaultMatch } from "../../src/local/faults/faults.ts";
import { PROJECT, temporaryTree } from "../source/temporary-tree.ts";
import { IMAGE } from "./context.ts";
import { ProviderRun, service, stackOf } from "./provider-run.ts";

const API_KEY = "key-of-the-test-0123456789";
const REVISION = /^\/v2\/deployments\/[^/]+\/revisions\/[^/]+$/;
const uploaded = () => ({ name: "b", source: "internal_source", directory: { path: temporaryTree(PROJECT) } });

// No time passes on the clock of these runs while they wait: what does not end by itself never does.
test.each<[string, FaultMatch & { readonly skip?: number }, (run: ProviderRun) => Promise<unknown>]>([
  ["a create that looks for its revision", { path: REVISION }, (run) => run.create({ ...IMAGE, name: "b" })],
  ["a wait for a revision", { path: REVISION, skip: 1 }, (run) => run.create({ ...IMAGE, name: "b" })],
  ["a create of a directory that looks for its revision", { path: REVISION }, (run) => run.create(uploaded())],
  ["an upload", { method: "PUT" }, (run) => run.create(uploaded())],
])(
  "%s is over as soon as its run is cancelled, also where the service does not answer",
  { tags: "slow" },
  async (_, match, create) => {
    const there = await service(API_KEY);
    there.faults.nextRevision({ hold: "DEPLOYING" });
    const { skip = 0, ...matched } = match;
    const stall = { match: matched, skip, times: Number.POSITIVE_INFINITY, do: { kind: "stall" } } as const;
    const stalled = there.faults.add(stall);
    const run = new ProviderRun(stackOf(there.url, API_KEY));
    const work = expect(create(run)).rejects.toMatchObject({
      message: expect.stringContaining("interrupted"),
      id: expect.any(String),
    });
    await expect.poll(() => stalled.hits).toBeGreaterThan(0);
    await run.running.end();
    await work;
  },
);
