import { valueKey } from "../../rows/column-facts.ts";
import type { JsonObject } from "../../../files/json/value.ts";
import { ColumnValues, type ColumnSample } from "./column-sample.ts";
import type { TableDialect } from "./dialect.ts";

/** What stands in the columns of some records. */
export function samplesOf(records: readonly JsonObject[], { kindOf }: TableDialect): readonly ColumnSample[] {
  const columns = new Map<string, ColumnValues>();
  for (const record of records) {
    for (const [name, value] of Object.entries(record)) {
      let values = columns.get(name);
      if (!values) columns.set(name, (values = new ColumnValues(kindOf)));
      values.add(value);
    }
  }
  const samples = [...columns].map(([name, values]) => values.sample(name, records.length));
  return samples.map((sample) => {
    const twins = twinsOf(sample, samples, records);
    return twins.length === 0 ? sample : { ...sample, twins };
  });
}

/**
 * The columns of two texts that stand in the same rows as the two numbers or verdicts of a column: of such a pair one is
 * the key of the other. Other whole numbers show no scores anyway.
 */
function twinsOf(
  sample: ColumnSample,
  samples: readonly ColumnSample[],
  records: readonly JsonObject[],
): readonly string[] {
  if (!isPair(sample) || (sample.kind !== "number" && sample.kind !== "word")) return [];
  const texts = samples.filter((other) => other.kind === "text" && isPair(other));
  return texts.flatMap(({ name }) => (areTwins(sample.name, name, records) ? [name] : []));
}

// Fewer rows may agree by chance.
const LEAST_ROWS = 6;

function isPair({ facts, hasGaps }: ColumnSample): boolean {
  return !hasGaps && facts.count >= LEAST_ROWS && facts.distinct?.size === 2;
}

function areTwins(one: string, other: string, records: readonly JsonObject[]): boolean {
  const pairs = new Map<string, string>();
  for (const record of records) {
    const [key, text] = [valueKey(record[one] ?? null), valueKey(record[other] ?? null)];
    if ((pairs.get(key) ?? text) !== text) return false;
    pairs.set(key, text);
  }
  return new Set(pairs.values()).size === 2;
}
