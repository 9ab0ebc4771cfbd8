import * as z from "zod";
import { anyText, checkCall } from "../../contract/call-arguments.ts";
import { FEEDBACK_CONFIG_TYPES } from "../../contract/experiment.ts";
import { readYaml } from "../../files/yaml.ts";
import { bracketPath } from "./dotted-path.ts";

/** Whether more of a score is better, or less. */
export const SCORE_DIRECTIONS = ["higher", "lower"] as const;

/** How one score is read. */
export interface MappedScore {
  /** Its dotted path, or its column. */
  readonly path: string;
  /** Whether higher or lower is better; undefined if not stated. */
  readonly direction?: (typeof SCORE_DIRECTIONS)[number] | undefined;
  /** What its values are; found by the values when not given. */
  readonly kind?: "categorical" | "continuous" | "freeform" | undefined;
}

/** Where the parts of a row stand: dotted paths into an object, or names of columns. */
export interface Mapping {
  /** Keys with dots between them that lead to the list of rows in a document of JSON; undefined where that is found. */
  readonly rows?: string | undefined;
  /** The id of the case. */
  readonly id?: string | undefined;
  /** One path for the whole, or one for each key. */
  readonly inputs?: string | Readonly<Record<string, string>> | undefined;
  /** The expected output, as `inputs`. */
  readonly expected?: string | Readonly<Record<string, string>> | undefined;
  /** The output, as `inputs`. */
  readonly outputs?: string | Readonly<Record<string, string>> | undefined;
  /** The scores, by name. */
  readonly scores?: Readonly<Record<string, MappedScore>> | undefined;
  /** When the row began. */
  readonly startTime?: string | undefined;
  /** When the row ended. */
  readonly endTime?: string | undefined;
  /** Which repetition of its case a row is. */
  readonly repetition?: string | undefined;
  /** How long the row took, in seconds. */
  readonly latencySeconds?: string | undefined;
  /** How long the row took, in milliseconds. */
  readonly latencyMilliseconds?: string | undefined;
  /** Why the row failed. */
  readonly error?: string | undefined;
  /** Other facts, as `inputs`. */
  readonly metadata?: string | Readonly<Record<string, string>> | undefined;
}

/** A mapping that was read, or the errors of its text: clauses that can follow `mapping: `. */
export type MappingReading =
  | { readonly ok: true; readonly mapping: Mapping }
  | { readonly ok: false; readonly faults: readonly string[] };

/**
 * Reads a mapping from YAML, or from JSON, which is YAML too.
 * @throws Nothing: what is wrong is in the result.
 * @idempotence Sends nothing.
 */
export async function parseMapping(text: string): Promise<MappingReading> {
  checkCall("parseMapping", { text: [anyText, text] });
  const read = await readYaml(text);
  return read.ok ? readMapping(read.value) : read;
}

/** Reads a mapping from an object that has the keys of one. */
export function readMapping(value: unknown): MappingReading {
  const parsed = MappingText.safeParse(value);
  if (!parsed.success) return { ok: false, faults: parsed.error.issues.flatMap(faultsOf) };
  const { $schema, start_time: startTime, end_time: endTime, latency, latency_ms, scores, ...same } = parsed.data;
  const latencies = { latencySeconds: latency, latencyMilliseconds: latency_ms };
  const mapped = Object.entries(scores ?? {}).map(([key, { from, ...how }]): [string, MappedScore] => {
    return [key, { path: from, ...how }];
  });
  return {
    ok: true,
    mapping: { ...same, startTime, endTime, ...latencies, scores: scores && Object.fromEntries(mapped) },
  };
}

const PATH_FAULT = "must be a column or a dotted path, such as case.text";
const PARTS_FAULT = "must be a column or a dotted path, or one for each key";

/** As JSONPath writes it: a dotted path is the same without. */
const FROM_ROOT = /^\$\./;

function plainPath(text: string): string {
  const steps = bracketPath(text)?.steps;
  if (!steps) return text.replace(FROM_ROOT, "");
  const [only, more] = steps;
  return typeof only === "string" && more === undefined && !only.includes(".") ? only : text;
}

// What the checks refuse, as JSON schema says it: editors show it before a step does.
const path = z
  .string({ error: PATH_FAULT })
  .trim()
  .transform(plainPath)
  .refine((text) => text !== "", { error: PATH_FAULT })
  .meta({ pattern: "^(?!\\s*(?:\\$\\.\\s*)?$)" });
const pathOfKey = z
  .record(z.string(), path)
  .refine((paths) => Object.keys(paths).length > 0, { error: PARTS_FAULT })
  .meta({ minProperties: 1 });
const parts = z.union([path, pathOfKey], { error: PARTS_FAULT });
const score = z.strictObject(
  {
    from: path.meta({ description: "The column or dotted path of its values." }),
    direction: z
      .enum(SCORE_DIRECTIONS, { error: `must be ${SCORE_DIRECTIONS.join(" or ")}` })
      .optional()
      .meta({ description: "Which values are better." }),
    kind: z
      .enum(FEEDBACK_CONFIG_TYPES, { error: `must be one of ${FEEDBACK_CONFIG_TYPES.join(", ")}` })
      .optional()
      .meta({ description: "What its values are; found by the values when not given." }),
  },
  { error: "must be a column or a dotted path, or `from` with `direction` and `kind`" },
);
// A union would say of a score only that it is wrong, and not where. Zod throws where this returns a promise.
const scoreOrPath = z.preprocess(
  (value) => (typeof value === "string" ? { from: value } : value instanceof Promise ? null : value),
  score,
);
/** The same as a union, for its JSON schema. */
export const ScoreText = z.union([path, score]);

const ONE = "a column, or a path as in `case.messages.0.text` or `$.case.messages[-1].text`";
const one = (description: string) => path.optional().meta({ description: `${description}: ${ONE}.` });
const several = (description: string) =>
  parts.optional().meta({ description: `${description}: ${ONE}; or one for each key.` });

/** The keys as a user writes them. */
// A mapping may say where the rows stand, and leave it to the names what they hold.
export const MappingText = z
  .strictObject(
    {
      $schema: z.string().optional().meta({ description: "The address of the JSON schema of this file, for editors." }),
      rows: path.optional().meta({
        description:
          "The dotted path that leads to the list of rows in a document of JSON, as in `report.cases`. It may stand alone; the names of the columns tell the rest then.",
      }),
      id: one("The id of the case"),
      inputs: several("What the agent was asked"),
      expected: several("The expected output"),
      outputs: several("What the agent answered"),
      scores: z
        .record(z.string(), scoreOrPath, { error: "must map the name of each score to its column or path" })
        .refine((scores) => !Object.hasOwn(scores, ""), { error: "has a score without a name" })
        .optional()
        .meta({
          description: `The scores by name: ${ONE}; or \`from\` with \`direction\` and \`kind\`.`,
          propertyNames: { minLength: 1 },
        }),
      start_time: one("When the row began"),
      end_time: one("When the row ended"),
      repetition: one("Which repetition of its case the row is"),
      latency: one("How long the row took, in seconds"),
      latency_ms: one("How long the row took, in milliseconds"),
      error: one("Why the row failed"),
      metadata: several("Other facts about the row"),
    },
    { error: "must be a YAML mapping, for example `inputs: question`" },
  )
  .refine(
    (mapping) =>
      mapping.inputs !== undefined ||
      Object.entries(mapping).every(([key, value]) => key === "$schema" || (key === "rows") === (value !== undefined)),
    {
      path: ["inputs"],
      error: PARTS_FAULT,
      // Also with other errors, so that all are reported at once.
      when: isObject,
    },
  )
  .refine(({ latency, latency_ms: milliseconds }) => latency === undefined || milliseconds === undefined, {
    error: "`latency` (seconds) and `latency_ms` are both set; set one of them",
    // Also with other errors, so that all are reported at once.
    when: isObject,
  })
  .meta({
    anyOf: [{ required: ["inputs"] }, { propertyNames: { enum: ["$schema", "rows"] } }],
    not: { required: ["latency", "latency_ms"] },
  });

function isObject({ value }: { readonly value: unknown }): boolean {
  return typeof value === "object" && value !== null;
}

function faultsOf(issue: z.core.$ZodIssue): readonly string[] {
  const place = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const known = place === "" ? `a mapping has ${KEYS}` : "a score has from, direction, kind";
    return issue.keys.map((key) => `\`${place === "" ? key : `${place}.${key}`}\` is not known; ${known}`);
  }
  if (place === "") return [issue.message];
  return [`\`${place}\` ${issue.message}`];
}

const KEYS = Object.keys(MappingText.shape)
  .filter((key) => key !== "$schema")
  .join(", ");
