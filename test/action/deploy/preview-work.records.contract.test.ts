import { describe, expect, test } from "vitest";
import { deployStep } from "../../../front/steps/deploy/step.ts";
import { stateOf } from "../../github/deployments.ts";
import { pullRequestEvent } from "../../github/events.ts";
import { forbidden, refused } from "../../github/faults.ts";
import { rig } from "../preview-rig.ts";
import { logOf } from "../../front/account/step-output.ts";

const CREATE = { method: "POST", path: /\/deployments$/ };
const NEXT = { "image-uri": "registry/agent:2" };
const MINUTE = 60_000;

/** An open pull request, the events of its opening and its close, and the states of its records, oldest first. */
async function opened() {
  const found = await rig();
  const { pulls, github } = found;
  pulls.open({ number: 7 });
  const event = (action: "closed" | "opened" | "synchronize") => pullRequestEvent(github.state, 7, action);
  const states = () => github.state.deployments.all.map(stateOf).toReversed();
  return { ...found, event, states };
}

describe("a plain name", () => {
  const PLAIN = { "preview-name": "plain", environment: "preview" };

  test.each([1, 2])(
    "is proved although GitHub refused its record %i times: pushes and the close find it",
    { tags: "slow" },
    async (times) => {
      const { deploy, run, event, names, pulls, github } = await opened();
      github.faults.add(CREATE, refused(422, "No ref found"), times);
      const first = await deploy(event("opened"), PLAIN);
      expect({ outcome: first.outcome, warnings: first.facts.warnings }).toEqual({
        ...{ outcome: "deployed", warnings: [expect.stringContaining("422")] },
      });
      for (const uri of ["registry/agent:2", "registry/agent:3"]) {
        const next = await deploy(event("synchronize"), { ...PLAIN, "image-uri": uri });
        expect({ outcome: next.outcome, warnings: next.facts.warnings }).toEqual({ outcome: "deployed", warnings: [] });
      }
      pulls.close(7);
      expect((await run(event("closed"))).removed).toEqual(["support-pr-7 closed"]);
      expect(names()).toEqual([]);
    },
  );

  test.each<[string, { readonly environment?: string }, string]>([
    ["is not set", { environment: "" }, "or set `environment` and, as long as"],
    ["is set", {}, "could not be made. Set `only-owner: true` in both steps"],
  ])("without a record gets advice for a step whose `environment` %s", async (_, inputs, text) => {
    const { deploy, event, github } = await opened();
    github.faults.add(CREATE, forbidden("deployments=write"), Infinity);
    const { facts } = await deploy(event("opened"), { ...PLAIN, ...inputs });
    expect(facts.warnings.at(-1)).toContain(text);
    expect(facts.warnings.at(-1)?.includes("set `environment`")).toBe(inputs.environment === "");
  });

  test("without a record is updated with what the advice names, and then has its proof", async () => {
    const { deploy, event } = await opened();
    await deploy(event("opened"), { "preview-name": "plain" });
    expect((await deploy(event("synchronize"), { ...PLAIN, ...NEXT })).outcome).toBe("failed");
    const advised = await deploy(event("synchronize"), { ...PLAIN, ...NEXT, "only-owner": "true" });
    expect({ outcome: advised.outcome, warnings: advised.facts.warnings }).toEqual({
      outcome: "deployed",
      warnings: [],
    });
    const next = await deploy(event("synchronize"), { ...PLAIN, "image-uri": "registry/agent:3" });
    expect({ outcome: next.outcome, warnings: next.facts.warnings }).toEqual({ outcome: "deployed", warnings: [] });
  });

  test.each([
    ["is not set", {}, "set `only-owner: true`", true],
    ["is set", { "only-owner": "true" }, "choose another `name`", false],
  ])(
    "of what a workflow deploys for good gets advice for a step whose `only-owner` %s",
    async (_, inputs, text, isNamed) => {
      const { deploy, event, make, record } = await opened();
      await make("support-pr-7");
      await record({ name: "support-pr-7", payload: { preview: false } });
      const { error } = await deploy(event("opened"), { ...PLAIN, ...inputs });
      const { advice = "" } = error as { readonly advice?: string };
      expect(advice).toContain(text);
      expect(advice.includes("only-owner")).toBe(isNamed);
    },
  );
});

describe("the plain name of an earlier version", () => {
  test.each([
    ["stays without a record, and the log names it with what to do", {}, 1],
    ["goes without a record for the only owner", { "only-owner": "true" }, 0],
  ])("%s", async (_, inputs, kept) => {
    const { deploy, event, make, names } = await opened();
    await make("support-pr-7");
    const { outcome, events, facts } = await deploy(event("opened"), { environment: "preview", ...inputs });
    expect({ outcome, warnings: facts.warnings }).toEqual({ outcome: "deployed", warnings: [] });
    const told = events.filter(({ type }) => type === "earlier-kept");
    expect(told).toEqual(kept === 0 ? [] : [{ type: "earlier-kept", name: "support-pr-7" }]);
    expect(names().includes("support-pr-7")).toBe(kept === 1);
    const lines = logOf(deployStep.reporting, events, { workspace: "/" }).filter((line) =>
      line.includes("earlier version"),
    );
    expect(lines).toEqual([
      expect.stringMatching(kept === 0 ? /^Removed +support-pr-7, / : /^Kept +support-pr-7: .*`only-owner: true`/),
    ]);
  });

  test("is removed once the record says that the new one is live, and only for what is left of the timeout", async () => {
    const { deploy, event, make, github, service, clock, states } = await opened();
    await make("support-pr-7");
    service.faults.conditions.deleteMilliseconds = 3_600_000;
    const deletes = () => service.requests.filter(({ method }) => method === "DELETE").length;
    const begun = clock.now();
    const atEnd: unknown[] = [];
    github.turn = ({ method, path, body }) => {
      if (method !== "POST" || !path.endsWith("/statuses") || !JSON.stringify(body).includes("success")) return;
      atEnd.push(deletes());
    };
    // The deploy takes so long.
    clock.meanwhile = () => {
      clock.pass(1.5 * MINUTE);
      return Promise.resolve();
    };
    const inputs = { environment: "preview", "only-owner": "true", timeout: "2m" };
    const { outcome, facts } = await deploy(event("opened"), inputs);
    expect({ outcome, atEnd, states: states(), deletes: deletes() }).toEqual({
      ...{ outcome: "deployed", atEnd: [0], states: ["success"], deletes: 1 },
    });
    expect(facts.warnings).toEqual([expect.stringMatching(/support-pr-7, was not removed: .*still deleting it/)]);
    expect(clock.now() - begun).toBeGreaterThan(1.5 * MINUTE);
    expect(clock.now() - begun).toBeLessThan(2 * MINUTE + 10_000);
  });
});

describe("after a deploy, one record says success, and none is in progress", () => {
  const SHOWN = { environment: "preview" };

  test("that took its own preview away: none says success", async () => {
    const { deploy, event, pulls, names, states, atSecondLook } = await opened();
    await deploy(event("opened"), SHOWN);
    atSecondLook(() => {
      pulls.close(7);
    });
    const { outcome, facts } = await deploy(event("synchronize"), { ...SHOWN, ...NEXT });
    expect({ outcome, warnings: facts.warnings, names: names(), states: states() }).toEqual({
      ...{ outcome: "removed", warnings: [], names: [], states: ["inactive", "inactive"] },
    });
  });

  test("whatever happened to those before", { tags: "slow" }, async () => {
    const { deploy, event, github, service, states } = await opened();
    let runs = 0;
    const again = async (inputs: Readonly<Record<string, string>> = {}) => {
      runs += 1;
      return await deploy(event("synchronize"), { ...SHOWN, "image-uri": `registry/agent:${String(runs)}`, ...inputs });
    };
    await again();
    await again({ wait: "false" });
    expect(states()).toEqual(["success", "in_progress"]);
    service.faults.nextRevision({ end: "BUILD_FAILED" });
    await again();
    expect(states()).toEqual(["success", "inactive", "failure"]);
    await again();
    expect(states()).toEqual(["inactive", "inactive", "failure", "success"]);
    github.faults.add({ method: "POST", path: /\/statuses$/ }, refused(422, "Validation Failed"), 2);
    await again();
    await again();
    expect(states()).toEqual(["inactive", "inactive", "failure", "inactive", "inactive", "success"]);
  });
});
