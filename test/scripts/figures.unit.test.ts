import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { calledOnce } from "../../scripts/figures/called-once.ts";
import { framesIn } from "../../scripts/figures/deploy-frames.ts";
import { inputFiles } from "../../scripts/figures/input-files.ts";
import { outcomePlaces } from "../../scripts/figures/outcome-places.ts";
import { lineCount, readSources } from "../../scripts/figures/sources.ts";
import { writeFiles } from "../write-files.ts";

const FILES = {
  "tsconfig.json": JSON.stringify({
    compilerOptions: { strict: true, lib: ["es2023"], types: [], allowImportingTsExtensions: true, noEmit: true },
  }),
  "src/deployment/outcome.ts": `export const OUTCOMES = ["live", "same", "late", "refused"] as const;
export type Outcome = (typeof OUTCOMES)[number];
`,
  "front/report.ts": `import type { Outcome } from "../src/deployment/outcome.ts";
const TITLES = { live: "Live", same: "Unchanged", late: "Late", refused: "Refused" };
export const isQuiet = (outcome: Outcome) => outcome === "same";
export function sentence(outcome: Outcome | undefined): string {
  switch (outcome) {
    case "late":
    case "refused":
      return "Not live";
    default:
      return outcome === undefined ? "Not ended" : TITLES[outcome];
  }
}
export const door = {
  isGreen: ({ outcome }: { outcome: Outcome }) => outcome === "live" || "same" === outcome,
  other: (state: "live" | "other") => state === "live",
};
`,
  "front/calls.ts": `export const twice = (text: string) => once(text) + often(text) + often(text) + given(later);
function once(text: string): string {
  return text;
}
const often = (text: string): string => text;
function later(): string {
  return "";
}
function given(call: () => string): string { return call(); }
export function kept(): string {
  return "";
}
`,
  "action.yml": "inputs:\n  allow-secrets-in-source: {}\n",
  "scripts/action-inputs.ts": "export {};\n",
  "action/options.ts": 'export const NAMES = ["allow-secrets-in-source"];\n',
  "action/dist/index.js": '"allow-secrets-in-source"',
  "src/source/archive.ts": "export const most = (allowSecretsInSource: string) => allowSecretsInSource;\n",
  "front/advice.ts": 'export const ADVICE = { SECRET: "Set `allow-secrets-in-source`." };\n',
  "src/request.ts": "export interface Request {\n  readonly allowSecretsInSource: string;\n}\n",
  "pulumi-provider/settings.ts": "export const allowSecretsInSourceOfAll = 1;\n",
};

async function tree(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "figures-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await writeFiles(root, FILES);
  execFileSync("git", ["init", "--quiet"], { cwd: root });
  execFileSync("git", ["add", "--all"], { cwd: root });
  return root;
}

test("source lines are those of the TypeScript that is shipped", async () => {
  const sources = readSources(await tree());
  expect(sources.map((source) => [source.path, lineCount(source)])).toEqual([
    ["action/options.ts", 1],
    ["front/advice.ts", 1],
    ["front/calls.ts", 12],
    ["front/report.ts", 16],
    ["pulumi-provider/settings.ts", 1],
    ["src/deployment/outcome.ts", 2],
    ["src/request.ts", 3],
    ["src/source/archive.ts", 1],
  ]);
});

test("a private function counts as called once when one reference leads to it, and that is a call", async () => {
  const sources = readSources(await tree());
  expect(sources.flatMap(calledOnce)).toEqual([
    { path: "front/calls.ts", name: "once", lines: 3 },
    { path: "front/calls.ts", name: "given", lines: 1 },
  ]);
});

test(
  "an outcome is spelt where two words of it or more are compared, switched over, listed or tabulated",
  { tags: "slow" },
  async () => {
    expect(outcomePlaces(await tree())).toEqual([
      "front/report.ts TITLES",
      "front/report.ts isGreen",
      "front/report.ts sentence",
      "src/deployment/outcome.ts OUTCOMES",
    ]);
  },
);

test("the files for an input spell its name, and are neither generated, advice nor the work that it sets", async () => {
  expect(inputFiles(await tree())).toEqual(["action/options.ts", "src/request.ts"]);
});

test("the frames of a stack are those between the function and the script, with those that wait", () => {
  const stack = `Error
    at deploy (file:///house/src/deployment/deploy.ts:18:3)
    at #try (file:///house/action/deploy/preview-deploy.ts:80:20)
    at limited (file:///house/node_modules/package/index.js:1:1)
    at new Work (file:///house/front/work.ts:1:1)
    at async PreviewDeploy.run (file:///house/action/deploy/preview-deploy.ts:60:20)
    at process.processTicksAndRejections (node:internal/process/task_queues:104:5)
    at async runStep (file:///house/front/run-step.ts:90:5)
    at async file:///house/action/deploy/main.ts:7:20`;
  expect(framesIn(stack)).toEqual(["runStep", "PreviewDeploy.run", "Work", "#try"]);
});
