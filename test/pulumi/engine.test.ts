import { describe } from "vitest";
import { CliStack } from "../engine/cli-stack.ts";
import { findPulumiCli } from "../engine/pulumi-cli.ts";
import { SmallStack } from "../engine/small-stack.ts";
import { stackCases } from "../engine/stack-cases.ts";

stackCases("the small engine", async (options) => new SmallStack(options), 300_000);

const cli = findPulumiCli(process.env);

// The small engine is a reading of the real one: here the real one says whether it was read right.
describe.skipIf(cli === undefined)("with the real CLI", () => {
  stackCases("the real engine", (options) => CliStack.open(options, cli ?? ""), 480_000);
});
