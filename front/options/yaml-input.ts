import type { InputReader } from "./input-reader.ts";

/** What a text stands for, or what is wrong with it: clauses that follow the name of the input. */
type Reading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly faults: readonly string[] };

/** The value of an input in YAML; undefined where it is empty, or after an error, which the reader has. */
export async function readYamlInput<const Name extends string, Value>(
  reader: InputReader<Name>,
  input: Name,
  read: (text: string) => Promise<Reading<Value>>,
): Promise<Value | undefined> {
  const text = reader.text(input);
  if (text === "") return undefined;
  const reading = await read(text);
  if (reading.ok) return reading.value;
  for (const fault of reading.faults) reader.fault(input, fault);
  return undefined;
}
