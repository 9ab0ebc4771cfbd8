import { expect, test } from "vitest";
import { runAction } from "../runner/runner.ts";
import { errorsOf, namesDeployment, standing, useWorld } from "./bundle-rig.ts";
import { timeLapse } from "./time-lapse.ts";
import { well } from "./fault-kinds.ts";
import { inLanes } from "./lanes.ts";
import { seeded } from "./seeded.ts";
import { WIRE_FAULTS } from "./wire-faults.ts";

const RUNS = 32;
const RATES = [0.1, 0.3, 0.5];
const FACTOR = 20;
const only = process.env["FAULT_SEED"];

const world = useWorld();
const passing = WIRE_FAULTS.flatMap(({ fault, mostRed }) => (fault === undefined || mostRed > 0 ? [] : [fault]));

test("the built action, whose requests fail again and again, is green or red for what it did", async () => {
  const all = Array.from({ length: RUNS }, (_, index) => `storm/${index}`);
  const seeds = all.filter((seed) => only === undefined || seed === only);
  const endings = await inLanes(3, seeds, meet);
  const greens = RATES.map((rate) => {
    const ofRate = endings.filter((ending) => ending.rate === rate);
    return `${ofRate.filter(({ isGreen }) => isGreen).length} of ${ofRate.length} green at ${rate * 100} %`;
  });
  console.log(`Deploys of the built action, seeds ${all.at(0)} to ${all.at(-1)}: ${greens.join(", ")}`);
  expect(endings.filter(({ faults }) => faults.length > 0)).toEqual([]);
  const isSeldom = ({ rate }: { readonly rate: number }) => rate === RATES[0];
  expect(endings.filter(({ isGreen, ...ending }) => isSeldom(ending) && !isGreen)).toEqual([]);
});

/** One deploy, every second time of a deployment that is there already. */
async function meet(seed: string) {
  await using front = await world().front();
  const { service } = world();
  const { server, name, options } = front;
  const random = seeded(seed);
  if (random() < 0.5) expect((await runAction(options())).exitCode).toBe(0);
  const before = standing(service, name).revisions.length;
  const rate = RATES[Math.floor(random() * RATES.length)] ?? 0;
  for (let request = 0; request < 400; request += 1) {
    const fault = passing[Math.floor(random() * passing.length)] ?? well;
    server.script({}, random() < rate ? fault : well);
  }
  const result = await runAction(options({}, { env: timeLapse(FACTOR), timeoutMs: 90_000 }));
  const { deployments, revisions } = standing(service, name);
  const isGreen = result.exitCode === 0;
  const isOurs = revisions[0]?.status === "DEPLOYED" && revisions[0].id === result.outputs.get("revision-id");
  const isNamed = errorsOf(result).some((sentence) => namesDeployment(sentence, service, name));
  const faults = [
    ...(deployments.length > 1 ? ["a second deployment"] : []),
    ...(revisions.length > before + 1 ? ["a second revision"] : []),
    ...(isGreen && !(isOurs && revisions.length === before + 1) ? ["a false green"] : []),
    ...(isGreen || isNamed ? [] : ["a sentence without the deployment"]),
  ];
  return { seed, rate, isGreen, faults, log: result.log.join("\n") };
}
