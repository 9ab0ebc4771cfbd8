import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { table } from "../../bench/table.ts";
import { projectRoot } from "../../scripts/command.ts";
import { HostError } from "../engine/host-error.ts";
import { ProviderProcess } from "../engine/provider-process.ts";
import { isSentence } from "../wire/texts-of.ts";
import { API_KEY, standing, STEPS, useWorld, type Front, type Step } from "./bundle-rig.ts";
import { timeLapse } from "./time-lapse.ts";
import { notYet } from "./fault-kinds.ts";
import { inLanes } from "./lanes.ts";
import { WIRE_FAULTS, type WireFault } from "./wire-faults.ts";

// One process for all, as an engine has it; what waits for an answer disturbs nobody. Five kinds of fault at once.
const LANES = 3;
// The host gives up on an answer after so many of its seconds: the service, which shares this process with all tests,
// has a quarter of them.
const FACTOR = 4;
// In the time of the host. What ends by itself may take as long as a busy machine needs, and so does a create.
const TIMEOUT_SECONDS = 30;
const CALM_SECONDS = 7_200;
const FOR_EVER = 1_000;

const MAIN = JSON.stringify(`${projectRoot}/pulumi-provider/main.ts`);
const provider = `exports.handler = () => require(${MAIN}).deployment;`;

// An agent is not asked by a deployment.
const ofDirectory = STEPS.slice(0, 9).filter(({ name }) => name !== "twins");
const ofImage = ofDirectory.filter(({ name }) => ["list", "create", "revision", "look", "live"].includes(name));
// Nobody listens: that is for a process that starts, as the action is one.
type Answered = WireFault & Required<Pick<WireFault, "fault">>;
const FAULTS = WIRE_FAULTS.filter((fault): fault is Answered => "fault" in fault);
const isHuge = ({ name }: WireFault) => name === "body of 17 MiB";

// Long enough to be looked at twice.
const world = useWorld(250);
let host: ProviderProcess;
const lines: string[] = [];

beforeAll(async () => {
  const env = { ...timeLapse(FACTOR), GRAPH_DEPLOY_API_KEY: API_KEY };
  host = await ProviderProcess.startDynamic("faults", {
    directory: projectRoot,
    env,
    onLog: ({ message }) => lines.push(message),
  });
  await host.configure({});
});
const rows: (readonly string[])[] = [];
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  console.log(table(["fault", "source", ...ofDirectory.map(({ name }) => name)], rows.toSorted()).join("\n"));
  expect(lines.join("\n")).not.toContain(API_KEY);
});

const SOURCES = [
  {
    source: "a folder",
    steps: ofDirectory,
    inputs: () => ({ source: "internal_source", directory: { path: world().workspace } }),
  },
  {
    source: "an image",
    steps: ofImage,
    inputs: () => ({ source: "external_docker", imageUri: "registry.example/agent:1" }),
  },
];
const leavesNoOrphan =
  ({ source, steps, inputs }: (typeof SOURCES)[number]) =>
  async (fault: Answered) => {
    // What passes by itself hides nothing that comes later: a create meets it once at every second request.
    // A store that is silent after an upload ends the run before another attempt: it is met alone, and may be red.
    const isSilent = fault.name.startsWith("stall");
    const [silent, others] = [true, false].map((is) =>
      steps.filter(({ name }) => (isSilent && name === "upload") === is),
    );
    const halves = [0, 1].map((half) => (others ?? []).filter((_, index) => index % 2 === half));
    const passing = fault.mostRed === 0 ? halves : steps.map((step) => [step]);
    const all = [
      ...passing.map((met) => ({ met, times: 1 })),
      ...(silent ?? []).map((step) => ({ met: [step], times: 1 })),
      ...steps.map((step) => ({ met: [step], times: FOR_EVER })),
    ];
    const endings = await inLanes(LANES, all, async ({ met, times }) => meet({ fault, met, times }, inputs()));
    const endingOf = (step: Step, times: number) =>
      endings[all.findIndex((one) => one.times === times && one.met.includes(step))]?.replace(/:.*/s, "");
    const cell = (step: Step) => (steps.includes(step) ? `${endingOf(step, 1)}, ${endingOf(step, FOR_EVER)}` : "");
    rows.push([fault.name, source, ...ofDirectory.map(cell)]);
    const once = endings.slice(0, passing.length);
    if (fault.mostRed === 0) expect(once.filter((ending) => ending.startsWith("failed"))).toEqual([]);
  };

describe.concurrent.each(SOURCES)("a resource from $source", (source) => {
  test.each(FAULTS.filter((fault) => !isHuge(fault)))(
    "leaves no orphan when $name meets each of its requests",
    leavesNoOrphan(source),
  );
});

// Alone: while it is made, nobody else is answered.
describe.each(SOURCES)("a resource from $source", (source) => {
  test.each(FAULTS.filter(isHuge))("leaves no orphan when $name meets each of its requests", leavesNoOrphan(source));
});

interface Meeting {
  readonly fault: Answered;
  /** The requests that it hits. */
  readonly met: readonly Step[];
  /** How often it hits each of them. */
  readonly times: number;
}

/** Creates a deployment that meets the fault; whatever comes of it, state knows what is there, and the next up ends well. */
async function meet({ fault, met, times }: Meeting, more: Record<string, unknown>): Promise<string> {
  await using front = await world().front();
  const calm = { ...more, timeoutSeconds: CALM_SECONDS };
  const hasTime = times !== FOR_EVER || met.some(({ name }) => name === "create");
  const news = await checked(front, hasTime ? calm : more);
  for (const { match, nth } of met) {
    if (nth > 1) front.server.script(match, notYet, nth - 1);
    front.server.script(match, fault.fault, times);
  }
  const where = `${fault.name} at ${met.map(({ name }) => name).join(", ")}, ${times} times`;
  const created = await host.create(news).catch((error: unknown) => error);
  for (const { match, name, nth } of met) {
    const ended = created instanceof Error ? `, which ended with: ${created.message}` : "";
    expect(front.server.count(match), `${name} of ${where}${ended}`).toBeGreaterThanOrEqual(nth);
  }
  front.server.reset();
  const kept = keptBy(created, where);
  const { deployments } = standing(world().service, front.name);
  expect(
    deployments.map(({ id }) => id),
    `${where}: ${created instanceof Error ? created.message : ""}`,
  ).toEqual(kept === undefined ? [] : [kept.id]);
  const ended =
    kept === undefined
      ? await host.create(await checked(front, calm))
      : await host.update(kept.id, kept.properties, await checked(front, calm, news));
  expect(ended.outputs, where).toMatchObject({ status: "DEPLOYED" });
  expect(standing(world().service, front.name).deployments, where).toHaveLength(1);
  return created instanceof HostError ? (kept === undefined ? `failed: ${created.message}` : "kept") : "ok";
}

async function checked(front: Front, more: Record<string, unknown>, olds: Record<string, unknown> = {}) {
  const { inputs, failures } = await host.check(olds, {
    __provider: provider,
    name: front.name,
    controlPlaneUrl: front.server.url,
    timeoutSeconds: TIMEOUT_SECONDS,
    ...more,
  });
  expect(failures).toEqual([]);
  return inputs;
}

/** What state keeps of a create. */
function keptBy(created: unknown, where: string) {
  if (!(created instanceof HostError)) return whole(created);
  expect(created.message, where).toSatisfy(isSentence);
  expect(created.message, where).not.toContain(API_KEY);
  return created.partial;
}

function whole(created: unknown): { readonly id: string; readonly properties: Record<string, unknown> } {
  if (typeof created !== "object" || created === null || !("outputs" in created) || !("id" in created)) throw created;
  return { id: String(created.id), properties: created.outputs as Record<string, unknown> };
}
