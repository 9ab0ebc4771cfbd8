import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { randomUUID } from "node:crypto";

const kinds = {
  OUTPUT: "set_output",
  STATE: "save_state",
  STEP_SUMMARY: "step_summary",
  ENV: "set_env",
  PATH: "add_path",
};

/** The runner's files for one stage (main or post) of a step, and what the action wrote into them. */
export class StageFiles {
  /** GITHUB_OUTPUT and the others: paths of files that exist and are empty, as the toolkit demands. */
  readonly env: Readonly<Record<string, string>>;

  private constructor(env: Record<string, string>) {
    this.env = env;
  }

  /** Makes the files in `temp`, where the runner has them too. */
  static async create(temp: string): Promise<StageFiles> {
    const folder = join(temp, "_runner_file_commands");
    await mkdir(folder, { recursive: true });
    const suffix = randomUUID();
    const env = Object.fromEntries(
      Object.entries(kinds).map(([kind, prefix]) => [`GITHUB_${kind}`, join(folder, `${prefix}_${suffix}`)]),
    );
    await Promise.all(Object.values(env).map((path) => writeFile(path, "")));
    return new StageFiles(env);
  }

  /** The text of a file; the empty string when the action removed it. */
  async read(kind: keyof typeof kinds): Promise<string> {
    return readFile(this.env[`GITHUB_${kind}`] ?? "", "utf8").catch(() => "");
  }
}

/** A folder for RUNNER_TEMP. Its real path, because macOS has its temporary folder behind a link. */
export async function makeRunnerTemp(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), "runner-temp-")));
}

/** What an action left in RUNNER_TEMP: paths relative to it, with forward slashes; the runner's own files apart. */
export async function leftIn(temp: string): Promise<string[]> {
  const entries = await readdir(temp, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(temp, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((path) => !path.startsWith("_runner_file_commands/") && path !== "_github_workflow/event.json")
    .sort();
}

/** Writes the event for GITHUB_EVENT_PATH and returns its path. */
export async function writeEvent(temp: string, event: unknown): Promise<string> {
  const path = join(temp, "_github_workflow", "event.json");
  await mkdir(join(temp, "_github_workflow"), { recursive: true });
  await writeFile(path, JSON.stringify(event));
  return path;
}

/** Removes a RUNNER_TEMP; Windows needs a moment until a process has let go of its files. */
export async function removeRunnerTemp(temp: string): Promise<void> {
  await rm(temp, { recursive: true, force: true, maxRetries: 5 });
}
