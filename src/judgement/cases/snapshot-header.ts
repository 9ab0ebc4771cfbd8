import * as z from "zod";
import { parseInstant } from "../../contract/instant.ts";
import { isJsonObject } from "../../files/json-object.ts";
import type { JsonObject } from "../../files/json/value.ts";
import type { CaseSet, MetricFacts, RunOfCases } from "./case-set.ts";
import { trialCount } from "./stored-case.ts";

/** How the first line of each snapshot begins. */
export const SCHEMA_NAME = "graph-deploy/snapshot";
const SCHEMA = `${SCHEMA_NAME}@1`;

const text = z.string("must be a text").min(1, "must not be empty").optional();
const count = z.int("must be a whole number").min(0, "must be 0 or more");
const direction = z.enum(["higher", "lower"], "must be higher or lower");
const unsure = z.literal(true, "must be true").optional();
const number = z.number("must be a number");
const Metric = z.union(
  [
    z.object({ name: z.string(), kind: z.enum(["positive", "unbounded"]), direction, direction_unsure: unsure }),
    z.object({
      ...{ name: z.string(), kind: z.enum(["binary", "bounded"]), low: number, high: number },
      ...{ direction, direction_unsure: unsure },
    }),
  ],
  "must have a name, a kind, a direction, and where it is bounded its low and its high",
);

const Header = z.object({
  schema: z.literal(SCHEMA),
  dataset: z.object({ id: text, name: text }, "must be an object"),
  evaluator: z.union([text, z.custom<JsonObject>(isJsonObject)], "must be a text or an object"),
  evaluator_digest: text,
  commit: text,
  ref: text,
  run: text,
  agent_revision: text,
  created: z.string("must be a text").refine(isTime, "is not a time of RFC 3339"),
  concurrency: number.optional(),
  complete: z.boolean("must be true or false"),
  cases: count,
  trials: count,
  // A list: an object could not hold every name.
  metrics: z.array(Metric, "must be a list"),
});

/** What the first line of a snapshot says. */
export interface SnapshotHeader {
  readonly run: RunOfCases;
  readonly metrics: ReadonlyMap<string, MetricFacts>;
  readonly cases: number;
  readonly trials: number;
}

function isTime(value: string): boolean {
  return parseInstant(value)?.zoned === true;
}

/** The header of a set, as it is written: members that are undefined are absent then. */
export function headerOf({ run, metrics, cases }: CaseSet): object {
  let trials = 0;
  for (const each of cases) trials += trialCount(each);
  const { dataset, agentRevision, isComplete, created, concurrency, evaluator, evaluatorDigest, commit, ref } = run;
  return {
    ...{ schema: SCHEMA, dataset: { id: dataset.id, name: dataset.name }, evaluator, evaluator_digest: evaluatorDigest, commit, ref, run: run.run },
    ...{ agent_revision: agentRevision, created, concurrency, complete: isComplete, cases: cases.length },
    trials,
    metrics: [...metrics].map(([name, { isDirectionUnsure, ...facts }]) => ({
      ...{ name, kind: facts.kind, low: facts.low, high: facts.high, direction: facts.direction },
      direction_unsure: isDirectionUnsure,
    })),
  };
}

/** A header that was read, or what is wrong with it: a clause. */
export type HeaderReading =
  { readonly header: SnapshotHeader } | { readonly header: undefined; readonly fault: string };

const NO_HEADER = `the first line must be the header of a snapshot, with \`"schema":"${SCHEMA}"\``;

/** Reads the first line of a snapshot. */
export function readHeader(value: unknown): HeaderReading {
  const schema = z.object({ schema: z.string() }).safeParse(value).data?.schema ?? "";
  if (!schema.startsWith(`${SCHEMA_NAME}@`)) return { header: undefined, fault: NO_HEADER };
  if (schema !== SCHEMA) {
    return {
      header: undefined,
      fault: `the snapshot has another schema than \`${SCHEMA}\`, the only one that this version reads`,
    };
  }
  const parsed = Header.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return {
      header: undefined,
      fault: `\`${issue?.path.map(String).join(".") ?? ""}\` ${issue?.message ?? "is invalid"}`,
    };
  }
  const { schema: _schema, agent_revision: agentRevision, complete: isComplete, ...facts } = parsed.data;
  const { cases, trials, metrics, evaluator, evaluator_digest: digest, ...run } = facts;
  const evaluatorDigest = typeof evaluator === "string" ? evaluator : digest;
  return {
    header: {
      run: {
        ...run,
        ...(typeof evaluator === "object" ? { evaluator } : {}),
        ...(evaluatorDigest === undefined ? {} : { evaluatorDigest }),
        ...(agentRevision === undefined ? {} : { agentRevision }),
        isComplete,
      },
      metrics: new Map(
        metrics.map(({ name, direction_unsure: isDirectionUnsure, ...known }) => {
          return [name, isDirectionUnsure === undefined ? known : { ...known, isDirectionUnsure }];
        }),
      ),
      cases,
      trials,
    },
  };
}
