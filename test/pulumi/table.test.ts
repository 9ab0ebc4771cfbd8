import { describe, inject, test } from "vitest";
import { CliStack } from "../engine/cli-stack.ts";
import { SmallStack } from "../engine/small-stack.ts";
import type { PulumiStack, StackOptions } from "../engine/stack.ts";
import type { Case } from "./cases/case.ts";
import { TAKEOVERS_BETWEEN_DOORS, TAKEOVERS_OF_PLUGIN } from "./cases/takeovers.ts";
import { MOVES, MOVES_BACK, REAL_ENGINE, REAL_ENGINE_OF_DYNAMIC, REAL_ENGINE_OF_PLUGIN } from "./cases/real-engine.ts";
import { Stage, type ResourceType } from "./stage.ts";
import { DYNAMIC, OF_DYNAMIC, OF_EACH_DOOR, OF_THE_CORE, PLUGIN, TABLE } from "./table.ts";

const packages = inject("packages");
const cli = inject("pulumiCli");

type Open = (options: StackOptions) => Promise<PulumiStack>;

// A case waits for processes, not for this one.
function runs(type: ResourceType, table: readonly Case[], open: Open, timeout: number): void {
  for (const { name, setting, run } of table) {
    test.concurrent(name, { timeout }, async () => {
      await using stage = await Stage.open({ packages, type, open, setting });
      await run(stage);
      await stage.expectNoLeak();
    });
  }
}

// Every case runs on every machine; where the real engine is, behind both doors.
const inTurn = (turn: number) => OF_THE_CORE.filter((_, index) => index % 2 === turn);

const small: Open = async (options) => new SmallStack(options);
const real: Open = (options) => CliStack.open(options, cli ?? "");

describe("dynamic resources on the small engine", () => {
  runs(DYNAMIC, [...OF_EACH_DOOR, ...inTurn(0), ...OF_DYNAMIC], small, 360_000);
});

describe("the plugin on the small engine", () => {
  runs(PLUGIN, [...OF_EACH_DOOR, ...inTurn(1)], small, 360_000);
});

describe("a program that changes the door, on the small engine", () => {
  runs({ ...DYNAMIC, plugin: PLUGIN.plugin }, TAKEOVERS_BETWEEN_DOORS, small, 360_000);
});

describe.skipIf(cli === undefined)("dynamic resources on the real engine", () => {
  runs(DYNAMIC, [...REAL_ENGINE, ...REAL_ENGINE_OF_DYNAMIC, ...TABLE, ...OF_DYNAMIC], real, 480_000);
});

describe.skipIf(cli === undefined)("the plugin on the real engine", () => {
  runs(PLUGIN, [...REAL_ENGINE, ...REAL_ENGINE_OF_PLUGIN, ...TAKEOVERS_OF_PLUGIN, ...TABLE], real, 480_000);
});

describe.skipIf(cli === undefined)("a program that moves back from the plugin, on the real engine", () => {
  runs(PLUGIN, MOVES_BACK, real, 480_000);
});

describe.skipIf(cli === undefined)("a program that moves to the plugin, on the real engine", () => {
  runs({ ...DYNAMIC, plugin: PLUGIN.plugin }, [...MOVES, ...TAKEOVERS_BETWEEN_DOORS], real, 480_000);
});
