import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../../scripts/command.ts";
import { evaluate } from "../../src/evaluate.ts";
import { deploy } from "../../src/deploy.ts";
import { systemClock, type Clock } from "../../src/http/clock.ts";
import { Gates } from "../../src/judgement/gates/gates.ts";
import { casesRig } from "../judgement/cases/cases-rig.ts";
import { FastClock } from "../wire/clocks.ts";
import { start } from "../local/caller.ts";
import { makeWorse } from "./worse-agent.ts";

const GATES = Gates.parse("correct not regressed\ncomplete not regressed\nerrors = 0");

/** The example, deployed to a service: it can be evaluated, made worse, and its evaluations judged. */
async function desk() {
  const { workspace, judge } = await casesRig();
  const service = await start();
  await cp(join(projectRoot, "examples/agent"), join(workspace, "agent"), { recursive: true });
  const at = { url: service.url, apiKey: "any" };
  const release = async () => await deploy({ name: "support-agent", path: join(workspace, "agent") }, at);
  const { url } = await release();
  return {
    service,
    makeWorse: async () => {
      await makeWorse(join(workspace, "agent"));
      await release();
    },
    /** Writes the results of this name; answers the code of the error, or that it is complete. */
    evaluate: async (name: string, clock: Clock = systemClock) => {
      const given = {
        evaluation: join(projectRoot, "examples/evaluation/evaluation.yaml"),
        dataset: join(projectRoot, "examples/evaluation/cases.jsonl"),
        results: join(workspace, `${name}.jsonl`),
        trials: 2,
      };
      const ending = evaluate(given, { url, apiKey: "any", clock });
      return await ending.then(
        () => "complete",
        (error: unknown) => (error as { readonly code?: string }).code,
      );
    },
    judge: async (now: string, baseline?: string) => {
      const of = { now: `${now}.jsonl`, ...(baseline === undefined ? {} : { baseline: `${baseline}.jsonl` }) };
      return (await judge(of, { gates: GATES, run: { dataset: { name: "cases" } } })).judgement;
    },
  };
}

test("the same agent, evaluated twice, is judged unchanged", { tags: "slow" }, async () => {
  const { evaluate, judge } = await desk();
  expect([await evaluate("one"), await evaluate("two")]).toEqual(["complete", "complete"]);
  const { status, verdict, counts } = await judge("two", "one");
  expect(["unchanged", "inconclusive"]).toContain(verdict);
  expect({ status, counts }).toMatchObject({ status: "passed", counts: { newlyFailing: 0, fixed: 0, flaky: 0 } });
});

test("a worse agent is judged regressed, with the cases named", { tags: "slow" }, async () => {
  const { evaluate, judge, makeWorse } = await desk();
  expect(await evaluate("main")).toBe("complete");
  await makeWorse();
  expect(await evaluate("change")).toBe("complete");
  const { status, verdict, cases } = await judge("change", "main");
  expect([status, verdict]).toEqual(["failed", "regressed"]);
  expect(new Set(cases.newlyFailing.map(({ name }) => name))).toEqual(
    new Set(["downgrade-date", "invoice", "price-list", "receipt", "upgrade", "vat-number", "who-may-upgrade"]),
  );
});

test.each([
  ["answers 503", { kind: "answer", status: 503 }],
  ["resets connections", { kind: "reset" }],
] as const)(
  "a server that %s from the middle on is judged incomplete, not worse",
  { tags: "slow" },
  async (_, outage) => {
    const { service, evaluate, judge } = await desk();
    expect(await evaluate("main")).toBe("complete");
    Object.assign(service.faults.conditions, { runsUntilOutage: 17, outage });
    // A server that says 503 is given some minutes.
    expect(await evaluate("change", new FastClock())).toBe("EVALUATION_INCOMPLETE");
    const without = await judge("change");
    const compared = await judge("change", "main");
    for (const { status, verdict } of [without, compared]) {
      expect([status, verdict]).toEqual(["incomplete", "incomplete"]);
    }
    expect(compared.counts).toMatchObject({
      newlyFailing: 0,
      worse: 0,
      unmeasured: expect.toSatisfy((count) => count > 0) as number,
    });
  },
);
