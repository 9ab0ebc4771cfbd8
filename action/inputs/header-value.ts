import type { InputReader } from "./input-reader.ts";

/** A value of this input that is sent as a header; undefined when it is empty. What no header can hold is a fault. */
export function headerValue<const Name extends string>(
  reader: InputReader<Name>,
  input: Name,
  value: string,
): string | undefined {
  // What else could stand in a header is never part of a key: RFC 9110, section 5.5.
  if (!/^[\x21-\x7e]*$/.test(value)) {
    reader.fault(input, "contains whitespace or non-ASCII characters; save the secret again without them");
  }
  return value === "" ? undefined : value;
}
