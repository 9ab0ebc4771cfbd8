import { describe, expect, test } from "vitest";
import { deleteRecords, recordsOf } from "../../../../action/github/records/retirement.ts";
import { DeploymentBody } from "../../../github/bodies.ts";
import { MAIN_SHA } from "../../../github/repository.ts";
import { records } from "./rig.ts";

describe("a deploy that is live", () => {
  test.each(["staging", "production"])("retires the one before in %s, and only that", async (environment) => {
    const { deployed, states } = await records();
    for (const runId of ["1", "2", "3"]) await deployed({ runId, environment });
    expect(states()).toEqual(["inactive", "inactive", "success"]);
  });

  test("leaves alone what other deployments and other environments have", async () => {
    const { deployed, states } = await records();
    await deployed({ name: "other" });
    await deployed({ environment: "production" });
    await deployed();
    expect(states()).toEqual(["success", "success", "success"]);
  });

  test("finds the one before behind failed ones, and leaves those as they are", async () => {
    const { deployed, recorder, states } = await records();
    await deployed({ runId: "1" });
    for (const state of ["failure", "error"] as const) {
      const one = recorder({ runId: "2" });
      await one.begin();
      await one.end(state, {});
    }
    await deployed({ runId: "3" });
    expect(states()).toEqual(["inactive", "failure", "error", "success"]);
  });

  test("looks at few of many", async () => {
    const { deployed, fake } = await records();
    for (let run = 1; run <= 12; run += 1) await deployed({ runId: String(run) });
    const before = fake.count("GET");
    await deployed({ runId: "13" });
    expect(fake.count("GET") - before).toBeLessThanOrEqual(3);
  });

  test("leaves alone what a deployment of the same name has in another service", async () => {
    const { deployed, recorder, states } = await records();
    await deployed({ service: "two" });
    await recorder({ service: "two", runId: "43" }).begin();
    await deployed({ attempt: 2 });
    expect(states()).toEqual(["success", "in_progress", "success"]);
  });

  test.each([
    ["does not serve any more is inactive", false, ["inactive", "success"]],
    ["serves is the one", true, ["success", "inactive"]],
  ])("and that ends after a newer one, and %s", async (_, isServing, ends) => {
    const { deployed, recorder, states, warnings } = await records();
    const older = recorder({ runId: "1" }, () => Promise.resolve(isServing));
    await older.begin();
    await deployed({ runId: "2" });
    await older.end("success", {});
    expect({ states: states(), warnings }).toEqual({ states: ends, warnings: [] });
  });

  test("and that ends after a newer one leaves both where the service does not say which serves, with a warning", async () => {
    const { deployed, recorder, states, warnings } = await records();
    const older = recorder({ runId: "1" }, () => Promise.reject(new Error("the service is away")));
    await older.begin();
    await deployed({ runId: "2" });
    await older.end("success", {});
    expect(states()).toEqual(["success", "success"]);
    expect(warnings).toEqual([expect.stringContaining("the service is away")]);
  });

  test("leaves an older one open that is still running", async () => {
    const { deployed, recorder, states } = await records();
    await recorder({ runId: "1" }).begin();
    await deployed({ runId: "2" });
    expect(states()).toEqual(["in_progress", "success"]);
  });
});

describe("a new attempt of a run", () => {
  test("retires what an earlier one left open, and no other run", async () => {
    const { deployed, recorder, states } = await records();
    await recorder({ runId: "7" }).begin();
    await recorder({ attempt: 1 }).begin();
    await deployed({ attempt: 2 });
    expect(states()).toEqual(["in_progress", "inactive", "success"]);
  });

  test("looks at no more than a hundred records", async () => {
    const { deployed, github, fake, warnings, states } = await records();
    const { owner, repo } = github;
    for (let made = 0; made < 250; made += 1) {
      const body = { ref: MAIN_SHA, task: "deploy:agent", environment: "staging" };
      fake.state.deployments.create(DeploymentBody.parse({ ...body, auto_merge: false, required_contexts: [] }), "x");
    }
    await deployed({ attempt: 2 });
    const lists = fake.requests.filter(
      ({ method, path }) => method === "GET" && path === `/repos/${owner}/${repo}/deployments`,
    );
    // One page for the attempts before, and one for the record before.
    expect(lists.length).toBeLessThanOrEqual(3);
    expect(warnings).toEqual([]);
    expect(states().at(-1)).toBe("success");
  });

  test("leaves a failed one as it is", async () => {
    const { deployed, recorder, states } = await records();
    const first = recorder({ attempt: 1 });
    await first.begin();
    await first.end("failure", {});
    await deployed({ attempt: 2 });
    expect(states()).toEqual(["failure", "success"]);
  });
});

test("the records of a place are deleted with their number, and no others", async () => {
  const { deployed, recorder, github, fake } = await records();
  await deployed({ runId: "1" });
  await deployed({ runId: "2" });
  await recorder({ runId: "3" }).begin();
  await deployed({ name: "other" });
  const ids = await recordsOf(github, { environment: "staging", task: "deploy:agent", service: "one" });
  expect(ids).toHaveLength(3);
  await deleteRecords(github, ids);
  expect(fake.state.deployments.all).toMatchObject([{ task: "deploy:other" }]);
});
