import { beforeAll, expect, test } from "vitest";
import { allPages } from "../docs/markdown-file.ts";
import { builtPackage } from "./built-package.ts";
import type { Consumer } from "./consumer.ts";

let built: Consumer;
beforeAll(async () => {
  built = await builtPackage();
});

// What `pulumi package add` writes into a program, as far as the pages use it: no package here has it.
const PLUGIN_SDK = `
declare module "@graph-deploy/pulumi" {
  import * as pulumi from "@pulumi/pulumi";
  export interface DeploymentArgs {
    source: pulumi.Input<string>;
    directory?: pulumi.Input<{ path: pulumi.Input<string> }>;
  }
  export class Deployment extends pulumi.CustomResource {
    constructor(name: string, args: DeploymentArgs, options?: pulumi.CustomResourceOptions);
  }
}
`;

// Where a call has a sentence for a variable that is not set, its type takes what the compiler knows of one.
const ENVIRONMENT = `
import { connect, connectTracing, connectUploads, deploy, uploadExperiment } from "graph-deploy";
import { judge } from "graph-deploy/judgement";

const { env } = process;
const count = env.COUNT === undefined ? undefined : Number(env.COUNT);
connect({ url: env.URL, apiKey: env.KEY, bearerToken: env.TOKEN, tenantId: env.TENANT });
connectUploads({ url: env.URL, apiKey: env.KEY });
connectTracing({ url: env.URL, apiKey: env.KEY });
await deploy(
  { name: env.NAME, deploymentId: env.ID, path: env.DIRECTORY, secrets: { MODEL_KEY: env.MODEL_KEY }, record: env.RECORD },
  { url: env.URL, apiKey: env.KEY },
);
await deploy({ name: env.NAME, imageUri: env.IMAGE, expectedDigest: env.DIGEST });
await deploy({ name: env.NAME, repoRef: env.REF, graphConfig: env.CONFIG });
await deploy({ name: env.NAME, rollbackTo: env.REVISION });
await uploadExperiment({ datasetName: env.DATASET, files: env.FILES, expectedRows: count, expectedFiles: count });
await judge({ results: { rows: [], commit: env.COMMIT }, gates: env.GATES, baseline: undefined });
`;

/** The code blocks of the pages, each a program of its own: what it is called, and its text. */
const pages = (await allPages()).filter(({ path }) => path === "README.md" || /^docs[\\/]/.test(path));
const LANGUAGES = ["js", "javascript", "mjs", "cjs", "jsx", "ts", "typescript", "mts", "cts", "tsx"];
const blocks = pages.flatMap((page) =>
  page
    .codeBlocks(...LANGUAGES)
    .map((code, index) => [`${page.path.replace(/\W+/g, "-")}-${String(index + 1)}`, code] as const),
);

/** The blocks as files for the compiler, beside the SDK that some of them use. */
const programs = (end: string) => ({
  "plugin-sdk.d.ts": PLUGIN_SDK,
  ...Object.fromEntries(blocks.map(([name, code]) => [`${name}${end}`, code] as const)),
});

test("there are blocks of the library, of the clients and of Pulumi", () => {
  for (const page of ["library", "clients", "pulumi", "pulumi-plugin"]) {
    expect(blocks.filter(([name]) => name.startsWith(`docs-${page}-md-`)).length, page).toBeGreaterThan(1);
  }
});

const COMPILERS = ["typescript", "typescript-5.9"] as const;
// What `tsc --init` writes beyond `strict`.
const INIT = ["--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--isolatedModules"];
const node16 = ["--module", "node16", "--moduleResolution", "node16"];
const nodenext = ["--module", "nodenext", "--moduleResolution", "nodenext"];
const bundler = ["--module", "esnext", "--moduleResolution", "bundler"];

// A type that cannot be found is any, and any passes every other check.
const TYPES = `
import { connect, ControlPlane, deploy, type DeployProject, GraphDeployError, uploadExperiment } from "graph-deploy";
import { uploadResults, type ExperimentRequest } from "graph-deploy/experiments";
import { startLocalService } from "graph-deploy/local";
import { dryRunTraces } from "graph-deploy/trace-files";
import { RunIngest, Tracer } from "graph-deploy/tracing";
type IsAny<T> = 0 extends 1 & T ? true : false;
export const none: readonly false[] = [
  false satisfies IsAny<typeof connect>,
  false satisfies IsAny<typeof deploy>,
  false satisfies IsAny<ControlPlane>,
  false satisfies IsAny<RunIngest>,
  false satisfies IsAny<Tracer["trace"]>,
  false satisfies IsAny<typeof dryRunTraces>,
  false satisfies IsAny<GraphDeployError["code"]>,
  false satisfies IsAny<Awaited<ReturnType<typeof deploy>>>,
  false satisfies IsAny<DeployProject["path"]>,
  false satisfies IsAny<Parameters<typeof uploadExperiment>[0]["rows"]>,
  false satisfies IsAny<Awaited<ReturnType<typeof uploadExperiment>>[0]>,
  false satisfies IsAny<ExperimentRequest["metadata"]>,
  false satisfies IsAny<Awaited<ReturnType<typeof uploadResults>>>,
  false satisfies IsAny<Awaited<ReturnType<typeof startLocalService>>>,
];
`;

// CommonJS cannot import a package of ES modules under node16, but by import().
const IMPORTS = `import { connect } from "graph-deploy";\nexport const made: typeof connect = connect;\n`;
const LOADS = `export const made = import("graph-deploy").then(({ connect }) => connect);\n`;

test.each(
  COMPILERS.flatMap((compiler) => [
    [
      compiler,
      "node16",
      ".mts",
      node16,
      { "imports.cts": `// @ts-expect-error\n${IMPORTS}`, "loads.cts": LOADS },
    ] as const,
    [
      compiler,
      "nodenext",
      ".mts",
      nodenext,
      { "imports.cts": IMPORTS, "types.cts": TYPES, "types.mts": TYPES },
    ] as const,
    [compiler, "bundler", ".ts", bundler, { "types.ts": TYPES }] as const,
  ]),
)(
  "every block of the pages is a program for %s under %s, and every type is there",
  async (compiler, _, end, options, more) => {
    const all = { ...programs(end), [`environment${end}`]: ENVIRONMENT, ...more };
    expect(await built.typeErrors(all, [...options, ...INIT], compiler)).toBe("");
  },
);

test("under node10 every type is there", async () => {
  const node10 = ["--module", "commonjs", "--moduleResolution", "node10", "--ignoreDeprecations", "6.0"];
  expect(await built.typeErrors({ "types-node10.ts": TYPES }, node10)).toBe("");
});
