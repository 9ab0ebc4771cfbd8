import { rm } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { rolldown } from "rolldown";

/** What package.json exports, and the program of the command: the name of each script, and what it is compiled from. */
const ENTRIES = {
  index: "src/index.js",
  experiments: "src/experiments/index.js",
  judgement: "src/judgement/index.js",
  local: "src/local/index.js",
  "local-command": "src/local-command.js",
  pulumi: "pulumi-provider/index.js",
  "pulumi-provider": "pulumi-provider/main.js",
  "trace-files": "src/traces.js",
  tracing: "src/tracing/index.js",
} as const;

/** What does something when it is imported; `sideEffects` of package.json has the scripts that come of it. */
const WORKS_WHEN_IMPORTED = ["src/node-version.js", "src/local-command.js", "pulumi-provider/main.js"];

/**
 * Bundles the library from the compiled tree `stage` into `target`, which package.json exports: for Node each file that it
 * looks for and reads costs half a millisecond, and there are hundreds. What is imported when it is called stays apart,
 * what several scripts need is there once, and packages stay packages.
 */
export async function bundleLibrary(stage: string, target: string): Promise<void> {
  await rm(target, { recursive: true, force: true });
  await using bundle = await rolldown({
    input: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, join(stage, file)])),
    platform: "node",
    external: (id) => !isAbsolute(id) && !id.startsWith("."),
    treeshake: { moduleSideEffects: (id) => WORKS_WHEN_IMPORTED.some((file) => id === join(stage, file)) },
    onLog: (_level, { message }) => {
      throw new Error(`The library cannot be bundled: ${message}`);
    },
  });
  await bundle.write({
    dir: target,
    format: "esm",
    // An error says the name of its class.
    keepNames: true,
    entryFileNames: "[name].js",
    chunkFileNames: ({ name }) => (name === "node-version" ? "[name].js" : "parts/[name].js"),
    codeSplitting: {
      groups: [
        // A script of its own: an older Node gets its sentence before it loads anything that it does not know.
        { name: "node-version", test: /[\\/]src[\\/]node-version\.js$/, priority: 1 },
        // What most scripts need, and what needs no package but zod.
        { name: "shared", test: /[\\/]src[\\/](contract|text)[\\/](?!closest)/, minShareCount: 6 },
      ],
    },
  });
}
