import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { NODE_ARGUMENTS, nodeOptions } from "../node-arguments.ts";
import { JobLog } from "./job-log.ts";

/** A run that takes longer hangs: it is ended by force. The longest takes 6 s on a machine that does nothing else. */
const LIMIT_MS = 200_000;

/** What a run of act is started with. */
export interface ActOptions {
  readonly act: string;
  /** A git repository; all of its workflows for the event run. */
  readonly repository: string;
  /** Where act keeps the jobs' files, one folder each, of which those of green jobs are removed. */
  readonly jobs: string;
  /** A home of its own, so that no settings of the user who runs the tests are read. */
  readonly home: string;
  /** The folders with the actions that the workflows use, by `owner/name@ref`. */
  readonly actions: ReadonlyMap<string, string>;
  /** `push` when absent. */
  readonly event?: string;
  /** The file with the event's payload. */
  readonly payload?: string;
  readonly vars?: Readonly<Record<string, string>>;
  readonly secrets?: Readonly<Record<string, string>>;
  /** More of the environment of every step. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A run that has ended. */
export interface ActRun {
  readonly exitCode: number | null;
  readonly log: JobLog;
}

/** A run in progress. */
export interface RunningAct {
  readonly result: Promise<ActRun>;
  /** Cancels the run: act ends the step that runs, and continues with those that run always. */
  cancel(): void;
  /** Ends act and all its steps at once, if they are not at their end. The result rejects with the log. */
  end(): void;
}

/** Starts act on this machine itself, without containers. */
export function startAct(options: ActOptions): RunningAct {
  const child = spawn(options.act, flags(options), {
    cwd: options.repository,
    // Jobs inherit the environment. act takes the first `node` in PATH, whatever version an action asks for.
    env: {
      PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
      HOME: options.home,
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      ...nodeOptions(...NODE_ARGUMENTS),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const cancel = () => child.kill("SIGINT");
  // With act its terminals go, and the kernel hangs up on the steps. act prints where each of its threads is.
  let isForced = false;
  const end = () => {
    isForced = child.kill("SIGQUIT");
  };
  const finish = async (): Promise<ActRun> => {
    const limit = setTimeout(end, LIMIT_MS);
    const [stdout, stderr] = await Promise.all([buffer(child.stdout), buffer(child.stderr), once(child, "close")]);
    clearTimeout(limit);
    const log = new JobLog(stdout.toString("utf8"), stderr.toString("utf8"));
    if (isForced) throw new Error(`act was ended by force:\n${log.text}`);
    if (log.text.includes("LocalRepositoryCache not matched")) {
      throw new Error(`act went to fetch an action from outside:\n${log.text}`);
    }
    return { exitCode: child.exitCode, log };
  };
  const result = finish();
  // The user who started the run may look at the result later.
  result.catch(() => undefined);
  return { result, cancel, end };
}

function flags(options: ActOptions): string[] {
  const pairs = (flag: string, values: Iterable<[string, string]>) =>
    Array.from(values, ([name, value]) => [flag, `${name}=${value}`]).flat();
  return [
    options.event ?? "push",
    "--json",
    "--no-cache-server",
    "--platform",
    "ubuntu-latest=-self-hosted",
    // As many jobs at once as a matrix of the tests has, however many processors this machine has.
    "--concurrent-jobs",
    "3",
    "--action-cache-path",
    options.jobs,
    "--env-file",
    join(options.home, "none"),
    ...(options.payload === undefined ? [] : ["--eventpath", options.payload]),
    ...pairs("--local-repository", options.actions),
    ...pairs("--var", Object.entries(options.vars ?? {})),
    ...pairs("--secret", Object.entries(options.secrets ?? {})),
    ...pairs("--env", Object.entries(options.env ?? {})),
  ];
}
