import type { Reason } from "../../contract/error-reasons.ts";
import { GraphDeployError, type ErrorOptionsWithAdvice } from "../../contract/graph-deploy-error.ts";

/** One thing that keeps a source from being packed. */
export interface SourceFault {
  /** What is wrong with which file, without a full stop. */
  readonly message: string;
  readonly advice: string;
  readonly reason?: Reason;
}

/** The directory of the agent project cannot be used. */
export class SourceFolderError extends GraphDeployError {
  readonly code = "SOURCE_FOLDER";
}

/** The configuration file is missing, or cannot be understood. */
export class GraphConfigError extends GraphDeployError {
  readonly code = "GRAPH_CONFIG";
  /** Where there are configuration files, when the one that was asked for does not exist; the likeliest first. */
  readonly found: readonly FoundConfig[];

  constructor(
    message: string,
    { found = [], ...options }: ErrorOptionsWithAdvice & { readonly found?: readonly FoundConfig[] } = {},
  ) {
    super(message, options);
    this.found = found;
  }
}

/** A configuration file that was not asked for. */
export interface FoundConfig {
  /** As messages name it. */
  readonly name: string;
  /** The directory to deploy for it, from the workspace; undefined where it is the one that was asked for. */
  readonly directory: string | undefined;
  /** The configuration file to ask for, from that directory; undefined where it is the one that was asked for. */
  readonly file: string | undefined;
}

/** The tree cannot be packed as it is; all that is wrong with it, in one report. */
export class SourceTreeError extends GraphDeployError {
  readonly code = "SOURCE_TREE";
  /** Each fault as a line of its own. */
  readonly faults: readonly string[];

  constructor(faults: readonly SourceFault[]) {
    const messages = faults.map(({ message }) => message);
    const reasons = messages.length === 1 ? "" : `, for ${String(messages.length)} reasons`;
    const shown = messages.slice(0, FAULTS_SHOWN);
    if (messages.length > shown.length) shown.push(`and ${String(messages.length - shown.length)} more`);
    super(`The source cannot be packed${reasons}: ${shown.join("; ")}.`, {
      advice: [...new Set(faults.map(({ advice }) => advice))].join(" "),
      reasons: [...new Set(faults.flatMap(({ reason }) => reason ?? []))],
    });
    this.faults = messages;
  }
}

// An annotation holds 4096 characters.
const FAULTS_SHOWN = 20;

/** A file of the tree cannot be read. */
export class SourceUnreadableError extends GraphDeployError {
  readonly code = "SOURCE_UNREADABLE";
}

/** A file of the tree became another while it was packed. */
export class SourceChangedError extends GraphDeployError {
  readonly code = "SOURCE_CHANGED";

  constructor(path: string, how: string, options: { readonly cause?: unknown } = {}) {
    super(`${path} ${how} while the source was packed.`, {
      ...options,
      advice: "Let the program that writes the file finish before the deploy, or exclude the file.",
    });
  }
}

/** The compressed archive is larger than allowed. */
export class SourceTooLargeError extends GraphDeployError {
  readonly code = "SOURCE_TOO_LARGE";
  readonly maxBytes: number;

  constructor(message: string, { maxBytes, ...options }: ErrorOptionsWithAdvice & { readonly maxBytes: number }) {
    super(message, options);
    this.maxBytes = maxBytes;
  }
}
