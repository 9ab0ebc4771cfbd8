import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { projectRoot } from "../../scripts/command.ts";

const VERSION = "v0.2.89";

/** The program act, or why there is none. */
export type ActTool = { readonly path: string } | { readonly missing: string };

declare module "vitest" {
  export interface ProvidedContext {
    act: ActTool;
  }
}

/** Installs act before the first test; a later run finds it in node_modules/.cache. */
export default async function setup(project: TestProject): Promise<void> {
  const act = await findAct();
  if ("missing" in act) console.log(`The workflow tests are skipped: ${act.missing}`);
  project.provide("act", act);
}

async function findAct(): Promise<ActTool> {
  // act runs a job on this machine itself with the shell that the workflow names, bash.
  if (process.platform === "win32") return { missing: "act cannot run these jobs on Windows." };
  const folder = join(projectRoot, "node_modules/.cache", `act-${VERSION}`);
  const path = join(folder, "act");
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) return { path };
  try {
    await promisify(execFile)("go", ["install", `github.com/nektos/act@${VERSION}`], {
      env: { ...process.env, GOBIN: folder },
      timeout: 300_000,
    });
    return { path };
  } catch (error) {
    return { missing: whyNot(error) };
  }
}

function whyNot(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && error.code === "ENOENT") return "Go is not installed, and act is built with it.";
  const lines = "stderr" in error ? String(error.stderr).trim().split("\n") : [];
  return `go install cannot get act ${VERSION}: ${lines.findLast((line) => line !== "") ?? "no answer within 5 minutes"}`;
}
