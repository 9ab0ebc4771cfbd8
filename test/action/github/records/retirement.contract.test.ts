import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deleteRecords, previewRecordsOf } from "../../../../action/github/records/retirement.ts";
import type { RecordState } from "../../../../action/github/records/states.ts";
import { cut, forbidden, lost, refused, type Fault } from "../../../github/faults.ts";
import { withRecords, records } from "./rig.ts";

const times = (count: number, state: RecordState | undefined) => Array.from({ length: count }, () => state);

describe("a deploy that is live", () => {
  test.each(["staging", "production"])("retires the one before in %s, and only that", async (environment) => {
    const { deployed, states } = await records();
    for (const runId of ["1", "2", "3"]) await deployed({ runId, environment });
    expect(states()).toEqual(["inactive", "inactive", "success"]);
  });

  withRecords("leaves alone what other deployments and other environments have", async ({ deployed, states }) => {
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

  test.each<[string, number, readonly (RecordState | undefined)[]]>([
    ["a dead runner's, below forty that were replaced", 2, ["in_progress", ...times(40, "inactive")]],
    ["one without a state, below forty that were replaced", 2, [undefined, ...times(40, "inactive")]],
    ["a live one below forty that were replaced", 2, ["success", ...times(40, "inactive")]],
    ["a live one below eleven that failed", 2, ["success", ...times(11, "failure")]],
    ["a live one below 230 that failed", 6, ["success", ...times(230, "failure")]],
    ["a live one and an open one below 980 that failed", 20, ["success", "in_progress", ...times(980, "error")]],
    ["a live one below 130 that did not wait", 4, ["success", ...times(130, "inactive")]],
    ["a live one of the newest of 450 that were replaced", 2, [...times(450, "inactive"), "success"]],
    ["a live one of the newest of more than it reads", 20, [...times(1_200, "failure"), "success"]],
  ])("closes %s: two requests for a hundred records", { tags: "slow" }, async (_, most, before) => {
    const { deployed, fake, left, states, warnings } = await records();
    left(...before);
    fake.requests.length = 0;
    await deployed({ runId: "99" });
    const reads = fake.requests.filter(({ method, path }) => method === "GET" || path === "/graphql");
    expect(reads.length).toBeLessThanOrEqual(most);
    expect(
      states().filter((state) => state === undefined || !["error", "failure", "inactive"].includes(state)),
    ).toEqual(["success"]);
    expect({ last: states().at(-1), warnings }).toEqual({ last: "success", warnings: [] });
  });

  test.each([3, 40])(
    "and that ends after %i newer ones, and serves, is retired by the next",
    { tags: "slow" },
    async (newer) => {
      const { deployed, recorder, states } = await records();
      const older = recorder({ runId: "1" });
      await older.begin();
      for (let run = 0; run < newer; run += 1) await deployed({ runId: String(run + 2) });
      await older.end("success", {});
      expect(states()).toEqual(["success", ...times(newer, "inactive")]);
      await deployed({ runId: "99" });
      expect(states()).toEqual([...times(newer + 1, "inactive"), "success"]);
    },
  );

  test("closes fifty that are open and leaves the newer ones to the next, so that it waits for no minute of GitHub", async () => {
    const { deployed, left, states, clock } = await records();
    left(...times(70, "in_progress"));
    const open = () => states().filter((state) => state === "in_progress").length;
    await deployed();
    expect({ open: open(), waits: clock.sleeps }).toEqual({ open: 20, waits: [] });
    expect(states().slice(0, 51)).toEqual([...times(50, "inactive"), "in_progress"]);
    await deployed();
    expect(states().filter((state) => state !== "inactive")).toEqual(["success"]);
  });

  test("closes the others where another run deletes some between the list and the look at their states", async () => {
    const { deployed, fake, left, states, warnings } = await records();
    left("success", "in_progress", "inactive");
    fake.turn = ({ path }) => {
      const [, replaced] = fake.state.deployments.all;
      if (path === "/graphql") fake.state.deployments.delete(replaced?.id ?? 0);
    };
    await deployed();
    expect({ states: states(), warnings }).toEqual({ states: ["inactive", "inactive", "success"], warnings: [] });
  });

  const errors = [{ type: "FORBIDDEN", message: "Resource not accessible by integration" }];
  const FORBIDDEN: Fault = { instead: () => ({ status: 200, body: { data: null, errors } }) };

  test("names the permission where the token may not read the states", async () => {
    const { deployed, fake, left, warnings } = await records();
    left("success");
    fake.faults.add({ path: /graphql/ }, FORBIDDEN);
    fake.faults.add({ method: "GET", path: /\/statuses$/ }, forbidden("deployments=read"));
    await deployed();
    expect(warnings).toEqual([expect.stringContaining("`deployments: read`")]);
  });

  test.each([
    ["the token", FORBIDDEN],
    ["a proxy", refused(403, "Blocked")],
    ["a GitHub that has none", refused(404, "Not Found")],
  ])("closes the newest twenty where %s refuses GraphQL, one by one", async (_, fault) => {
    const { deployed, fake, left, states, warnings } = await records();
    left(...times(1, "success"), ...times(150, "error"), "in_progress", "success", ...times(10, "error"));
    fake.faults.add({ path: /graphql/ }, fault, Infinity);
    fake.requests.length = 0;
    await deployed();
    expect(states().slice(-13)).toEqual(["inactive", "inactive", ...times(10, "error"), "success"]);
    expect(warnings).toEqual([]);
    expect(fake.requests.length).toBeLessThan(30);
  });

  withRecords("sends nothing more where GraphQL cannot be reached", async ({ deployed, fake, left, warnings }) => {
    left("success");
    fake.faults.add({ path: /graphql/ }, cut, Infinity);
    await deployed();
    expect(warnings).toHaveLength(1);
    expect(fake.requests.filter(({ method, path }) => method === "GET" && path.endsWith("/statuses"))).toEqual([]);
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

test.each<[string, RecordState, boolean, readonly (RecordState | undefined)[]]>([
  [
    "took the deployment away retires what was live and open before, at once",
    "inactive",
    true,
    ["inactive", "inactive"],
  ],
  ["stepped back leaves what is live, and closes what is open", "inactive", false, ["success", "inactive"]],
  ["failed leaves what is live, and closes what is open", "failure", false, ["success", "inactive"]],
  ["was cancelled leaves what is live, and closes what is open", "error", false, ["success", "inactive"]],
  ["did not wait leaves what is live, and closes what is open", "in_progress", false, ["success", "inactive"]],
])("a deploy that %s", async (_, state, isRemoved, before) => {
  const { recorder, left, states, warnings } = await records();
  left("success", "in_progress");
  const one = recorder({ runId: "3" });
  await one.begin();
  await recorder({ runId: "4" }).begin();
  await one.end(state, { isRemoved });
  expect({ states: states(), warnings }).toEqual({ states: [...before, state, "in_progress"], warnings: [] });
});

describe("a new attempt of a run", () => {
  test("retires what an earlier one left open when it begins, and no other run", async () => {
    const { recorder, states } = await records();
    await recorder({ runId: "7" }).begin();
    await recorder({ attempt: 1 }).begin();
    await recorder({ attempt: 2 }).begin();
    expect(states()).toEqual(["in_progress", "inactive", "in_progress"]);
  });

  withRecords("looks at no more than a hundred records", async ({ recorder, fake, left, warnings, states }) => {
    left(...times(250, undefined));
    fake.requests.length = 0;
    await recorder({ attempt: 2 }).begin();
    expect(fake.count("GET")).toBe(1);
    expect(warnings).toEqual([]);
    expect(states().at(-1)).toBe("in_progress");
  });

  withRecords("leaves a failed one as it is", async ({ deployed, recorder, states }) => {
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

withRecords("the records of what is no preview are not among those that go with one", async ({ deployed, github }) => {
  await deployed();
  expect(await previewRecordsOf(github, { task: "deploy:agent", service: "one" })).toEqual([]);
});

/** What may happen to a deploy, to its runner, and to what GitHub answers it. */
const HAPPENINGS = ["live", "failed", "cancelled", "started", "dead", "lost", "lost and lagging", "cut short"] as const;

test(
  "whatever happened to the deploys before, the next one leaves one success and nothing in progress",
  { tags: "slow" },
  async () => {
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
  },
);

test.each([
  ["the one that began last", (began: number, serving: number) => Math.max(began, serving)],
  ["the one that ended last", (began: number) => began],
])(
  "of deploys that overlap, one record says success after each end, where the service serves %s",
  { tags: "slow" },
  async (_, next) => {
    const ends = fc.uniqueArray(
      fc.record({ run: fc.nat(7), state: fc.constantFrom<RecordState>("success", "failure") }),
      {
        selector: ({ run }) => run,
        minLength: 2,
      },
    );
    await fc.assert(
      fc.asyncProperty(ends, async (story) => {
        const { recorder, states, warnings } = await records();
        let serving = -1;
        const runs = Array.from({ length: 8 }, (_, run) =>
          recorder({ runId: String(run) }, () => Promise.resolve(serving === run)),
        );
        for (const run of runs) await run.begin();
        for (const { run, state } of story) {
          if (state === "success") serving = next(run, serving);
          await runs[run]?.end(state, {});
          const live = states().flatMap((state, index) => (state === "success" ? [index] : []));
          expect(live).toEqual(serving < 0 ? [] : [serving]);
        }
        expect(warnings).toEqual([]);
      }),
      { numRuns: 25 },
    );
  },
);
