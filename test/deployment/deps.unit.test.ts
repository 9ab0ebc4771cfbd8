import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import pLimit from "p-limit";
import type { DeployDeps } from "../../src/deployment/deps.ts";
import { within } from "../../src/deployment/run.ts";
import { deployRequestOf, inputsOf } from "../../pulumi-provider/core/operations/request.ts";
import { lookAround } from "../../src/deployment/look.ts";
import { makePlan } from "../../src/deployment/plan.ts";
import { limitOf } from "../../src/http/time-limit.ts";
import { DIRECTORY } from "../pulumi-provider/context.ts";
import { rig } from "../pulumi-provider/rig.ts";

/** Packs the folder of the program four times at once; reports how many had begun as each of them ended. */
async function begunAtEachEnd(changes: Partial<DeployDeps>): Promise<readonly number[]> {
  const { operation, checked } = await rig();
  const begun: number[] = [];
  const emit: DeployDeps["emit"] = ({ type }) => {
    // Each pack makes a folder as it begins, and keeps it when it succeeds.
    if (type === "source-packed") begun.push(readdirSync(operation.deps.spoolDirectory).length);
  };
  const given = { ...operation.deps, ...changes, emit };
  const deps = within(limitOf(60_000, given), given);
  const inputs = inputsOf(await checked(DIRECTORY));
  const look = await lookAround(deployRequestOf(inputs, { name: "a" }, "create", operation), deps);
  const plans = await Promise.all(Array.from({ length: 4 }, () => makePlan(look, undefined, deps)));
  for (const { archive } of plans) await archive?.remove();
  return begun;
}

describe("packing", () => {
  test("of many deployments continues one by one", async () => {
    expect(await begunAtEachEnd({ packing: { take: pLimit(1) } })).toEqual([1, 2, 3, 4]);
  });

  test("of a deploy that is alone in its process waits for nobody", async () => {
    expect(await begunAtEachEnd({})).toEqual([4, 4, 4, 4]);
  });
});
