import { uuidOf } from "../../contract/uuid.ts";
import { hash } from "node:crypto";
import { canonicalJson } from "../../text/canonical-json.ts";
import type { JsonObject } from "../../files/json/value.ts";

/** What a row is known by, in every run of the same evaluation. */
export interface RowIdentity {
  /** The id of the dataset, or its name. */
  readonly dataset: string;
  /** What the source calls the case; undefined where only its inputs and expected outputs tell. */
  readonly id: string | number | undefined;
  /** As they are sent. */
  readonly inputs: JsonObject;
  readonly expected: JsonObject | undefined;
  /** From 0; the first one is not counted, so that a case that is repeated later keeps its id. */
  readonly repetition: number;
}

// uuid v5 of `urn:experiment-row:v1` in the namespace for URLs of RFC 9562, appendix A.
const NAMESPACE = Buffer.from("6f8466ebee5d5be0aa9a9e3517345700", "hex");

/** True for an id that a row keeps. */
export function isRowId(id: string | number | undefined): id is string {
  return typeof id === "string" && uuidOf(id) !== undefined;
}

/** The id of a row: the source's own where that is a uuid and the row is no repetition, else one that follows from it. */
export function rowId({ dataset, id: given, inputs, expected, repetition }: RowIdentity): string {
  const own = typeof given === "string" ? uuidOf(given) : undefined;
  if (own !== undefined && repetition === 0) return own;
  const id = own ?? given;
  const identity: JsonObject = id === undefined ? { expected: expected ?? null, inputs } : { id };
  return uuidV5(canonicalJson(repetition === 0 ? [dataset, identity] : [dataset, identity, repetition]));
}

// RFC 9562, section 5.5.
function uuidV5(name: string): string {
  const bytes = hash("sha1", Buffer.concat([NAMESPACE, Buffer.from(name)]), "buffer");
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex", 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
