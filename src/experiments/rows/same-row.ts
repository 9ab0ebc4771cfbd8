import { canonicalJson } from "../../text/canonical-json.ts";
import { isJsonObject } from "../../files/json-object.ts";
import { decodeJson } from "../../files/json/parsed-value.ts";
import type { JsonValue } from "../../files/json/value.ts";

/** True when two rows say the same, whatever their spaces and the order of their keys; their times are not looked at. */
export function isSameRow(one: Buffer, other: Buffer): boolean {
  return one.equals(other) || canonicalRow(one) === canonicalRow(other);
}

function canonicalRow(bytes: Buffer): string {
  const row = decodeJson(bytes);
  if (!isJsonObject(row)) return canonicalJson(row);
  const { start_time: _start, end_time: _end, run_metadata: metadata, ...members } = row;
  return canonicalJson(metadata === undefined ? members : { ...members, run_metadata: caselessMetadata(metadata) });
}

/** Rows with one id are of one case, in whatever case its name is written. */
function caselessMetadata(metadata: JsonValue): JsonValue {
  const caseId = isJsonObject(metadata) ? metadata["case_id"] : undefined;
  return isJsonObject(metadata) && typeof caseId === "string"
    ? { ...metadata, case_id: caseId.toLowerCase() }
    : metadata;
}
