import type { InputReader } from "./input-reader.ts";

// A shorter key, as of a service on this machine, is soon a part of a word.
const LEAST_KEY_LENGTH = 8;

/** Tells a fault of each input whose text is sent and holds a key of the step. */
export function refuseKeysIn<const Name extends string>(
  reader: InputReader<Name>,
  inputs: readonly Name[],
  keys: readonly string[],
): void {
  for (const input of inputs) {
    const text = reader.text(input);
    if (!keys.some((key) => key.length >= LEAST_KEY_LENGTH && text.includes(key))) continue;
    reader.fault(input, "holds the API key of the step, and would be stored for others to read; take it out");
  }
}
