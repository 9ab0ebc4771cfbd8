import { isJsonObject } from "../../../files/json-object.ts";
import { BYTE, isSpace } from "../../../files/json/bytes.ts";
import { JsonFault } from "../../../files/json/faults.ts";
import { decodeJson } from "../../../files/json/parsed-value.ts";
import { valueEnd } from "../../../files/json/value-end.ts";
import type { JsonObject } from "../../../files/json/value.ts";

const KEY = Buffer.from('"testCase"');
const DESCRIPTION = '"description"';
/** What no tool writes as a test case. */
const MARK = "-0";

/**
 * A row of promptfoo of whose test case only the description is parsed, for it has the vars once more, and what the user
 * wrote to configure the tool. Of each other key it has 1, or null where there is nothing. Undefined for a row of which
 * that cannot be told: it is to be parsed as a whole, which says what is wrong with it.
 */
export function rowWithoutTestCase(row: Buffer): JsonObject | undefined {
  const key = row.indexOf(KEY);
  if (key < 1 || row[key - 1] === BYTE.backslash) return undefined;
  const colon = behindSpace(row, key + KEY.length);
  const begin = behindSpace(row, colon + 1);
  if (row[colon] !== BYTE.colon || row[begin] !== BYTE.openObject) return undefined;
  const end = valueEnd(row, begin);
  // Another one may be that of the row.
  if (end < 0 || row.includes(KEY, end) || row.subarray(begin, end).includes(KEY)) return undefined;
  const testCase = shortened(row.subarray(begin, end));
  if (testCase === undefined) return undefined;
  try {
    const value = decodeJson(Buffer.concat([row.subarray(0, begin), Buffer.from(MARK), row.subarray(end)]));
    // Else it belongs to another part of the row.
    const isOfRow = isJsonObject(value) && Object.is(value["testCase"], -0);
    return isOfRow ? { ...value, testCase: decodeJson(Buffer.from(testCase)) } : undefined;
  } catch (error) {
    if (error instanceof JsonFault) return undefined;
    throw error;
  }
}

/** The text of an object with 1 or null in place of each value but the description; undefined where it is not JSON. */
function shortened(object: Buffer): string | undefined {
  const members: string[] = [];
  let at = behindSpace(object, 1);
  if (object[at] === BYTE.closeObject) return "{}";
  for (;;) {
    const keyEnd = valueEnd(object, at);
    const colon = behindSpace(object, keyEnd);
    const begin = behindSpace(object, colon + 1);
    const end = valueEnd(object, begin);
    if (object[at] !== BYTE.quote || object[colon] !== BYTE.colon || end < 0) return undefined;
    const key = object.toString("utf8", at, keyEnd);
    // A key with an escape may be any.
    if (key.includes("\\")) return undefined;
    const value =
      key === DESCRIPTION ? object.toString("utf8", begin, end) : saysNothing(object, begin, end) ? "null" : "1";
    members.push(`${key}:${value}`);
    const next = behindSpace(object, end);
    if (object[next] === BYTE.closeObject) return next === object.length - 1 ? `{${members.join(",")}}` : undefined;
    if (object[next] !== BYTE.comma) return undefined;
    at = behindSpace(object, next + 1);
  }
}

/** True for an empty text, list or object, and for null and what stands for it. */
function saysNothing(bytes: Buffer, begin: number, end: number): boolean {
  switch (bytes[begin]) {
    case BYTE.openObject:
    case BYTE.openList:
      return behindSpace(bytes, begin + 1) === end - 1;
    case BYTE.quote:
      return end - begin === 2;
    default:
      return NOTHING.has(bytes.toString("latin1", begin, end));
  }
}

const NOTHING: ReadonlySet<string> = new Set(["null", "NaN", "Infinity", "-Infinity"]);

function behindSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (isSpace(bytes[at] ?? 0)) at++;
  return at;
}
