import { hash } from "node:crypto";

const MILLISECOND = 1_000;
const FINGERPRINT_BYTES = 6;
const VARIANTS = "89ab";

/** A number of 48 bits that is the same for the same text, and hardly for another. */
export function fingerprintOf(text: Buffer | string): number {
  return hash("sha1", text, "buffer").readUIntBE(0, FINGERPRINT_BYTES);
}

/** The key of a span: a UUID's worth of hash of its ids, which are lower case. */
export function spanKey(traceId: string, spanId: string): string {
  return keyOf(`${traceId}/${spanId}`);
}

/** The key of a run that has no id: that of its text. */
export function textKey(text: Buffer): string {
  return keyOf(text);
}

/**
 * The id of a run that has none: a UUID of version 7 (RFC 9562 §5.7) with the milliseconds of its start, and the rest
 * from its key, so that a file which is uploaded twice names the same runs.
 */
export function idOfKey(key: string, startMicroseconds: number): string {
  const time = Math.floor(startMicroseconds / MILLISECOND)
    .toString(16)
    .padStart(12, "0");
  const variant = VARIANTS.charAt(Number.parseInt(key.charAt(19), 16) % VARIANTS.length);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${key.slice(15, 18)}-${variant}${key.slice(20)}`;
}

function keyOf(text: Buffer | string): string {
  const hex = hash("sha256", text, "hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}
