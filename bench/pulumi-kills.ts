import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { installPackages } from "../scripts/program-packages.ts";
import { loadAsUsersDo } from "../test/engine/child-process.ts";
import { CliStack } from "../test/engine/cli-stack.ts";
import { findPulumiCli } from "../test/engine/pulumi-cli.ts";
import { SmallStack } from "../test/engine/small-stack.ts";
import { killCampaign, killLine, killReport } from "../test/pulumi/kill-campaign.ts";
import { DYNAMIC, PLUGIN } from "../test/pulumi/table.ts";

/**
 * Ups, refreshes and destroys of both kinds of resource, of which the engine or the provider is killed at a request that
 * its seed chooses: on the Pulumi CLI where there is one, on the engine of the tests elsewhere or with `--engine small`.
 * Prints how many left something lost, doubled, foreign or leaked after the next up and destroy.
 */
export async function kills(args: readonly string[]): Promise<void> {
  const options = {
    kills: { type: "string", default: "200" },
    first: { type: "string", default: "0" },
    engine: { type: "string" },
  } as const;
  const { values } = parseArgs({ args: [...args], options });
  loadAsUsersDo();
  const cli = values.engine === "small" ? undefined : findPulumiCli(process.env);
  const folder = await mkdtemp(join(tmpdir(), "graph-deploy-bench-kills-"));
  try {
    await installPackages(folder, { withPlugin: true });
    const first = Number(values.first);
    const seeds = Array.from({ length: Number(values.kills) }, (_, index) => `kill/${String(first + index)}`);
    const made = await killCampaign(seeds, {
      packages: join(folder, "node_modules"),
      doors: { dynamic: DYNAMIC, plugin: PLUGIN },
      onKill: (kill) => {
        console.log(killLine(kill));
      },
      open: async (stack) => (cli === undefined ? new SmallStack(stack) : await CliStack.open(stack, cli)),
    });
    console.log(`\nOn ${cli === undefined ? "the engine of the tests" : "the Pulumi CLI"}`);
    for (const line of killReport(made)) console.log(line);
    if (made.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
