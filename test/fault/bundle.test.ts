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
  timeLapse,
  useWorld,
  type Front,
  type Step,
} from "./bundle-rig.ts";
import { well } from "./fault-kinds.ts";
import { inLanes } from "./lanes.ts";
import { WIRE_FAULTS, type WireFault } from "./wire-faults.ts";

const LANES = 4;
// A service that is away is so for some tenths of a second, and a run may not be late for that.
const REFUSED_LANES = 2;
// Processes that wait for an answer do not disturb each other.
const STALLED_LANES = 6;
const FACTOR = 10;
const DEADLINE_MILLISECONDS = 45_000;

const world = useWorld();

test("a deploy makes these requests, and no others", async () => {
  await using front = await world().front();
  const result = await runAction(front.options());
  expect(result.exitCode).toBe(0);
  // A revision that takes longer, as on a busy machine, is looked at more than twice.
  let looks = 0;
  const left = front.server.requests.filter(({ path }) => !LOOK.test(path) || ++looks <= 2);
  for (const { name, match } of STEPS) {
    const next = left.shift();
    expect(next?.method, name).toBe(match.method ?? next?.method);
    expect(next?.path, name).toMatch(match.path ?? /./);
  }
  expect(left.map(({ path }) => path)).toEqual([]);
});

const rows: (readonly string[])[] = [];
afterAll(() => console.log(table(["fault", ...STEPS.map(({ name }) => name)], rows).join("\n")));

describe("the built action", () => {
  test.each(WIRE_FAULTS)("meets $name at each of its requests in turn", async (fault) => {
    const lanes = fault.stalls === true ? STALLED_LANES : fault.fault === undefined ? REFUSED_LANES : LANES;
    const endings = await inLanes(lanes, STEPS, (step) => meet(fault, step));
    rows.push([fault.name, ...endings]);
    expect(endings.filter((ending) => ending === "red").length).toBeLessThanOrEqual(fault.mostRed);
  });
});

/** Runs the action, which meets the fault at this request once, and judges how it ended. */
async function meet(fault: WireFault, step: Step): Promise<string> {
  await using front = await world().front();
  arm(front, fault, step);
  const env = fault.stalls === true ? timeLapse(FACTOR) : {};
  const result = await runAction(front.options({}, { env, timeoutMs: DEADLINE_MILLISECONDS }));
  const where = `${fault.name} at ${step.name}:\n${result.log.join("\n")}`;
  expect(front.server.count(step.match), where).toBeGreaterThanOrEqual(step.nth);
  return judge(front, result, where);
}

function arm({ server }: Front, { fault }: WireFault, step: Step): void {
  if (fault !== undefined) {
    if (step.nth > 1) server.script(step.match, well, step.nth - 1);
    server.script(step.match, fault);
    return;
  }
  const before = STEPS[STEPS.indexOf(step) - 1];
  // The process takes a moment to start, and then finds nobody there.
  if (before === undefined) void server.away(sleep(350));
  else {
    if (before.nth > 1) server.script(before.match, well, before.nth - 1);
    server.script(before.match, {
      processed: true,
      act: ({ socket, answer = { status: 500 } }) => {
        socket.end(serialise({ ...answer, headers: { ...answer.headers, connection: "close" } }));
        void server.away(sleep(step.name === "look" ? 150 : 100));
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
