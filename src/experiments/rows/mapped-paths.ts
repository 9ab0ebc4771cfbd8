import type { ColumnRole, NotedColumn } from "./columns.ts";
import type { Mapping } from "./mapping.ts";

/** The columns of a mapping, by their paths. */
export function mappedPaths(mapping: Mapping): readonly NotedColumn[] {
  const { id, error, startTime, endTime, repetition, latencySeconds, latencyMilliseconds, scores = {} } = mapping;
  return [
    ...one(id, { part: "id" }),
    ...(["inputs", "expected", "outputs", "metadata"] as const).flatMap((part): readonly NotedColumn[] => {
      const paths = mapping[part];
      if (paths === undefined || typeof paths === "string") return one(paths, { part, key: undefined });
      return Object.entries(paths).map(([key, name]) => ({ name, role: { part, key } }));
    }),
    ...one(error, { part: "error" }),
    ...one(startTime, { part: "start" }),
    ...one(endTime, { part: "end" }),
    // What stands in the rows decides whether they count from 1.
    ...one(repetition, { part: "repetition", first: 0 }),
    ...one(latencySeconds, { part: "latency", unitMilliseconds: 1_000 }),
    ...one(latencyMilliseconds, { part: "latency", unitMilliseconds: 1 }),
    ...Object.entries(scores).map(([key, { path, kind }]): NotedColumn => {
      return { name: path, role: { part: "score", key, kind } };
    }),
  ];
}

/** True for a mapping that says what columns are, and not only where the rows stand. */
export function mapsColumns(mapping: Mapping | undefined): mapping is Mapping {
  return mapping?.inputs !== undefined;
}

function one(name: string | undefined, role: ColumnRole): readonly NotedColumn[] {
  return name === undefined ? [] : [{ name, role }];
}
