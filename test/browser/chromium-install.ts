import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

const run = promisify(execFile);

/** The names under which Debian, Ubuntu and the browser's own packages install it. */
const NAMES = ["chromium", "chromium-browser", "google-chrome"];
const LOOK_MS = 20_000;
const INSTALL_MS = 240_000;

/** The program Chromium, or why there is none. */
export type ChromiumTool = { readonly program: string } | { readonly missing: string };

declare module "vitest" {
  export interface ProvidedContext {
    chromium: ChromiumTool;
  }
}

/** Finds Chromium before the first test; in CI it is installed where there is none. */
export default async function setup(project: TestProject): Promise<void> {
  const chromium = await findChromium();
  if ("missing" in chromium) console.log(`The browser tests are skipped: ${chromium.missing}`);
  project.provide("chromium", chromium);
}

export async function findChromium(): Promise<ChromiumTool> {
  const found = await onPath();
  if (found !== undefined) return { program: found };
  const names = `no ${NAMES.join(", ")} on the PATH`;
  // A program for the whole machine is installed where the machine is thrown away afterwards, and not on somebody's desk.
  if (process.env["CI"] !== "true") return { missing: `there is ${names}.` };
  if (process.getuid?.() !== 0) return { missing: `there is ${names}, and only root can install one.` };
  try {
    await install();
  } catch (error) {
    return { missing: `there is ${names}, and apt-get cannot get it: ${reasonOf(error)}` };
  }
  const installed = await onPath();
  return installed === undefined
    ? { missing: "the package chromium has no program that starts." }
    : { program: installed };
}

async function onPath(): Promise<string | undefined> {
  for (const name of NAMES) {
    // Ubuntu has a script of this name that only says what to install.
    const starts = await run(name, ["--version"], { timeout: LOOK_MS }).then(
      ({ stdout }) => /chrom/i.test(stdout),
      () => false,
    );
    if (starts) return name;
  }
  return undefined;
}

async function install(): Promise<void> {
  const options = {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    timeout: INSTALL_MS,
    maxBuffer: 16 * 1024 * 1024,
  };
  const patience = ["-q", "-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20"];
  console.log("Installs the package chromium with apt-get: about 100 MB, once.");
  await run("apt-get", [...patience, "update"], options);
  await run("apt-get", [...patience, "install", "-y", "--no-install-recommends", "chromium"], options);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && error.code === "ENOENT") return "this machine has no apt-get.";
  const lines = "stderr" in error ? String(error.stderr).trim().split("\n") : [];
  return lines.find((line) => line.startsWith("E:")) ?? "no answer in time";
}
