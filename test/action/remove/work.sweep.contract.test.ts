import { expect, test } from "vitest";
import { pullRequestEvent } from "../../github/events.ts";
import { stateOf } from "../../github/deployments.ts";
import { forbidden, refused, secondaryLimit, type Fault } from "../../github/faults.ts";
import { rig, scheduled } from "../preview-rig.ts";

const MINUTE = 60_000;

/** A hundred closed pull requests, each with its preview, its record and its section, on a clock that takes no time. */
async function hundred(isRecorded: (number: number) => boolean = () => true) {
  const found = await rig();
  const { pulls, github, make, record, nameOf, clock } = found;
  const writes: number[] = [];
  for (let number = 1; number <= 100; number += 1) {
    pulls.open({ number });
    const name = nameOf(number);
    await make(name);
    pulls.close(number);
    if (!isRecorded(number)) continue;
    await record({ name, payload: { preview: number } }, number);
  }
  // GitHub takes 80 writes a minute, and refuses the others.
  let isRefused = false;
  github.turn = ({ method, path }) => {
    if (method === "GET" || path === "/graphql") return;
    const now = clock.now();
    writes.push(now);
    if (writes.filter((at) => now - at < MINUTE).length <= 80) return;
    isRefused = true;
    github.faults.add({ method }, secondaryLimit(60));
  };
  return { ...found, writes, isRefused: () => isRefused };
}

test(
  "removes all of a hundred previews before it writes to GitHub, and stays below its limit",
  { tags: "slow" },
  async () => {
    const { run, names, github, writes, service, isRefused } = await hundred();
    let deletes = 0;
    const before = github.turn;
    github.turn = (request) => {
      if (writes.length === 0) deletes = service.requests.filter(({ method }) => method === "DELETE").length;
      return before(request);
    };
    const { removed, error, warnings } = await run(scheduled());
    expect({ removed: removed.length, error, warnings, names: names() }).toEqual({
      ...{ removed: 100, error: undefined, warnings: [], names: [] },
    });
    expect({ deletes, isRefused: isRefused(), left: github.state.deployments.all.length }).toEqual({
      ...{ deletes: 100, isRefused: false, left: 0 },
    });
  },
);

test(
  "removes all where there is no time to tidy up, says how far it came, and the next run continues",
  { tags: "slow" },
  async () => {
    const { run, names, github, clock } = await hundred();
    const { removed, error, warnings } = await run(scheduled(), { timeout: "1m" });
    expect({ removed: removed.length, error, names: names() }).toEqual({ removed: 100, error: undefined, names: [] });
    const left = github.state.deployments.all.length;
    expect(left).toBeGreaterThan(0);
    expect(warnings.join("\n")).toMatch(/GitHub still shows \d+ of 100 removed previews/);
    await clock.sleep(10 * MINUTE);
    const next = await run(scheduled());
    expect({ error: next.error, left: github.state.deployments.all.length }).toEqual({ error: undefined, left: 0 });
  },
);

test(
  "tidies up first after those that the next run would not find, and says so of what is left of them",
  { tags: "slow" },
  async () => {
    const { run, github } = await hundred((number) => number <= 50);
    const { warnings } = await run(scheduled(), { timeout: "1m" });
    expect(warnings.join("\n")).toMatch(/The next run of this step continues\.$/);
    expect(github.state.deployments.all.length).toBeGreaterThan(0);
    const another = await hundred(() => false);
    another.github.turn = () => {
      another.clock.pass(100);
    };
    const told = await another.run(scheduled(), { timeout: "1s" });
    expect(told.removed).toHaveLength(100);
    expect(told.warnings.join("\n")).toMatch(/the comments of \d+ without records stay as they are/);
  },
);

test("marks the section of a preview whose records the run before had no time for", { tags: "slow" }, async () => {
  const { run, deploy, pulls, github, make, nameOf, controlPlane } = await rig();
  pulls.open({ number: 7 });
  await deploy(pullRequestEvent(github.state, 7, "opened"), { environment: "preview", comment: "true" });
  pulls.close(7);
  const preview = await controlPlane.findByName(nameOf(7));
  await controlPlane.delete(preview?.id ?? "");
  await make("support");
  await run(scheduled());
  expect(github.state.comments.list(7)[0]?.body).toContain("is removed");
  expect(github.state.deployments.all).toEqual([]);
});

/** A closed pull request with a preview, a record and a comment, which no write reaches any more. */
async function closed(fault: Fault) {
  const found = await rig();
  const { deploy, pulls, github } = found;
  pulls.open({ number: 7 });
  await deploy(pullRequestEvent(github.state, 7, "opened"), { environment: "preview", comment: "true" });
  pulls.close(7);
  github.faults.add({ method: "PATCH" }, fault, Infinity);
  const comment = () => github.state.comments.list(7)[0]?.body;
  const sweep = () => found.run(scheduled());
  return { ...found, sweep, comment, states: () => github.state.deployments.all.map(stateOf) };
}

test(
  "keeps the record of a preview whose comment could not be updated, says so, and the next run marks it",
  { tags: "slow" },
  async () => {
    const { sweep, github, comment, states } = await closed(refused(500));
    const { removed, warnings } = await sweep();
    expect(removed).toHaveLength(1);
    expect(warnings.join("\n")).toMatch(
      /GitHub still shows 1 of 1 removed preview, because .*could not be updated\. The next run of this step continues\.$/,
    );
    expect(states()).toEqual(["inactive"]);
    github.faults.clear();
    expect((await sweep()).warnings).toEqual([]);
    expect({ comment: comment(), states: states() }).toEqual({
      comment: expect.stringContaining("is removed"),
      states: [],
    });
  },
);

test.each([
  ["is locked", { method: "PATCH" }, refused(403, "Unable to update comment because the conversation is locked."), 0],
  ["is behind a proxy without GraphQL", { path: /graphql/ }, refused(403, "Blocked"), 0],
  ["was limited", { method: "PATCH" }, refused(403, "You have exceeded a secondary rate limit."), 1],
])("deletes the record of a preview whose comment %s unless that passes", async (_, match, fault, kept) => {
  const { sweep, github, states } = await closed(refused(500));
  github.faults.clear();
  github.faults.add(match, fault, Infinity);
  expect((await sweep()).warnings.join("\n")).toContain("Writing into the comment failed");
  expect(states()).toHaveLength(kept);
});

test("deletes the record of a preview although the token may not write comments: it may not tomorrow either", async () => {
  const { sweep, states } = await closed(forbidden("pull_requests=write"));
  expect((await sweep()).warnings.join("\n")).toContain("`pull-requests: write`");
  expect(states()).toEqual([]);
});
