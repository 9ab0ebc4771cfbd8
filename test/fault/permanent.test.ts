import { expect, test } from "vitest";
import { runAction } from "../runner/runner.ts";
import { resetAfter, resetBefore, stalledHeaders, status, type Fault } from "../wire/faults.ts";
import { namesDeployment, sentenceOf, standing, STEPS, useWorld } from "./bundle-rig.ts";
import { timeLapse } from "./time-lapse.ts";
import { notYet } from "./fault-kinds.ts";

const world = useWorld();
const FACTOR = 20;
const down = status(503, { body: { detail: "Down for maintenance." } });

// The step, what happens to it for ever, the longest that the deploy may take until it gives up, in seconds of its own
// time, and the most requests of the step that it may make.
const CASES: readonly (readonly [string, string, Fault, number, number])[] = [
  ["list", "503", down, 10, 4],
  ["create", "503", down, 30, 3],
  ["create", "a reset before it is processed", resetBefore, 30, 3],
  ["address", "503", down, 10, 4],
  ["upload", "503", down, 10, 4],
  ["upload", "a reset", resetAfter, 10, 4],
  ["update", "503", down, 30, 3],
  ["update", "a stall", { ...stalledHeaders, processed: false }, 61, 3],
  // An outage is waited out until the timeout, and the revision is asked for every 0.1 s, as the input of the interval says.
  ["revision", "a reset", resetAfter, 61, 1_000],
  ["look", "503", down, 61, 1_000],
  ["live", "503", down, 61, 1_000],
  // So is the agent.
  ["ok", "503", down, 90, 1_000],
  ["info", "a stall", stalledHeaders, 90, 1_000],
];

// Most of the time they wait for answers that never come.
test.concurrent.each(CASES)(
  "%s: %s for ever ends red in time, with a sentence that names the deployment",
  async (...row) => {
    const [name, , fault, seconds, most] = row;
    const step = STEPS.find((each) => each.name === name);
    if (step === undefined) throw new Error(`There is no step ${name}.`);
    await using front = await world().front();
    if (step.nth > 1) front.server.script(step.match, notYet, step.nth - 1);
    front.server.script(step.match, fault, 1_000);
    const env = timeLapse(FACTOR);
    const result = await runAction(front.options({}, { env, timeoutMs: 60_000 }));
    const where = result.log.join("\n");
    const { deployments, revisions } = standing(world().service, front.name);
    expect(deployments.length, where).toBeLessThanOrEqual(1);
    expect(revisions.length, where).toBeLessThanOrEqual(1);
    expect(sentenceOf(result)).toSatisfy((sentence: string) => namesDeployment(sentence, world().service, front.name));
    expect(front.server.count(step.match) - step.nth + 1, where).toBeLessThanOrEqual(most);
    // The start of the process runs in fast time too, and on a machine that is busy it takes a second or more.
    expect(Number(result.outputs.get("duration-seconds")), where).toBeLessThan(seconds + 1.5 * FACTOR);
  },
);

test("an answer that never comes does not hold up the end of the wait, on a clock that nobody touched", async () => {
  await using front = await world().front();
  const look = STEPS.find(({ name }) => name === "look");
  front.server.script({ method: "GET", path: /\/revisions\/[^/]+$/ }, notYet);
  front.server.script(look?.match ?? {}, stalledHeaders, 1_000);
  const result = await runAction(front.options({ timeout: "2s" }, { timeoutMs: 15_000 }));
  expect(result.exitCode).toBe(1);
  expect(result.outputs.get("outcome")).toBe("timed-out");
  expect(Number(result.outputs.get("duration-seconds"))).toBeLessThan(10);
});
