import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deleteRecords, previewRecordsOf } from "../../../../action/github/records/retirement.ts";
import { DeploymentBody, DeploymentStatusBody } from "../../../github/bodies.ts";
import { cut, lost } from "../../../github/faults.ts";
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

  test.each([
    ["that went live one after the other", "Replaced by a newer deployment"],
    ["of an earlier version", ""],
  ])("looks at few of many %s", async (_, description) => {
    const { deployed, fake, states } = await records();
    const task = "deploy:agent";
    for (let made = 1; made <= 60; made += 1) {
      const body = { ref: MAIN_SHA, task, environment: "staging", auto_merge: false, required_contexts: [] };
      const one = fake.state.deployments.create(DeploymentBody.parse(body), "x");
      if ("merged" in one) throw new Error(one.merged);
      const status = made === 60 ? { state: "success" } : { state: "inactive", description };
      fake.state.deployments.addStatus(one.id, DeploymentStatusBody.parse({ ...status, auto_inactive: false }), "x");
    }
    for (const runId of ["61", "62"]) {
      const before = fake.count("GET");
      await deployed({ runId });
      expect(fake.count("GET") - before).toBeLessThanOrEqual(35);
    }
    expect(states().filter((state) => state !== "inactive")).toEqual(["success"]);
  });

  test("and that ends after three newer ones, and serves, is retired by the next", async () => {
    const { deployed, recorder, states } = await records();
    const older = recorder({ runId: "1" });
    await older.begin();
    for (const runId of ["2", "3", "4"]) await deployed({ runId });
    await older.end("success", {});
    expect(states()).toEqual(["success", "inactive", "inactive", "inactive"]);
    await deployed({ runId: "5" });
    expect(states()).toEqual(["inactive", "inactive", "inactive", "inactive", "success"]);
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

  test("retires an older one that is open, and leaves a newer one that is", async () => {
    const { deployed, recorder, states } = await records();
    await recorder({ runId: "1" }).begin();
    const live = recorder({ runId: "2" });
    await live.begin();
    await recorder({ runId: "3" }).begin();
    await live.end("success", {});
    expect(states()).toEqual(["inactive", "success", "in_progress"]);
    await deployed({ runId: "4" });
    expect(states()).toEqual(["inactive", "inactive", "inactive", "success"]);
  });

  test.each([12, 130])("finds the one before behind %i failed ones", async (failures) => {
    const { deployed, states, fail } = await records();
    await deployed();
    await fail(failures);
    await deployed();
    expect(states().filter((state) => state === "success")).toHaveLength(1);
    expect(states().at(-1)).toBe("success");
  });

  test("retires what a deploy that did not wait has left, and so does one that does not wait either", async () => {
    const { deployed, recorder, states } = await records();
    await deployed();
    for (const runId of ["2", "3"]) {
      const one = recorder({ runId });
      await one.begin();
      await one.end("in_progress", {});
    }
    expect(states()).toEqual(["success", "inactive", "in_progress"]);
    await deployed();
    expect(states()).toEqual(["inactive", "inactive", "inactive", "success"]);
  });
});

describe("a new attempt of a run", () => {
  test("retires what an earlier one left open when it begins, and no other run", async () => {
    const { recorder, states } = await records();
    await recorder({ runId: "7" }).begin();
    await recorder({ attempt: 1 }).begin();
    await recorder({ attempt: 2 }).begin();
    expect(states()).toEqual(["in_progress", "inactive", "in_progress"]);
  });

  test("looks at no more than a hundred records", async () => {
    const { recorder, github, fake, warnings, states } = await records();
    const { owner, repo } = github;
    for (let made = 0; made < 250; made += 1) {
      const body = { ref: MAIN_SHA, task: "deploy:agent", environment: "staging" };
      fake.state.deployments.create(DeploymentBody.parse({ ...body, auto_merge: false, required_contexts: [] }), "x");
    }
    await recorder({ attempt: 2 }).begin();
    const lists = fake.requests.filter(
      ({ method, path }) => method === "GET" && path === `/repos/${owner}/${repo}/deployments`,
    );
    expect(lists.length).toBeLessThanOrEqual(2);
    expect(warnings).toEqual([]);
    expect(states().at(-1)).toBe("in_progress");
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
  await deployed({ runId: "1", preview: 7 });
  await deployed({ runId: "2", preview: 7 });
  await recorder({ runId: "3", preview: 7 }).begin();
  await deployed({ name: "other", preview: 7 });
  const ids = await previewRecordsOf(github, { environment: "staging", task: "deploy:agent", service: "one" });
  expect(ids).toHaveLength(3);
  await deleteRecords(github, ids);
  expect(fake.state.deployments.all).toMatchObject([{ task: "deploy:other" }]);
});

test("the records of what is no preview are not among those that go with one", async () => {
  const { deployed, github } = await records();
  await deployed();
  expect(await previewRecordsOf(github, { task: "deploy:agent", service: "one" })).toEqual([]);
});

/** What may happen to a deploy, to its runner, and to what GitHub answers it. */
const HAPPENINGS = ["live", "failed", "cancelled", "started", "dead", "lost", "lost and lagging", "cut short"] as const;

test("whatever happened to the deploys before, the next one leaves one success and nothing in progress", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...HAPPENINGS), { maxLength: 14 }), async (story) => {
      const { fake, recorder, deployed, states } = await records();
      const ends = { live: "success", failed: "failure", cancelled: "error", started: "in_progress" } as const;
      for (const [index, happening] of story.entries()) {
        fake.faults.clear();
        fake.state.deployments.lag.lists = happening === "lost and lagging" ? 3 : 0;
        if (happening.startsWith("lost")) fake.faults.add({ method: "POST", path: /\/deployments$/ }, lost);
        const one = recorder({ runId: String(index + 1) });
        await one.begin();
        if (happening === "dead") continue;
        if (happening === "cut short") {
          // Its own last status is the first, and the runner dies after the next one.
          fake.faults.add({ method: "POST", path: /\/statuses$/ }, {}, 2);
          fake.faults.add({}, cut, Infinity);
        }
        await one.end(happening in ends ? ends[happening as keyof typeof ends] : "success", {});
      }
      fake.faults.clear();
      fake.state.deployments.lag.lists = 0;
      // What no list had yet is in them by now.
      for (let lists = 0; lists < 4; lists += 1) fake.state.deployments.list(new URLSearchParams());
      await deployed({ runId: "99" });
      const open = states().filter((state) => state === undefined || state === "in_progress" || state === "success");
      expect(open, story.join(", ")).toEqual(["success"]);
      expect(states().at(-1)).toBe("success");
    }),
    { numRuns: 40 },
  );
});
