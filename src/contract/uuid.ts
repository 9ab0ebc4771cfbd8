import { hash } from "node:crypto";
import { MOST_BYTES_OF_UNIT } from "../text/code-unit.ts";

// Not the package `uuid`: graph-deploy/tracing loads only zod and undici.
const FORM = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** True for a UUID of any version, in either case: RFC 9562 §4. */
export function isUuid(text: string): boolean {
  return FORM.test(text);
}

/** True when two ids name the same thing: UUIDs are case-insensitive, RFC 9562 §4. Two missing ids are the same, too. */
export function isSameId(id: string | null | undefined, other: string | null | undefined): boolean {
  return id?.toLowerCase() === other?.toLowerCase();
}

/** A UUID in its normal form, with dashes and in lower case; undefined for any other text, with dashes or without. */
export function uuidOf(text: string): string | undefined {
  // Each row is asked, and most ids have another length.
  if (text.length !== 36 && text.length !== 32) return undefined;
  if (text === asked.text) return asked.uuid;
  const dashed = text.length === 32 ? uuidFromHex(text) : text;
  asked = { text, uuid: isUuid(dashed) ? dashed.toLowerCase() : undefined };
  return asked.uuid;
}

// What was asked last: of the id of a row several things are asked.
let asked: { readonly text: string; readonly uuid: string | undefined } = { text: "", uuid: undefined };

/** 32 hex digits in the form of a UUID. */
export function uuidFromHex(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** Version 5, which follows from a name: RFC 9562 §5.5. */
export function uuidV5(namespace: Buffer, name: string): string {
  const isShort = namespace.length + MOST_BYTES_OF_UNIT * name.length <= SCRATCH.length;
  const named = isShort
    ? SCRATCH.subarray(0, namespace.copy(SCRATCH) + SCRATCH.write(name, namespace.length))
    : Buffer.concat([namespace, Buffer.from(name)]);
  const hex = hash("sha1", named, "hex");
  const variant = VARIANTS.charAt(Number.parseInt(hex.charAt(16), 16) & 0x3);
  return uuidFromHex(`${hex.slice(0, 12)}5${hex.slice(13, 16)}${variant}${hex.slice(17, 32)}`);
}

// The two bits of a variant that RFC 9562 fixes, before the two that it leaves.
const VARIANTS = "89ab";
// Used again and again: each row of a file has an id, and buffers of their own would be garbage that gathers.
const SCRATCH = Buffer.allocUnsafeSlow(8 * 1024);

/** Version 7, which sorts by time: RFC 9562 §5.7. It is written into the 16 random bytes. */
export function uuidV7(random: Buffer, milliseconds: number): string {
  random.writeUIntBE(milliseconds, 0, 6);
  random.writeUInt8(0x70 | (random.readUInt8(6) & 0x0f), 6);
  random.writeUInt8(0x80 | (random.readUInt8(8) & 0x3f), 8);
  return uuidFromHex(random.toString("hex", 0, 16));
}
