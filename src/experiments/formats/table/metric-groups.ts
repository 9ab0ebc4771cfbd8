import type { ColumnRole } from "../../rows/columns.ts";
import type { ColumnSample } from "./column-sample.ts";

/**
 * The names X of metrics that stand as `outputs.X.X` or `outputs.X.X_score` among the outputs, as Azure AI evaluation
 * writes them.
 */
export function metricGroups(samples: readonly ColumnSample[]): ReadonlySet<string> {
  return new Set(
    samples.flatMap((sample) => {
      const { group, rest } = partsOf(sample.name) ?? {};
      return group !== undefined && rest?.startsWith(group) === true && isScore(sample) ? [group] : [];
    }),
  );
}

/** The role of a column that belongs to a metric; undefined for any other. */
export function metricRole(sample: ColumnSample, groups: ReadonlySet<string>): ColumnRole | undefined {
  const { group, rest } = partsOf(sample.name) ?? {};
  if (group === undefined || rest === undefined || !groups.has(group)) return undefined;
  // The threshold is the same in each row, and gpt_X is X once more.
  const isOfMetric = rest === group || (rest.startsWith(`${group}_`) && !rest.endsWith("_threshold"));
  if (!isOfMetric || !isScore(sample)) return { part: "metadata", key: sample.name.trim() };
  return { part: "score", key: rest === `${group}_score` ? group : rest, form: sample.form };
}

function partsOf(name: string): { readonly group: string; readonly rest: string } | undefined {
  const [prefix, group, rest, ...more] = name.trim().split(".", 4);
  if (prefix !== "outputs" || group === undefined || rest === undefined || more.length > 0) return undefined;
  return { group, rest };
}

function isScore({ kind, form }: ColumnSample): boolean {
  return form !== undefined && kind !== "mixed";
}
