import { describe, expect, inject, test } from "vitest";
import { CliStack } from "../engine/cli-stack.ts";
import { SmallStack } from "../engine/small-stack.ts";
import { killCampaign, killReport, type Battlefield } from "./kill-campaign.ts";
import { DYNAMIC, PLUGIN } from "./table.ts";

const only = process.env["FAULT_SEED"];
// `npm run bench -- pulumi-kills` makes two hundred.
const KILLS = Number(process.env["PULUMI_KILLS"] ?? 24);
const TIMEOUT = 1_800_000;

const packages = inject("packages");
const cli = inject("pulumiCli");
const seeds = only === undefined ? Array.from({ length: KILLS }, (_, index) => `kill/${String(index)}`) : [only];

async function expectNothingLeft(open: Battlefield["open"]): Promise<void> {
  const kills = await killCampaign(seeds, { packages, open, doors: { dynamic: DYNAMIC, plugin: PLUGIN } });
  console.log(killReport(kills).join("\n"));
  expect(kills.filter(({ faults }) => faults.length > 0)).toEqual([]);
}

describe("runs that are killed, with their provider or their engine", { timeout: TIMEOUT }, () => {
  test("leave nothing lost, doubled, foreign or leaked on the small engine", async () => {
    await expectNothingLeft(async (options) => new SmallStack(options));
  });

  test.skipIf(cli === undefined)("leave nothing lost, doubled, foreign or leaked on the real engine", async () => {
    await expectNothingLeft((options) => CliStack.open(options, cli ?? ""));
  });
});
