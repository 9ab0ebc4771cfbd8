import * as z from "zod";
import { anyObject, anyText, choice, count, flag, functionOf, somePath } from "../contract/call-arguments.ts";
import type { ShapesOf } from "../contract/call-arguments.ts";
import { LOG_KINDS } from "../contract/deployment.ts";
import { SOURCES, type RevisionConfigInput, type Source, type SourceConfigInput } from "../contract/source.ts";
import { anyMilliseconds, callOptions } from "../http/call-shapes.ts";
import type { CallOptions } from "../http/json-api.ts";
import type { Lag } from "./look-again.ts";
import type { UploadFile, UploadOptions } from "./upload.ts";

/** What a partial update needs to be checked, and to create one revision at most. */
export interface PatchContext extends Lag {
  /** The source of the deployment, which cannot change: section 2.2 of the contract. */
  readonly source: Source;
  /** What the deployment has. A rule about something that is not known here is left to the service. */
  readonly sourceConfig?: SourceConfigInput | null | undefined;
  /** What its latest revision has, in the same way. */
  readonly sourceRevisionConfig?: RevisionConfigInput | null | undefined;
  /** The latest revision before the update, null if there is none; looked up when not given. */
  readonly latestRevisionId?: string | null | undefined;
}

/** How much of a log is read. */
export interface LogOptions extends CallOptions {
  /** How many lines at most, those of the end; 30 when not given. */
  readonly limit?: number | undefined;
}

/** How a deployment is deleted. */
export interface DeleteOptions extends CallOptions {
  /** Delete its traces, too. Without them the name of the deployment can be used again. */
  readonly deleteTracingProject?: boolean | undefined;
}

/** What an interface adds to the options of every call. */
type Own<Options> = Omit<Options, keyof CallOptions>;

export const uploadFile = z.looseObject({
  file: somePath,
  bytes: z.int("must be a whole number").min(0, "must be 0 or more"),
} satisfies ShapesOf<UploadFile>);
export const logKind = z.enum(LOG_KINDS, `must be ${LOG_KINDS.join(" or ")}`);
export const logOptions = callOptions.extend({ limit: count.optional() } satisfies ShapesOf<Own<LogOptions>>);
export const deleteOptions = callOptions.extend({
  deleteTracingProject: flag.optional(),
} satisfies ShapesOf<Own<DeleteOptions>>);
export const uploadOptions = callOptions.extend({
  lagMilliseconds: anyMilliseconds,
  onProgress: functionOf<NonNullable<UploadOptions["onProgress"]>>().optional(),
} satisfies ShapesOf<Own<UploadOptions>>);
export const patchContext = z.looseObject(
  {
    source: choice(SOURCES),
    sourceConfig: anyObject.nullish(),
    sourceRevisionConfig: anyObject.nullish(),
    latestRevisionId: anyText.nullish(),
    lagMilliseconds: anyMilliseconds,
  } satisfies ShapesOf<PatchContext>,
  "must be an object",
);
