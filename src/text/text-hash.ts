/**
 * 32 bits that follow from the code units of a text, two at a time as FNV-1a takes one, and mixed at the end: for texts by
 * whose equal hashes nobody gains anything.
 */
export function textHash(text: string): number {
  const { length } = text;
  let mixed = Math.imul(0x811c9dc5 ^ length, PRIME);
  let at = 0;
  for (; at + 1 < length; at += 2) {
    mixed = Math.imul(mixed ^ text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 16), PRIME);
    // The product carries nothing down.
    mixed ^= mixed >>> 15;
  }
  if (at < length) mixed = Math.imul(mixed ^ text.charCodeAt(at), PRIME);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  return mixed ^ (mixed >>> 15);
}

const PRIME = 0x01000193;
