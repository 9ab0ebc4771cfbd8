import { createHash } from "node:crypto";
import { isJsonObject, presentFields } from "../../files/json-object.ts";
import { writeJsonValue, type JsonObject } from "../../files/json/value.ts";
import type { Evaluation } from "../reading/evaluation.ts";
import type { RowRange } from "../reading/row-spool.ts";

// Enough digits that no two uploads of a run share them.
const DIGITS = 32;

/**
 * What tells one upload from others of its name: the run, and a digest of the files, of the rows and of all that is said
 * of the experiment, such as its dataset, its metadata and its own scores: jobs of one run may have equal rows. It is the
 * same in every attempt of the run that has the same files, since times that are made up, and what names the attempt, are
 * not part of it. `head`: the fields of the upload without the name and the rows.
 */
export function uploadMark(
  runId: string,
  head: JsonObject,
  { files, spool }: Pick<Evaluation, "files" | "spool">,
  range: RowRange,
): string {
  const digest = createHash("sha256");
  // What is the same in every attempt of a run. The times of files are in their digests.
  const { experiment_metadata: metadata } = head;
  const said = isJsonObject(metadata) ? { ...metadata, run_attempt: undefined, run_url: undefined } : undefined;
  digest.update(
    writeJsonValue(
      presentFields({
        ...head,
        experiment_start_time: undefined,
        experiment_end_time: undefined,
        experiment_metadata: said === undefined ? undefined : presentFields(said),
      }),
    ),
  );
  digest.update(JSON.stringify([files.map((file) => file.digest), range.first, range.end]));
  for (const block of spool.stored(range)) digest.update(block);
  return `${runId}:${digest.digest("hex").slice(0, DIGITS)}`;
}
