import { describe, expect, test } from "vitest";
import { cut, forbidden, mergedInstead, primaryLimit, refused, secondaryLimit } from "../../../github/faults.ts";
import type { Fault } from "../../../github/faults.ts";
import { MAIN_SHA } from "../../../github/repository.ts";
import { withRecords, LOG, records } from "./rig.ts";

const CREATE = { method: "POST", path: /\/deployments$/ };
const STATUS = { method: "POST", path: /\/statuses$/ };

describe("the record of a deploy", () => {
  test("is made on the commit, in progress with the log, and ends with the agent's address: three writes", async () => {
    const { fake, recorder, saved, warnings } = await records();
    const one = recorder();
    await one.begin();
    expect(fake.requests.map(({ method }) => method)).toEqual(["POST", "POST"]);
    const facts = { environmentUrl: "https://agent.example", description: "revision 7c1a64e2, 1 min 31 s" };
    await one.end("success", facts);
    const [record, ...others] = fake.state.deployments.all;
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      sha: MAIN_SHA,
      environment: "staging",
      task: "deploy:agent",
      payload: { name: "agent", preview: false, run_id: "42", run_attempt: 1 },
      statuses: [
        { state: "in_progress", logUrl: LOG },
        { state: "success", logUrl: LOG, environmentUrl: "https://agent.example", description: facts.description },
      ],
    });
    expect(fake.count("POST")).toBe(3);
    expect(fake.requests[0]?.body).toMatchObject({ auto_merge: false, required_contexts: [] });
    expect(saved.map((state) => (state === "" ? state : "record"))).toEqual([...["record", "record", "record", ""]]);
    expect(warnings).toEqual([]);
  });

  withRecords("of a source that was live already is made at its end", async ({ fake, recorder, states }) => {
    await recorder().end("success", {});
    expect(states()).toEqual(["success"]);
    expect(fake.count("POST")).toBe(2);
  });

  withRecords("is not made for a deploy that wrote nothing", async ({ fake, recorder }) => {
    await recorder().end("error", {});
    expect(fake.requests).toEqual([]);
  });

  withRecords("may have been deleted with its preview", async ({ fake, recorder, warnings }) => {
    const one = recorder();
    await one.begin();
    for (const { id } of fake.state.deployments.all) fake.state.deployments.delete(id);
    await one.end("inactive", {});
    expect(warnings).toEqual([]);
  });

  test("stays open, names its revision, and is left alone by the post script, when the step did not wait", async () => {
    const { fake, recorder, states, saved } = await records();
    const one = recorder();
    await one.begin();
    await one.end("in_progress", { description: "started, revision 7c1a64e2, 2.1 s" });
    expect(states()).toEqual(["in_progress"]);
    expect(fake.state.deployments.all[0]?.statuses.at(-1)?.description).toBe("started, revision 7c1a64e2, 2.1 s");
    expect(saved.at(-1)).toBe("");
  });
});

describe("a record that proves whose a deployment is", () => {
  withRecords("names the revision as soon as there is one", async ({ fake, proof }) => {
    await proof.begin();
    await proof.noteRevision("7c1a64e2");
    const [record] = fake.state.deployments.all;
    expect(record?.statuses.map(({ description }) => description)).toEqual(["", "revision 7c1a64e2"]);
  });

  test.each([
    ["made again with the revision, if GitHub refused it once", 1, ["in_progress"], ["success"]],
    ["made again at the end, if GitHub refused it twice", 2, [], ["success"]],
    ["not made where GitHub refuses it each time", Infinity, [], []],
  ])("is %s", async (_, refusals, before, after) => {
    const { fake, proof, states, warnings, saved } = await records();
    fake.faults.add(CREATE, refused(422, "No ref found"), refusals);
    await proof.begin();
    await proof.noteRevision("7c1a64e2");
    expect(states()).toEqual(before);
    await proof.end("success", { description: "revision 7c1a64e2" });
    expect({ states: states(), warnings: warnings.length, saved: saved.at(-1) }).toEqual({
      ...{ states: after, warnings: 1, saved: "" },
    });
    expect(fake.count("POST", CREATE.path)).toBeLessThanOrEqual(3);
  });

  withRecords("is not made for a deploy that made nothing", async ({ fake, proof, states }) => {
    fake.faults.add(CREATE, refused(422, "No ref found"));
    await proof.begin();
    await proof.end("error", {});
    expect(states()).toEqual([]);
  });
});

describe("what GitHub refuses is one warning, and the deploy continues", () => {
  const NO: readonly (readonly [string, Fault, RegExp, number])[] = [
    ["a missing permission", forbidden("deployments=write"), /`deployments: write`/, 1],
    ["a merge instead of a record", mergedInstead, /202/, 1],
    ["a conflict", refused(409, "Conflict"), /409/, 1],
    ["a commit that it does not know", refused(422, "No ref found for: x"), /422/, 1],
    ["a failure of its own", refused(500), /500/, 4],
    ["a limit of the hour that ends late", primaryLimit(1_800), /403/, 1],
    ["a limit that continues after one wait", secondaryLimit(20), /403/, 2],
  ];

  test.each(NO)("%s", async (_what, fault, said, mostCreates) => {
    const { fake, recorder, warnings, saved } = await records();
    fake.faults.add(CREATE, fault, Infinity);
    const one = recorder();
    await one.begin();
    await one.end("success", {});
    expect(warnings).toEqual([expect.stringMatching(said)]);
    expect(fake.count("POST", CREATE.path)).toBeLessThanOrEqual(mostCreates);
    expect(fake.count("POST", STATUS.path)).toBe(0);
    // After a failure of its own GitHub may have made the record: the post script looks for it.
    expect(saved.at(-1)).toEqual(fault.instead?.(new Date()).status === 500 ? expect.stringContaining("find") : "");
  });

  test("a token that may only read", async () => {
    const { fake, recorder, warnings } = await records({ readOnly: true });
    const one = recorder();
    await one.begin();
    await one.end("failure", {});
    expect(warnings).toEqual([expect.stringContaining("`deployments: write`")]);
    expect(fake.requests).toHaveLength(1);
  });

  test("an outage after the record was made, which the post script may close", async () => {
    const { fake, recorder, warnings, saved } = await records();
    const one = recorder();
    await one.begin();
    fake.faults.add({}, cut, Infinity);
    await one.end("success", {});
    expect(warnings).toHaveLength(1);
    expect(saved.map((state): unknown => JSON.parse(state))).toMatchObject([
      { state: "error", find: { sha: MAIN_SHA, task: "deploy:agent" } },
      ...[{ state: "error", id: expect.any(Number) }, { state: "success" }],
    ]);
  });
});

test.each([
  ["is made again for what is live after all", "success", ["success"]],
  ["is not made again for what is removed", "inactive", []],
] as const)("a record that a removal deleted %s", async (_, state, states) => {
  const found = await records();
  const one = found.recorder();
  await one.begin();
  found.fake.state.deployments.delete(found.fake.state.deployments.all[0]?.id ?? 0);
  await one.end(state, {});
  expect({ states: found.states(), warnings: found.warnings, saved: found.saved.at(-1) }).toEqual({
    ...{ states, warnings: [], saved: "" },
  });
});

withRecords("a rate limit that ends is waited for", async ({ fake, deployed, states, warnings, clock }) => {
  fake.faults.add(CREATE, secondaryLimit(15));
  await deployed();
  expect(clock.sleeps).toContain(15_000);
  expect(states()).toEqual(["success"]);
  expect(warnings).toEqual([]);
});
