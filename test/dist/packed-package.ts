import { execFile } from "node:child_process";
import { cpSync } from "node:fs";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { projectRoot } from "../../scripts/command.ts";
import { madeOnce } from "./made-once.ts";

const windows = process.platform === "win32";
const run = promisify(execFile);

const Report = z.object({ filename: z.string(), size: z.number(), files: z.array(z.object({ path: z.string() })) });

/** What npm says of the tarball. */
export type PackReport = z.infer<typeof Report>;

/** The tarball of the package, made once for a run from a copy of the project. */
export class PackedPackage {
  readonly report: PackReport;
  readonly tarball: string;

  private constructor(directory: string, report: PackReport) {
    this.report = report;
    this.tarball = join(directory, report.filename);
  }

  static async make(): Promise<PackedPackage> {
    const directory = await madeOnce("packed", pack);
    const [report] = z.tuple([Report]).parse(JSON.parse(await readFile(join(directory, "report.json"), "utf8")));
    return new PackedPackage(directory, report);
  }
}

/** Leaves the tarball, and what npm reports of it. */
async function pack(directory: string): Promise<void> {
  const project = join(directory, "project");
  // Packing builds: here it touches nothing that another test reads.
  copySources(project);
  await symlink(join(projectRoot, "node_modules"), join(project, "node_modules"), windows ? "junction" : "dir");
  const args = ["pack", "--json", "--loglevel", "error", "--pack-destination", directory];
  const { stdout } = await run("npm", args, { cwd: project, shell: windows });
  await writeFile(join(directory, "report.json"), stdout);
}

/** Makes a copy of the project without what is installed and built. */
export function copySources(project: string): void {
  const left = /^(\.git|build|coverage|\.stage-.*)$|(^|[\\/])(node_modules|\.graph-deploy)$/;
  // In one go, which takes a third of the time.
  cpSync(projectRoot, project, {
    recursive: true,
    filter: (source) => source === projectRoot || !left.test(relative(projectRoot, source)),
  });
}
