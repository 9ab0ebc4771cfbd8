import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import type { TestProject } from "vitest/node";
import { projectRoot } from "../../scripts/command.ts";
import { InstalledPackage } from "../dist/installed-package.ts";
import { findPulumiCli } from "../engine/pulumi-cli.ts";
import { fillCompileCache } from "./compile-cache.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The node_modules of an empty project that the package and Pulumi's SDK are installed in. */
    readonly packages: string;
    /** The folder of the real CLI; undefined where there is none. */
    readonly pulumiCli: string | undefined;
  }
}

/** Packs and installs the package once for the whole table, and looks for the real CLI. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cli = findPulumiCli(process.env);
  if (cli === undefined) {
    const missing = "There is no `pulumi` under PULUMI_ROOT or on PATH";
    if (process.env["GRAPH_DEPLOY_REQUIRE_PULUMI"] !== undefined) throw new Error(`${missing}, and it is required.`);
    console.log(`The cases on the real engine are skipped: ${missing}.`);
  }
  project.provide("pulumiCli", cli);
  const installed = await InstalledPackage.create();
  const packages = await withPulumi(installed);
  await fillCompileCache(packages);
  project.provide("packages", packages);
  return () => rm(dirname(packages), { recursive: true, force: true, maxRetries: 5 });
}

/** A copy of the node_modules of the consumer, with Pulumi's SDK beside the package as a program has it. */
async function withPulumi({ directory }: InstalledPackage): Promise<string> {
  const packages = join(await realpath(await mkdtemp(join(tmpdir(), "pulumi-packages-"))), "node_modules");
  await cp(join(directory, "node_modules"), packages, { recursive: true, verbatimSymlinks: true });
  await mkdir(join(packages, "@pulumi"), { recursive: true });
  await symlink(join(projectRoot, "node_modules/@pulumi/pulumi"), join(packages, "@pulumi/pulumi"), "dir");
  // Hundreds of processes would load fifty translations of zod's sentences, of which nothing is used.
  await writeFile(join(packages, "zod/v4/locales/index.js"), "export {};\n");
  return packages;
}
