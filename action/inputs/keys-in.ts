import type { InputReader } from "./input-reader.ts";

// A shorter key, as of a service on this machine, is soon a part of a word.
const LEAST_KEY_LENGTH = 8;

/** Reports each input whose text is sent and contains a key of the step. */
export function refuseKeysIn<const Name extends string>(
  reader: InputReader<Name>,
  inputs: readonly Name[],
  keys: readonly string[],
): void {
  for (const input of inputs) {
    const text = reader.text(input);
    if (!keys.some((key) => key.length >= LEAST_KEY_LENGTH && text.includes(key))) continue;
    reader.fault(input, "contains this step's API key, which would be stored where others can read it; remove it");
  }
}
