import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { defineConfig } from "vitest/config";

// Tests start this project's programs over a hundred times: half of the time of a start is compilation, which this keeps.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/compiled");

const isSlow = (file: string) => /"slow"|@module-tag slow/.test(readFileSync(file, "utf8"));

/**
 * The test files of a project; for the slow tier those that write its tag, or import a helper which does. Vitest imports
 * a file to see its tags, and the others would cost a twentieth of that tier.
 */
function asked(files: string[]): string[] {
  if (!process.argv.includes("--tags-filter=slow")) return files;
  const helpers = globSync("test/**/!(*.test).ts", { exclude: ["**/node_modules"] }).filter(isSlow);
  const imports = helpers.map((helper) => `/${basename(helper)}"`);
  const takesHelper = (file: string) => imports.some((name) => readFileSync(file, "utf8").includes(name));
  return globSync(files).filter((file) => isSlow(file) || takesHelper(file));
}

/**
 * One project for each tier: `npm test` runs the fast ones, and each slower tier has a script of its own. The time of a
 * test is there for one that hangs; on a machine that is ten times as slow it is enough for all others.
 */
const tier = (
  name: string,
  testTimeout: number,
  more: { globalSetup?: string[]; setupFiles?: string[]; isolate?: boolean } = {},
) => ({
  extends: true as const,
  test: {
    name,
    include: asked([`test/${name}/**/!(*.unit|*.contract|*.process).test.ts`, `test/**/*.${name}.test.ts`]),
    testTimeout,
    hookTimeout: testTimeout,
    ...more,
  },
});

// Their files share a process, and with it what they import: loading it anew would be a fifth of their time.
const shared = { isolate: false, setupFiles: ["test/property-runs.ts", "test/cheap-hashes.ts"] };

// Their files share the package as it is packed and as it is built: each is made once, when a file asks for it.
const packages = { globalSetup: ["test/dist/shared-directory.ts"] };

const report = process.env["TEST_REPORT"] ?? "build/test-report.json";
const json: ["json", { outputFile: string }] = ["json", { outputFile: report }];

export default defineConfig({
  test: {
    environment: "node",
    // A test that leaves a server or a timer behind shows itself.
    teardownTimeout: 5_000,
    // What comes at once on an idle machine may take seconds on a busy one, and no test may fail for that.
    expect: { poll: { interval: 10, timeout: 30_000 } },
    unstubEnvs: true,
    tags: [
      {
        name: "slow",
        description:
          "Takes over 100 ms: large, many, random, or waits. `npm run test:slow` runs it, and `npm test` does not.",
      },
    ],
    // Node runs these files as they are, and keeps what it compiled: a transformed copy of each would cost more.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // CI wants numbers beside the summary: .ci/run prints them from this file.
    reporters: ["default", "./scripts/slowest-files.ts", ...(process.env["CI"] === "true" ? [json] : [])],
    projects: [
      tier("unit", 60_000, shared),
      tier("contract", 120_000, shared),
      tier("process", 120_000, { isolate: false }),
      tier("built", 120_000, { isolate: false }),
      tier("dist", 600_000, { ...packages, isolate: false }),
      tier("fault", 240_000, { isolate: false }),
      tier("workflow", 240_000, { isolate: false, globalSetup: ["test/workflow/act-install.ts"] }),
      tier("peers", 240_000, { isolate: false, globalSetup: [...packages.globalSetup, "test/peers/tools-install.ts"] }),
      tier("pulumi", 360_000, { globalSetup: [...packages.globalSetup, "test/pulumi/package-install.ts"] }),
      tier("browser", 60_000, { isolate: false, globalSetup: ["test/browser/chromium-install.ts"] }),
    ],
  },
});
