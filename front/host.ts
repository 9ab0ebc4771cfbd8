import type { Environment } from "./environment.ts";

/** Where a step runs: a runner of GitHub, or a terminal. */
export interface Host extends Screen {
  readonly place: Place;
  readonly env: Environment;
  /** The text of an option as it is written, by the name that this host has for it; undefined where it is not written. */
  readonly given: (option: string) => string | undefined;
  /** What is known of the run that the step is part of. Texts are foreign. */
  readonly run: () => Promise<Run>;
  /** Keeps a secret out of everything that is printed. */
  readonly mask: (secret: string) => void;
  /** Hands a result to what comes after the step. Throws HostFileError. */
  readonly setOutput: (name: string, text: string) => void;
  /** Shows a report in markdown; undefined where there is no place for it. Throws HostFileError. */
  readonly summary?: ((markdown: string) => void) | undefined;
  /** Keeps a text for what cleans up after a step that was killed. Throws HostFileError. */
  readonly saveState?: (name: string, text: string) => void;
  /**
   * Why the secrets of a run may be empty, as a sentence without its full stop; undefined when nothing explains it.
   * `address` is the option that a rehearsal sets to `local`.
   */
  readonly explainEmptySecret?: (address: string) => Promise<string | undefined>;
  /** What kind of run it is, where nobody decides about each one: `a run of the event "push"`. */
  readonly unattended?: string | undefined;
}

/** What a host has of its process. */
export interface HostProcess {
  readonly env: Environment;
  readonly stdout: { readonly write: (text: string) => unknown };
}

/** The name under which a step keeps the path of its spool for what cleans up after it. */
export const SPOOL_STATE = "spool";

/** What a step prints on. Texts are one line each, and hold no secret. */
export interface Screen {
  readonly print: (line: string) => void;
  /** Marks a text as something to look at. */
  readonly annotate: (kind: AnnotationKind, text: string, frame?: AnnotationFrame) => void;
  /** Lines that are closed at first, where the host can do that. */
  readonly group: (title: string, lines: readonly string[]) => void;
  /** A line that only debug logging shows. */
  readonly debug: (text: string) => void;
  /** How many annotations of a kind are shown; further ones are plain lines. */
  readonly mostAnnotations: number;
}

export type AnnotationKind = "error" | "notice" | "warning";

/** Where an annotation stands: its title, and the file and the line that it is shown at. */
export interface AnnotationFrame {
  readonly title?: string | undefined;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/** The machine as a step sees it. */
export interface Place {
  /** A directory for files of this job, absolute. */
  readonly temp: string;
  /** The directory that paths lead from, absolute; undefined where there is none. */
  readonly workspace: string | undefined;
  /** What the two are called. */
  readonly names: { readonly temp: string; readonly workspace: string };
  /** What the machine is called. */
  readonly machine: "machine" | "runner";
  /** The number of this attempt of the run, from 1. */
  readonly attempt: number;
  readonly debug: boolean;
}

/** The run that a step is part of, as far as its host describes it. Texts are foreign. */
export interface Run {
  /** The commit that the run is about; for a pull request the newest one of its branch. */
  readonly commit?: string;
  /** The branch or tag, without `refs/…`; for a pull request its branch. */
  readonly ref?: string;
  readonly pullRequest?: number;
  /** `owner/name` */
  readonly repository?: string;
  /** The name of the workflow; of one without a name, that of its file. */
  readonly workflow?: string;
  readonly job?: string;
  readonly actor?: string;
  readonly url?: string;
  /** Digits: it may be larger than a number holds. */
  readonly id?: string;
  /** From 1. */
  readonly attempt?: number;
}
