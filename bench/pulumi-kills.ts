import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPackages } from "../scripts/program-packages.ts";
import { loadAsUsersDo } from "../test/engine/child-process.ts";
import { CliStack } from "../test/engine/cli-stack.ts";
import { findPulumiCli } from "../test/engine/pulumi-cli.ts";
import { SmallStack } from "../test/engine/small-stack.ts";
import { bench, count, names } from "./options.ts";
import { killCampaign, killLine, killReport } from "../test/pulumi/kill-campaign.ts";
import { DYNAMIC, PLUGIN } from "../test/pulumi/table.ts";

/**
 * Ups, refreshes and destroys of both kinds of resource, of which the engine or the provider is killed at a request that
 * its seed chooses: on the Pulumi CLI where there is one, on the engine of the tests elsewhere or with `--engine small`.
 * Prints how many left something lost, doubled, foreign or leaked after the next up and destroy.
 */
export const kills = bench(
  "runs of Pulumi that are killed: how often something is lost, doubled, foreign or leaked",
  {
    kills: count("how many", 200),
    first: count("the first seed", 0, { least: 0 }),
    engine: names("on which engine", ["cli", "small"], ["cli"]),
  },
  async ({ kills: many, first, engine }) => {
    loadAsUsersDo();
    const cli = engine.includes("small") ? undefined : findPulumiCli(process.env);
    const folder = await mkdtemp(join(tmpdir(), "graph-deploy-bench-kills-"));
    try {
      await installPackages(folder, { withPlugin: true });
      const seeds = Array.from({ length: many }, (_, index) => `kill/${String(first + index)}`);
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
  },
);
