import { hash } from "node:crypto";
import { uuidFromHex } from "../../contract/uuid.ts";

const MILLISECOND = 1_000;
const FINGERPRINT_BYTES = 6;
const VARIANTS = "89ab";

/** A 48-bit hash of a text. */
export function fingerprintOf(text: Buffer | string): number {
  return hash("sha1", text, "buffer").readUIntBE(0, FINGERPRINT_BYTES);
}

/** The key of a run without an id: a hash of its text, or of the lower-case ids of a span, in the form of a UUID. */
export function keyOf(text: Buffer | string): string {
  return uuidFromHex(hash("sha256", text, "hex"));
}

/**
 * The id of a run without one: a UUID of version 7 (RFC 9562 §5.7) of the milliseconds of its start and its key, so that
 * uploading a file twice stores the same runs.
 */
export function idOfKey(key: string, startMicroseconds: number): string {
  const time = Math.floor(startMicroseconds / MILLISECOND)
    .toString(16)
    .padStart(12, "0");
  const variant = VARIANTS.charAt(Number.parseInt(key.charAt(19), 16) % VARIANTS.length);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${key.slice(15, 18)}-${variant}${key.slice(20)}`;
}
