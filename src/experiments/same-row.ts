import { canonicalJson } from "../text/canonical-json.ts";
import { isJsonObject } from "../files/json-object.ts";
import { decodeJson } from "../files/json/parsed-value.ts";

/** True when two rows say the same, whatever their spaces and the order of their keys; their times are not looked at. */
export function isSameRow(one: Buffer, other: Buffer): boolean {
  return one.equals(other) || canonicalRow(one) === canonicalRow(other);
}

function canonicalRow(bytes: Buffer): string {
  const row = decodeJson(bytes);
  if (!isJsonObject(row)) return canonicalJson(row);
  const { start_time: _start, end_time: _end, ...members } = row;
  return canonicalJson(members);
}
