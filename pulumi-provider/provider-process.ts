import { tmpdir } from "node:os";
import { systemClock } from "../src/http/clock.ts";
import { HolderMarks } from "./core/state/holder-marks.ts";
import { userDirectory } from "./core/state/user-files.ts";
import { Host, type HostOptions } from "./host.ts";
import { Running } from "./running.ts";

/** The operations of this process, which a signal ends before the process. */
export function runningIn(process: NodeJS.Process): Running {
  const running = new Running();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      void running.end().finally(() => process.exit());
    });
  }
  return running;
}

interface ProcessHost extends Pick<HostOptions, "isUnknown" | "log" | "running"> {
  readonly process: NodeJS.Process;
  /** The address of the engine; undefined while only a schema is asked for. */
  readonly engine: string | undefined;
  /** False once there is no engine that could keep a state; without it, no operation is written down while it runs. */
  readonly isHeard?: () => boolean;
}

/** What the deployments of this process share, with the environment and the files of this machine. */
export function hostIn({ process, engine, isHeard, ...own }: ProcessHost): Host {
  const programDirectory = process.cwd();
  const place = userDirectory(tmpdir(), process.getuid?.());
  const marks = new HolderMarks({ ...place, engine, programDirectory, process });
  process.once("exit", () => {
    marks.end();
  });
  return new Host({
    ...own,
    env: (name) => (Object.hasOwn(process.env, name) ? process.env[name] : undefined),
    clock: systemClock,
    programDirectory,
    temporaryDirectory: tmpdir(),
    journals: isHeard && { ...place, isHeard },
    marks,
  });
}
