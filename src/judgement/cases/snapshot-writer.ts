import * as z from "zod";
import { checkCall, flag } from "../../contract/call-arguments.ts";
import type { FoundFile } from "../../files/find-files.ts";
import { fileErrorCode } from "../../files/file-error.ts";
import { writeWholeFile } from "../../files/whole-file.ts";
import type { CaseSet, Trial } from "./case-set.ts";
import { SnapshotError } from "./errors.ts";
import { isCaseSet, storedSet } from "./joined.ts";
import { headerOf, sorted } from "./snapshot-header.ts";
import { knownValues } from "./stored-case.ts";

/**
 * Writes a set of cases to a file in one step: a reader sees the file that was there before, or all of the new one. Equal
 * sets become equal bytes. It has no texts of cases. A directory that is missing is made. Throws SnapshotError.
 */
export function writeSnapshot(set: CaseSet, { path, name }: FoundFile): void {
  try {
    writeWholeFile(path, snapshotLines(set));
  } catch (cause) {
    const code = fileErrorCode(cause);
    if (code === undefined) throw cause;
    const why = code === "ENOSPC" ? `the disk is full (${code})` : code;
    throw new SnapshotError({ file: name }, `the snapshot cannot be written: ${why}`, {
      cause,
      advice: "Check that its directory is writable and has space left.",
    });
  }
}

/** The content of a snapshot. */
export interface SnapshotOptions {
  /** True writes inputs, outputs and error texts where the set has them. */
  readonly withTexts?: boolean;
}

// Only judge and parseSnapshot make one.
const caseSet = z.custom<CaseSet>(isCaseSet, "must be the cases of a judgement or of a snapshot");
const snapshotOptions = z.strictObject({ withTexts: flag.exactOptional() }, "must be an object");

/** A set of cases as the text of a snapshot, for a program that stores it itself. Equal sets become equal texts. */
export function snapshotText(set: CaseSet, options: SnapshotOptions = {}): string {
  checkCall("snapshotText", { set: [caseSet, set], options: [snapshotOptions, options] });
  return [...snapshotLines(storedSet(set), options)].join("");
}

export function* snapshotLines(set: CaseSet, { withTexts = false }: SnapshotOptions = {}): Generator<string> {
  yield `${JSON.stringify(headerOf(set))}\n`;
  const metrics = [...set.metrics.keys()];
  for (const { key, name, digest, metadata, trials, inputs, expected } of set.cases) {
    yield `${JSON.stringify({
      ...{ case: key, name, digest, metadata: metadata && sorted(metadata) },
      ...(withTexts ? { inputs, expected } : {}),
      trials: trials.map((trial) => trialOf(trial, metrics, withTexts)),
    })}\n`;
  }
}

/** Measurements are kept apart from the scores, under names with units. */
export const MEASURE_FIELDS: ReadonlyMap<string, "cost" | "ms" | "tokens"> = new Map([
  ["latency", "ms"],
  ["tokens", "tokens"],
  ["cost", "cost"],
]);

const number = z.number().optional();
const TrialLine = z.object({
  scores: z.record(z.string(), z.number()).meta({ description: "By name, without those that are missing." }),
  cost: number,
  ms: number.meta({ description: "How long the row took, milliseconds." }),
  tokens: number,
  start: number.meta({ description: "When the row began, microseconds since the epoch." }),
  // Absent where every named metric has a number, as in most rows, and null where that is not known.
  unscored: z
    .array(z.string())
    .nullable()
    .optional()
    .meta({ description: "Metrics that the row names without a number." }),
  unmeasured: z
    .string()
    .optional()
    .meta({ description: "The outcome of a trial in which nothing was measured, such as `unreachable`." }),
  outputs: z.string().optional(),
  error: z.union([z.literal(true), z.string()]).optional(),
});

/** Each line but the first: a case with its trials. The reader checks the same by hand. */
export const CaseLine = z.object({
  case: z
    .string()
    .meta({ description: "The same in every run of the evaluation: a UUID in lower case.", format: "uuid" }),
  name: z.string().meta({ description: "What people call the case." }),
  digest: z
    .string()
    .regex(/^[\da-f]{32}$/)
    .meta({ description: "Of its inputs and expected outputs." }),
  metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  inputs: z.string().optional(),
  expected: z.string().optional(),
  trials: z.array(TrialLine).min(1),
});

function trialOf(trial: Trial, metrics: readonly string[], withTexts: boolean) {
  const { hasError, start, unscored, unmeasured, outputs, error } = trial;
  const known = knownValues(trial, metrics);
  const measures = known.flatMap(([metric, value]) => {
    const field = MEASURE_FIELDS.get(metric);
    return field === undefined ? [] : [[field, value] as const];
  });
  return {
    scores: Object.fromEntries(known.filter(([metric]) => !MEASURE_FIELDS.has(metric))),
    ...Object.fromEntries(measures),
    start,
    ...(unscored?.length === 0 ? {} : { unscored: unscored ?? null }),
    unmeasured,
    ...(withTexts ? { outputs } : {}),
    ...(hasError ? { error: (withTexts ? error : undefined) ?? true } : {}),
  };
}
