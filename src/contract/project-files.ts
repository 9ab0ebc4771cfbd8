import type { Reason } from "./error-reasons.ts";

/** The files of a project that are built, by paths relative to the directory of its configuration file. */
export interface ProjectFiles {
  /** What lies at a path, over links; undefined where nothing does. */
  readonly kindOf: (path: string) => "file" | "directory" | undefined;
  /** Undefined for what cannot be read, or is longer than LONGEST_GRAPH_FILE. */
  readonly read: (path: string) => string | undefined;
  /** Why there is no file at a path where one should be. */
  readonly problemOf: (path: string) => PathProblem;
  /** Why there is no directory at a path where one should be; undefined where there is one. */
  readonly problemOfDirectory: (path: string) => PathProblem | undefined;
}

/** Why a path cannot be used. */
export interface PathProblem {
  /** To be read after the path: `does not exist`. */
  readonly text: string;
  readonly advice?: string;
  readonly reason?: Reason;
}
