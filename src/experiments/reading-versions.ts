/** The version of the reading of a format, or of `rows` of a program. */
export function readingVersion(name: string): number {
  return CHANGED[name] ?? FIRST;
}

const FIRST = 1;
/**
 * Readings that were changed since the first one, so that the same file gives other keys of cases, other cases, inputs or
 * expected outputs: raise the version then.
 */
const CHANGED: Readonly<Partial<Record<string, number>>> = {
  // Composed names, ids, conversations and units of time in tables, and in the cases of tools that are read by names.
  "azure-ai": 2,
  csv: 2,
  jsonl: 2,
  "openai-eval-items": 2,
  opik: 2,
  "phoenix-evals": 2,
  "ragas-csv": 2,
  weave: 2,
  // An empty target is no expected output, and attachments stand in the place of their references.
  inspect: 2,
};

/** The version where none is stated: of a time before there were versions. */
export const UNSTATED_VERSION = FIRST;
