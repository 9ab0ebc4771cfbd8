import { bench, count, names, number } from "./options.ts";
import { pulumiLooks, shortLooks } from "./pulumi-looks.ts";
import { pulumiPlugin } from "./pulumi-plugin.ts";
import { pulumiStub } from "./pulumi-stub.ts";
import { pulumiUps } from "./pulumi-up.ts";

const OPTIONS = {
  part: names("one of the parts", ["stub", "looks", "plugin", "up"]),
  rounds: count("rounds of looks and plugin, without the one that is dropped", 9),
  count: count("deployments of an up", 100),
  wait: number("how long the service takes for a revision, in seconds", 20, { least: 0 }),
};

/** What the Pulumi provider takes, part by part. */
export const pulumi = bench(
  "the Pulumi provider: its state, checks of a directory, 100 deployments at once",
  OPTIONS,
  async ({ part: parts, rounds, count, wait: waitSeconds }) => {
    if (parts.includes("stub")) pulumiStub();
    if (parts.includes("looks")) await pulumiLooks(rounds);
    if (parts.includes("plugin")) await pulumiPlugin(rounds);
    // One round: what waits is hardly disturbed, and takes as long as it waits.
    if (parts.includes("up")) await pulumiUps({ count, waitSeconds, rounds: 1 });
  },
  shortLooks,
);
