import { createHash } from "node:crypto";
import type { DatasetKey } from "../events.ts";
import type { Evaluation } from "../reading/evaluation.ts";
import type { RowRange } from "../reading/row-spool.ts";

// Enough digits that no two uploads of a run share them.
const DIGITS = 32;

/**
 * What tells one upload from others of its name: the run, and a digest of the dataset, of the files and of the rows. It is
 * the same in every attempt of the run that has the same files, since times that are made up are not part of it.
 */
export function uploadMark(
  runId: string,
  dataset: DatasetKey,
  { files, spool }: Pick<Evaluation, "files" | "spool">,
  range: RowRange,
): string {
  const digest = createHash("sha256");
  const rows = [range.first, range.end];
  digest.update(JSON.stringify([dataset.id ?? null, dataset.name ?? null, files.map((file) => file.digest), rows]));
  for (const block of spool.stored(range)) digest.update(block);
  return `${runId}:${digest.digest("hex").slice(0, DIGITS)}`;
}
