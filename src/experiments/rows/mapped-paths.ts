import type { ColumnRole } from "./columns.ts";
import type { Mapping } from "./mapping.ts";

/** Where something stands, and what it is to a row. */
export interface MappedPath {
  readonly path: string;
  readonly role: ColumnRole;
}

export function mappedPaths(mapping: Mapping): readonly MappedPath[] {
  const { id, error, startTime, endTime, repetition, latencySeconds, latencyMilliseconds, scores = {} } = mapping;
  return [
    ...one(id, { part: "id" }),
    ...(["inputs", "expected", "outputs", "metadata"] as const).flatMap((part): readonly MappedPath[] => {
      const paths = mapping[part];
      if (paths === undefined || typeof paths === "string") return one(paths, { part, key: undefined });
      return Object.entries(paths).map(([key, path]) => ({ path, role: { part, key } }));
    }),
    ...one(error, { part: "error" }),
    ...one(startTime, { part: "start" }),
    ...one(endTime, { part: "end" }),
    // What stands in the rows decides whether they count from 1.
    ...one(repetition, { part: "repetition", first: 0 }),
    ...one(latencySeconds, { part: "latency", unitMilliseconds: 1_000 }),
    ...one(latencyMilliseconds, { part: "latency", unitMilliseconds: 1 }),
    ...Object.entries(scores).map(([key, { path, kind }]): MappedPath => {
      return { path, role: { part: "score", key, kind } };
    }),
  ];
}

/** True for a mapping that says what columns are, and not only where the rows stand. */
export function mapsColumns(mapping: Mapping | undefined): mapping is Mapping {
  return mapping?.inputs !== undefined;
}

function one(path: string | undefined, role: ColumnRole): readonly MappedPath[] {
  return path === undefined ? [] : [{ path, role }];
}
