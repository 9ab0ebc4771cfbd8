import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";

const LOADED = 'require("@pulumi/pulumi"); require("graph-deploy/pulumi/provider");';

/** What makes Node keep what it compiles of these packages: each run starts processes that load the same ones. */
export function compileCache(packages: string): { readonly NODE_COMPILE_CACHE: string } {
  return { NODE_COMPILE_CACHE: join(packages, ".cache/compiled") };
}

/** Compiles the provider once: its host is ended by force, and a process keeps what it compiled when it ends by itself. */
export async function fillCompileCache(packages: string): Promise<void> {
  const env = { ...process.env, ...compileCache(packages) };
  await promisify(execFile)(process.execPath, ["-e", LOADED], { cwd: dirname(packages), env });
}
