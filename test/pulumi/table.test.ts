import { describe, inject, test } from "vitest";
import { CliStack } from "../engine/cli-stack.ts";
import { SmallStack } from "../engine/small-stack.ts";
import type { PulumiStack, StackOptions } from "../engine/stack.ts";
import type { Case } from "./cases/case.ts";
import { REAL_ENGINE } from "./cases/real-engine.ts";
import { Stage } from "./stage.ts";
import { DYNAMIC, TABLE } from "./table.ts";

const packages = inject("packages");
const cli = inject("pulumiCli");

// A case waits for processes, not for this one.
function runs(table: readonly Case[], open: (options: StackOptions) => Promise<PulumiStack>, timeout: number): void {
  for (const { name, setting, run } of table) {
    test.concurrent(name, { timeout }, async () => {
      await using stage = await Stage.open({ packages, type: DYNAMIC, open, setting });
      await run(stage);
      await stage.expectNoLeak();
    });
  }
}

describe("on the small engine", () => {
  runs(TABLE, async (options) => new SmallStack(options), 360_000);
});

describe.skipIf(cli === undefined)("on the real engine", () => {
  runs([...REAL_ENGINE, ...TABLE], (options) => CliStack.open(options, cli ?? ""), 480_000);
});
