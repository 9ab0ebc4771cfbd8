import { isSameId, uuidOf, uuidV5 } from "../../contract/uuid.ts";
import { canonicalJson } from "../../text/canonical-json.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../files/json/value.ts";
import { decodeJson } from "../../files/json/parsed-value.ts";
import type { SourceRow } from "./source-row.ts";

/** What a row is known by, in every run of the same evaluation. */
export interface RowIdentity {
  /** The id of the dataset, or its name. */
  readonly dataset: string;
  /** The source's id of the case; undefined where only its inputs and expected outputs identify it. */
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

/** The id of a row: the source's id if that is a UUID and the row is not a repetition, else one derived from it. */
export function rowId({ dataset, id: given, inputs, expected, repetition }: RowIdentity): string {
  const own = typeof given === "string" ? uuidOf(given) : undefined;
  if (own !== undefined && repetition === 0) return own;
  const id = own ?? given;
  const identity =
    id === undefined ? canonicalJson({ expected: expected ?? null, inputs }) : `{"id":${JSON.stringify(id)}}`;
  const count = repetition === 0 ? "" : `,${String(repetition)}`;
  // As `canonicalJson` writes a list.
  return uuidV5(NAMESPACE, `[${JSON.stringify(dataset)},${identity}${count}]`);
}

/**
 * What all repetitions of a case share: the id that the upload gives to the first of them. A row that brings its own UUID
 * is one of a case where its metadata say so, by `case_id` or by `repetition`, as those of an uploaded row do.
 */
export function caseKey(
  identity: RowIdentity & { readonly rowId: string },
  { namesCase = false, repetition: counted, metadata }: Pick<SourceRow, "metadata" | "namesCase" | "repetition">,
): string {
  const ownsId = isRowId(identity.id) && !namesCase && counted === undefined;
  // The first repetition has it already.
  if (!ownsId) return identity.repetition === 0 ? identity.rowId : rowId({ ...identity, repetition: 0 });
  const { case_id: id, repetition: stated } = metadata ?? {};
  if (isCaseId(id)) return rowId({ ...identity, id, repetition: 0 });
  return rowId({ ...identity, id: typeof stated === "number" ? undefined : identity.id, repetition: 0 });
}

/** True for what a row's metadata may name its case by. */
export function isCaseId(value: JsonValue | undefined): value is string | number {
  return typeof value === "number" || (typeof value === "string" && value !== "");
}

/**
 * True when two rows say the same, whatever their spaces and the order of their keys; their times are not looked at.
 */
export function isSameRow(one: Buffer, other: Buffer): boolean {
  return one.equals(other) || canonicalRow(one) === canonicalRow(other);
}

function canonicalRow(bytes: Buffer): string {
  const row = decodeJson(bytes);
  if (!isJsonObject(row)) return canonicalJson(row);
  const { start_time: _start, end_time: _end, run_metadata: metadata, ...members } = row;
  if (metadata === undefined) return canonicalJson(members);
  // Rows with one id are of one case, in whatever case its name is written.
  const caseId = isJsonObject(metadata) ? metadata["case_id"] : undefined;
  const caseless = typeof caseId === "string" ? { case_id: caseId.toLowerCase() } : {};
  return canonicalJson({ ...members, run_metadata: isJsonObject(metadata) ? { ...metadata, ...caseless } : metadata });
}

/** The id by which cases are distinguished. */
export function identifying({ id, caselessId }: SourceRow): string | number | undefined {
  return caselessId === true && typeof id === "string" ? id.toLowerCase() : id;
}

/** The metadata of a row, with the id of its case before it where the id of the row is another, and the repetition. */
export function namedMetadata(
  { id: caseId, repetition: counted }: SourceRow,
  {
    id,
    repetition,
    metadata,
  }: { readonly id: string; readonly repetition: number; readonly metadata: JsonObject | undefined },
): JsonObject | undefined {
  const isNamed = caseId !== undefined && !(typeof caseId === "string" && isSameId(uuidOf(caseId), id));
  const isRepeated = repetition > 0 || counted !== undefined;
  if (!isNamed && !isRepeated) return metadata;
  return { ...(isNamed ? { case_id: caseId } : {}), ...(isRepeated ? { repetition } : {}), ...metadata };
}
