import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { table } from "../../bench/table.ts";
import { runAction, type ActionResult } from "../runner/runner.ts";
import { serialise } from "../wire/faults.ts";
import {
  errorsOf,
  namesDeployment,
  sentenceOf,
  LOOK,
  standing,
  STEPS,
  useWorld,
  type Front,
  type Step,
} from "./bundle-rig.ts";
import { timeLapse } from "./time-lapse.ts";
import { notYet, unfinished } from "./fault-kinds.ts";
import { inLanes } from "./lanes.ts";
import { WIRE_FAULTS, type WireFault } from "./wire-faults.ts";

const LANES = 2;
const FACTOR = 10;
const DEADLINE_MILLISECONDS = 120_000;

const PASSING = WIRE_FAULTS.filter(({ fault, mostRed }) => fault !== undefined && mostRed === 0);
const ENDING = WIRE_FAULTS.filter((fault) => !PASSING.includes(fault));

const world = useWorld();

test("a deploy makes these requests, and no others", async () => {
  await using front = await world().front();
  const result = await runAction(front.options());
  expect(result.exitCode).toBe(0);
  // A revision that takes longer, as on a busy machine, is looked at more than twice.
  let looks = 0;
  const left = front.server.requests
    .filter(({ query }) => ["0", null].includes(query.get("offset")))
    .filter(({ path }) => !LOOK.test(path) || ++looks <= 2);
  for (const { name, match } of STEPS) {
    const next = left.shift();
    expect(next?.method, name).toBe(match.method ?? next?.method);
    expect(next?.path, name).toMatch(match.path ?? /./);
  }
  expect(left.map(({ path }) => path)).toEqual([]);
});

const rows: (readonly string[])[] = [];
afterAll(() => console.log(table(["fault", ...STEPS.map(({ name }) => name)], rows).join("\n")));

describe.concurrent("the built action", () => {
  // A fault that passes by itself hides none that comes later: a run meets it at every second request, and no two of
  // those can be the same one.
  test.each(PASSING)("meets $name at each of its requests in turn", async (fault) => {
    const halves = [0, 1].map((half) => STEPS.filter((_, index) => index % 2 === half));
    const endings = await inLanes(halves.length, halves, (steps) => meet(fault, steps));
    rows.push([fault.name, ...STEPS.map((_, index) => endings[index % 2] ?? "")]);
    expect(endings).toEqual(["green", "green"]);
  });

  test.each(ENDING)("meets $name at each of its requests in turn", async (fault) => {
    const endings = await inLanes(LANES, STEPS, (step) => meet(fault, [step]));
    rows.push([fault.name, ...endings]);
    expect(endings.filter((ending) => ending === "red").length).toBeLessThanOrEqual(fault.mostRed);
  });
});

/** Runs the action, which meets the fault at each of these requests once, and judges how it ended. */
async function meet(fault: WireFault, steps: readonly Step[]): Promise<string> {
  await using front = await world().front();
  for (const step of steps) arm(front, fault, step);
  const env = fault.stalls === true ? timeLapse(FACTOR) : {};
  // A stalled request is given up after 30 s, and an upload after two minutes: several of them take their time.
  const inputs = fault.stalls === true ? { timeout: "30m" } : {};
  const result = await runAction(front.options(inputs, { env, timeoutMs: DEADLINE_MILLISECONDS }));
  const log = result.log.join("\n");
  const where = `${fault.name} at ${steps.map(({ name }) => name).join(", ")}:\n${log}`;
  for (const { name, match, nth } of steps) {
    expect(front.server.count(match), `${name} of ${where}`).toBeGreaterThanOrEqual(nth);
  }
  return judge(front, result, where);
}

function arm({ server }: Front, { fault }: WireFault, step: Step): void {
  if (fault !== undefined) {
    if (step.nth > 1) server.script(step.match, notYet, step.nth - 1);
    server.script(step.match, fault);
    return;
  }
  const before = STEPS[STEPS.indexOf(step) - 1];
  // The process takes a moment to start, and then finds nobody there.
  if (before === undefined) void server.away(sleep(350));
  else {
    if (before.nth > 1) server.script(before.match, notYet, before.nth - 1);
    const isLook = step.name === "look";
    server.script(before.match, {
      processed: true,
      act: ({ socket, answer = { status: 500 } }) => {
        const last = isLook ? unfinished(answer) : answer;
        socket.end(serialise({ ...last, headers: { ...last.headers, connection: "close" } }));
        void server.away(sleep(isLook ? 150 : 100));
      },
    });
  }
}

/** How a run ended: green with one deployment and one new revision, or red with a sentence that names the deployment. */
function judge({ name }: Front, result: ActionResult, where: string): string {
  const { deployments, deployment, revisions } = standing(world().service, name);
  expect(result, where).toMatchObject({ leaked: [], faults: [], leftInTemp: [], rawStderr: "" });
  expect(deployments.length, where).toBeLessThanOrEqual(1);
  expect(revisions.length, where).toBeLessThanOrEqual(1);
  if (result.exitCode === 0) {
    expect(errorsOf(result), where).toEqual([]);
    expect(Object.fromEntries(result.outputs), where).toMatchObject({
      outcome: "deployed",
      "deployment-id": deployment?.id,
      "revision-id": revisions[0]?.id,
      created: "true",
    });
    expect(revisions, where).toMatchObject([{ status: "DEPLOYED" }]);
    return "green";
  }
  expect(sentenceOf(result)).toSatisfy((sentence: string) => namesDeployment(sentence, world().service, name));
  return "red";
}
