import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, glob, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import * as z from "zod";
import { projectRoot } from "../../scripts/command.ts";

const VERSION = "v0.2.89";

/**
 * When a step has failed, act does not read what is still in its terminal, so on a busy machine the last lines of the
 * step are missing. And when a process of the step outlives it and prints something more, act never sees the end.
 */
const PATCH: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  "pkg/container/host_environment.go": [
    ["\terr = cmd.Run()\n\tif err != nil {\n\t\treturn err\n\t}\n", "\terr = cmd.Run()\n"],
    [
      "\tif w.AutoStop && len(buf) > 0 && buf[len(buf)-1] == 4 {\n",
      "\tif end := bytes.IndexByte(buf, 4); w.AutoStop && end >= 0 {\n\t\tbuf = buf[:end+1]\n",
    ],
  ],
};

/** Of what `go mod download -json` prints: where the sources are. */
const Module = z.object({ Dir: z.string() });

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
  const patch = createHash("sha256").update(JSON.stringify(PATCH)).digest("hex").slice(0, 8);
  const path = join(projectRoot, "node_modules/.cache", `act-${VERSION}-${patch}`, "act");
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) return { path };
  const folder = await mkdtemp(join(tmpdir(), "graph-deploy-act-"));
  try {
    await build(folder, path);
    return { path };
  } catch (error) {
    return { missing: whyNot(error) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Builds act from a patched copy of its sources: Go replaces no file of a module that it has downloaded. */
async function build(folder: string, path: string): Promise<void> {
  const go = async (...args: readonly string[]) =>
    (await promisify(execFile)("go", args, { cwd: folder, timeout: 300_000 })).stdout;
  const { Dir } = Module.parse(JSON.parse(await go("mod", "download", "-json", `github.com/nektos/act@${VERSION}`)));
  for await (const file of glob("**/*", {
    cwd: Dir,
    withFileTypes: true,
    exclude: ({ name }) => name === "testdata",
  })) {
    const from = join(file.parentPath, file.name);
    const to = relative(Dir, from);
    if (file.isFile() && !to.endsWith("_test.go")) {
      await mkdir(dirname(join(folder, to)), { recursive: true });
      await writeFile(join(folder, to), patched(to, await readFile(from)));
    }
  }
  await go("build", "-trimpath", "-o", path, ".");
}

function patched(path: string, source: Buffer): Buffer | string {
  const changes = PATCH[path];
  if (changes === undefined) return source;
  let text = source.toString("utf8");
  for (const [before, after] of changes) {
    if (text.split(before).length !== 2) throw new Error(`${path} of act ${VERSION} is not what the patch expects`);
    text = text.replace(before, () => after);
  }
  return text;
}

function whyNot(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && error.code === "ENOENT") return "Go is not installed, and act is built with it.";
  const lines = "stderr" in error ? String(error.stderr).trim().split("\n") : [];
  return `go cannot build act ${VERSION}: ${lines.findLast((line) => line !== "") ?? "no answer within 5 minutes"}`;
}
