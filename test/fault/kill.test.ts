import { describe, expect, test } from "vitest";
import { connect, deploy } from "../../src/index.ts";
import { runAction, startAction } from "../runner/runner.ts";
import { API_KEY, standing, STEPS, useWorld, type Front, type Step } from "./bundle-rig.ts";
import { notYet } from "./fault-kinds.ts";
import { inLanes } from "./lanes.ts";

// A process that waits does not disturb another.
const LANES = 4;

const world = useWorld();
const CREATE = STEPS.findIndex(({ name }) => name === "create");
const UPDATE = STEPS.findIndex(({ name }) => name === "update");

describe("a deploy that is killed as soon as the service has carried out a request", () => {
  test("is finished by the next one, on the same deployment", async () => {
    await inLanes(LANES, STEPS, async (step) => {
      await using front = await world().front();
      await killAt(step, front);
      const reached = STEPS.indexOf(step);
      const first = standing(world().service, front.name);
      expect(first.deployments, step.name).toHaveLength(reached < CREATE ? 0 : 1);
      expect(first.revisions, step.name).toHaveLength(reached < UPDATE ? 0 : 1);
      expect(await idByName(front.name), step.name).toBe(first.deployment?.id);
      await finish(step, front, reached < CREATE);
    });
  });

  test("is finished by the next one when the deployment was there before", async () => {
    const steps = STEPS.filter(({ name }) => !["create", "twins", "twins last"].includes(name));
    await inLanes(LANES, steps, async (step) => {
      await using front = await world().front();
      const { service, workspace } = world();
      await deploy({ name: front.name, path: workspace }, { url: service.url, apiKey: API_KEY });
      await killAt(step, front);
      await finish(step, front, false);
    });
  });
});

describe("a deploy with a record that is killed", () => {
  test("before its update was answered is finished by the next one with a new revision", async () => {
    await inLanes(LANES, STEPS.slice(0, UPDATE + 1), async (step) => {
      await using front = await world().front();
      const inputs = { "deploy-record": `.graph-deploy/${front.name}.json` };
      await killAt(step, front, inputs);
      await finish(step, front, STEPS.indexOf(step) < CREATE, inputs);
    });
  });

  test("after that is taken up by the next one, which makes no other revision", async () => {
    await inLanes(LANES, STEPS.slice(UPDATE + 1), async (step) => {
      await using front = await world().front();
      const inputs = { "deploy-record": `.graph-deploy/${front.name}.json` };
      await killAt(step, front, inputs);
      const before = standing(world().service, front.name);
      const result = await runAction(front.options(inputs));
      const where = `after ${step.name}:\n${result.log.join("\n")}`;
      const { deployment, revisions } = standing(world().service, front.name);
      expect(result.exitCode, where).toBe(0);
      expect(revisions, where).toHaveLength(1);
      expect(revisions[0]?.id, where).toBe(before.revisions[0]?.id);
      expect(["deployed", "unchanged"], where).toContain(result.outputs.get("outcome"));
      expect(result.outputs.get("revision-id"), where).toBe(deployment?.active_revision_id);
    });
  });
});

type Inputs = Readonly<Record<string, string>>;

/** Runs the action until this request was carried out, and ends it there by force, without an answer. */
async function killAt({ match, nth, name }: Step, { server, options }: Front, inputs: Inputs = {}): Promise<void> {
  if (nth > 1) server.script(match, notYet, nth - 1);
  server.script(match, { processed: true, act: () => running.signal("SIGKILL") });
  const running = await startAction(options(inputs));
  const result = await running.result;
  expect(result.exitCode, `${name}:\n${result.log.join("\n")}`).toBeNull();
  expect(result.leftInTemp, name).toEqual([]);
}

/** The next run: green, with one revision more, on the deployment that was there. */
async function finish(step: Step, { name, options }: Front, creates: boolean, inputs: Inputs = {}): Promise<void> {
  const before = standing(world().service, name);
  const result = await runAction(options(inputs));
  const where = `after ${step.name}:\n${result.log.join("\n")}`;
  const { deployments, deployment, revisions } = standing(world().service, name);
  expect(result.exitCode, where).toBe(0);
  expect(deployments, where).toHaveLength(1);
  if (!creates) expect(deployment?.id, where).toBe(before.deployment?.id);
  expect(revisions, where).toHaveLength(before.revisions.length + 1);
  expect(Object.fromEntries(result.outputs), where).toMatchObject({
    outcome: "deployed",
    created: String(creates),
    "deployment-id": deployment?.id,
    "revision-id": revisions[0]?.id,
  });
  expect(deployment?.active_revision_id, where).toBe(revisions[0]?.id);
}

/** What a look by the name finds, by way of the API. */
async function idByName(name: string): Promise<string | undefined> {
  await using connection = connect({ url: world().service.url, apiKey: API_KEY });
  return (await connection.controlPlane.findByName(name))?.id;
}
