import { defineConfig } from "vitest/config";

/** One project for each tier: `npm test` runs the fast ones, and each slower tier has a script of its own. */
const tier = (name: string, testTimeout: number, more: { globalSetup?: string[]; isolate?: boolean } = {}) => ({
  extends: true as const,
  test: { name, include: [`test/${name}/**/*.test.ts`], testTimeout, hookTimeout: testTimeout, ...more },
});

// Their files share a process, and with it what they import: loading it anew would be a fifth of their time.
const shared = { isolate: false };

export default defineConfig({
  test: {
    environment: "node",
    // A test that leaves a server or a timer behind shows itself.
    teardownTimeout: 5_000,
    unstubEnvs: true,
    // CI wants numbers beside the summary: .ci/run prints them from this file.
    reporters:
      process.env["CI"] === "true" ? ["default", ["json", { outputFile: "build/test-report.json" }]] : ["default"],
    projects: [
      tier("unit", 15_000, shared),
      tier("contract", 30_000, shared),
      tier("dist", 180_000),
      tier("fault", 240_000),
      tier("workflow", 90_000, { globalSetup: ["test/workflow/act-install.ts"] }),
      tier("peers", 240_000),
      tier("pulumi", 120_000, { globalSetup: ["test/pulumi/package-install.ts"] }),
      tier("browser", 60_000, { globalSetup: ["test/browser/chromium-install.ts"] }),
    ],
  },
});
