import { existsSync } from "node:fs";
import { join } from "node:path";
import { projectRoot, runNode, toolPath, type CommandResult } from "./command.ts";

/** One thing that `npm run check` looks at. */
interface Step {
  readonly name: string;
  readonly run: () => Promise<CommandResult>;
}

// What checks the types is a Go program, which collects garbage for a third of its time where it may not use more memory.
const isRoomy = process.availableMemory() > 12 * 2 ** 30;
process.env["GOGC"] ??= isRoomy ? "off" : "400";
process.env["GOMEMLIMIT"] ??= isRoomy ? "6GiB" : "3GiB";

const tool = (name: string, script: string, ...args: string[]): Step => ({ name, run: () => runNode(script, args) });
const ours = (file: string) => join(import.meta.dirname, file);
const folders = ["src", "front", "action", "pulumi-provider", "scripts", "test", "bench"].filter((folder) =>
  existsSync(join(projectRoot, folder)),
);

// The longest first, so that two workers end at about the same time.
const steps: readonly Step[] = [
  // One pass: the rules need the types, and the types are checked on the way.
  tool(
    "lint and types",
    toolPath("oxlint", "bin/oxlint"),
    "--deny-warnings",
    "--report-unused-disable-directives",
    ".",
  ),
  tool("format", toolPath("oxfmt", "bin/oxfmt"), "--list-different", "."),
  tool(
    "floors",
    toolPath("dependency-cruiser", "bin/dependency-cruiser.mjs"),
    "--config",
    ".dependency-cruiser.mjs",
    "--cache",
    "node_modules/.cache/dependency-cruiser",
    "--cache-strategy",
    "content",
    ...folders,
  ),
  tool("page script", toolPath("typescript", "bin/tsc"), "-p", "src/judgement/report/browser"),
  tool("dead code", toolPath("knip", "bin/knip.js"), "--cache"),
  tool("workflows", ours("validate-workflows.ts")),
];

// `npm run check -- format floors` runs only these.
const wanted = process.argv.slice(2);
const chosen = wanted.length === 0 ? steps : steps.filter(({ name }) => wanted.includes(name));
if (chosen.length < wanted.length) throw new Error(`choose among ${steps.map(({ name }) => name).join(", ")}`);

const failed: string[] = [];
const queue = chosen.values();

async function work(): Promise<void> {
  for (const step of queue) {
    const start = performance.now();
    const { exitCode, output } = await step.run();
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${exitCode === 0 ? "ok    " : "FAILED"}  ${step.name.padEnd(14)} ${seconds.padStart(5)} s`);
    if (exitCode === 0) continue;
    failed.push(step.name);
    console.log(output.trimEnd().replace(/^/gm, "        "));
  }
}

const start = performance.now();
await Promise.all([work(), work()]);
const seconds = ((performance.now() - start) / 1000).toFixed(1);
console.log(
  failed.length === 0
    ? `All ${chosen.length} checks passed in ${seconds} s.`
    : `Failed: ${failed.join(", ")} (${seconds} s).`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
