import { parseArgs } from "node:util";
import { pulumiLooks } from "./pulumi-looks.ts";
import { pulumiPlugin } from "./pulumi-plugin.ts";
import { pulumiStub } from "./pulumi-stub.ts";
import { pulumiUps } from "./pulumi-up.ts";
import { roundsIn } from "./rounds.ts";

/** What the Pulumi provider takes, part by part. */
export async function pulumi(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      part: { type: "string", multiple: true, default: ["stub", "looks", "plugin", "up"] },
      rounds: { type: "string", default: "9" },
      count: { type: "string", default: "100" },
      wait: { type: "string", default: "20" },
    },
  });
  const rounds = roundsIn(values.rounds);
  const parts: ReadonlyMap<string, () => Promise<void>> = new Map([
    ["stub", async () => pulumiStub()],
    ["looks", () => pulumiLooks(rounds)],
    ["plugin", () => pulumiPlugin(rounds)],
    // One round: what waits is hardly disturbed, and takes as long as it waits.
    ["up", () => pulumiUps({ count: Number(values.count), waitSeconds: Number(values.wait), rounds: 1 })],
  ]);
  for (const name of values.part) {
    const part = parts.get(name);
    if (part === undefined) throw new Error(`--part ${name} is not one of ${[...parts.keys()].join(", ")}`);
    await part();
  }
}
