import * as z from "zod";
import { parseInstant } from "../../contract/instant.ts";
import { schemaAddress } from "../../contract/schema-address.ts";
import type { CaseSet, MetricFacts, RunOfCases } from "./case-set.ts";
import { scoreKey } from "./metric-key.ts";
import { rowCounts } from "./stored-case.ts";

/** How the first line of each snapshot begins. */
export const SCHEMA_NAME = "graph-deploy/snapshot";
const SCHEMA = `${SCHEMA_NAME}@2`;
/** Read, and no longer written: what is new in the next version is not known of it. */
const SCHEMA_BEFORE = `${SCHEMA_NAME}@1`;

const text = z.string("must be a text").min(1, "must not be empty").optional();
const count = z.int("must be a whole number").min(0, "must be 0 or more");
const direction = z.enum(["higher", "lower"], "must be higher or lower");
const unsure = z.literal(true, "must be true").optional();
// What a later version writes here is not known, and no reason to refuse its snapshot.
const from = z.enum(["assumed", "file", "given", "mapping", "measured", "name"]).optional().catch(undefined);
const number = z.number("must be a number");
const isTrue = z.boolean("must be true or false").optional();
const texts = z.array(z.string("must be a text"), "must be a list of texts");
const Metric = z.union(
  [
    z.object({
      ...{ name: z.string(), kind: z.enum(["positive", "unbounded"]) },
      // Of times and costs whose range is declared.
      ...{ low: number.optional(), high: number.optional() },
      ...{ direction, direction_from: from, direction_unsure: unsure, range_declared: isTrue, number_only: unsure },
    }),
    z.object({
      ...{ name: z.string(), kind: z.enum(["binary", "bounded"]), low: number, high: number },
      ...{ direction, direction_from: from, direction_unsure: unsure, range_declared: isTrue, number_only: unsure },
    }),
  ],
  "must have a name, a kind, a direction, and where it is bounded its low and its high",
);

const facts = {
  dataset: z.object({ id: text, name: text }, "must be an object"),
  commit: text,
  ref: text,
  run: text,
  agent_revision: text,
  where: text,
  created: z
    .string("must be a text")
    .refine((value) => parseInstant(value)?.zoned === true, "is not a time of RFC 3339")
    .meta({ format: "date-time" }),
  concurrency: number.optional(),
  timeout: number.optional(),
  server_versions: texts.optional(),
  shards: texts.optional(),
  complete: z.boolean("must be true or false"),
  cases: count,
  trials: count,
  // A list: an object could not hold every name.
  metrics: z.array(Metric, "must be a list"),
};

const HeaderBefore = z.object({ schema: z.literal(SCHEMA_BEFORE), evaluator: text, ...facts });
/** The first line of a snapshot as it is written. */
export const Header = z.object({
  schema: z.literal(SCHEMA),
  ...facts,
  evaluator: z
    .union([z.string().min(1), z.record(z.string(), z.string())], "must be a text, or an object of texts")
    .optional(),
  evaluator_digest: text,
  evaluator_of_rows: texts.optional(),
  readings: z.record(z.string(), count, "must be an object of versions").optional(),
  not_baseline: texts.optional(),
  reset: isTrue,
  repetitions_stated: isTrue,
  allowed: z
    .object({ unmatched: count.optional(), missing_scores: count.optional() }, "must be an object of counts")
    .optional(),
});

export interface SnapshotHeader {
  readonly version: 1 | 2;
  readonly run: RunOfCases;
  readonly metrics: ReadonlyMap<string, MetricFacts>;
  readonly cases: number;
  readonly trials: number;
}

/** The header of a set, as it is written: members that are undefined, which are not known, are absent then. */
export function headerOf(set: CaseSet): object {
  const { run, metrics, cases } = set;
  const { dataset, agentRevision, isComplete, created, concurrency, timeout, commit, ref } = run;
  const evaluator = typeof run.evaluator === "object" ? sorted(run.evaluator) : run.evaluator;
  return {
    // A snapshot is recognized by what it begins with.
    ...{ schema: SCHEMA, $schema: schemaAddress("snapshot") },
    ...{ dataset: { id: dataset.id, name: dataset.name }, evaluator },
    ...{ evaluator_digest: run.evaluatorDigest, evaluator_of_rows: run.evaluatorOfRows },
    ...{ commit, ref, run: run.run, where: run.where },
    ...{ agent_revision: agentRevision, created, concurrency, timeout, complete: isComplete },
    ...{ server_versions: run.serverVersions, shards: run.shards },
    ...{ readings: run.readings && sorted(run.readings), not_baseline: run.notBaseline },
    ...{
      reset: run.isReset,
      repetitions_stated: run.areRepetitionsStated,
      allowed: run.allowed && sorted(run.allowed),
      cases: cases.length,
      trials: rowCounts(set).rows,
    },
    metrics: [...metrics].map(([name, facts]) => ({
      ...{ name, kind: facts.kind, low: facts.low, high: facts.high, direction: facts.direction },
      ...{ direction_from: facts.directionFrom, direction_unsure: facts.isDirectionUnsure },
      ...{ range_declared: facts.isRangeDeclared, number_only: facts.isNumberOnly },
    })),
  };
}

/** The members of an object in the order of their names. */
export function sorted(members: object): object {
  return Object.fromEntries(Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1)));
}

const NO_HEADER = `the first line must be the header of a snapshot, with \`"schema":"${SCHEMA}"\``;

/** Reads the first line of a snapshot; `fault` throws what is wrong with it: a clause. */
export function readHeader(value: unknown, fault: (message: string) => never): SnapshotHeader {
  const schema = z.object({ schema: z.string() }).safeParse(value).data?.schema ?? "";
  if (!schema.startsWith(`${SCHEMA_NAME}@`)) return fault(NO_HEADER);
  if (schema !== SCHEMA && schema !== SCHEMA_BEFORE) {
    const known = `\`${SCHEMA}\` and \`${SCHEMA_BEFORE}\``;
    return fault(`the snapshot has another schema than ${known}, which this version reads`);
  }
  const parsed = (schema === SCHEMA ? Header : HeaderBefore).safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return fault(`\`${issue?.path.map(String).join(".") ?? ""}\` ${issue?.message ?? "is invalid"}`);
  }
  // What the version before did not say is undefined.
  const header: Omit<z.infer<typeof Header>, "schema"> & { readonly schema: string } = parsed.data;
  const { schema: written, cases, trials, metrics, ...ofRun } = header;
  const { agent_revision: agentRevision, complete: isComplete, server_versions: serverVersions, ...others } = ofRun;
  const { not_baseline: notBaseline, reset: isReset, repetitions_stated: areRepetitionsStated, ...known } = others;
  const { evaluator_digest: evaluatorDigest, evaluator_of_rows: evaluatorOfRows, ...run } = known;
  return {
    version: written === SCHEMA ? 2 : 1,
    run: {
      ...run,
      ...{ agentRevision, serverVersions, notBaseline, isReset, areRepetitionsStated, isComplete },
      ...{ evaluatorDigest, evaluatorOfRows },
    },
    metrics: new Map(
      metrics.map(({ name, ...read }) => {
        const { direction_from: directionFrom, direction_unsure: isDirectionUnsure, ...rest } = read;
        const { range_declared: isRangeDeclared, number_only: isNumberOnly, ...facts } = rest;
        // No time, cost or count of tokens: the version before kept a score of that name in place of what was measured.
        const isScore = facts.kind === "binary" || facts.kind === "bounded" || facts.direction === "higher";
        const key = written === SCHEMA_BEFORE && isScore ? scoreKey(name) : name;
        return [key, { ...facts, directionFrom, isDirectionUnsure, isRangeDeclared, isNumberOnly }];
      }),
    ),
    cases,
    trials,
  };
}
