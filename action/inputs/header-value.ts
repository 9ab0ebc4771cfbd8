import { isCredential } from "../../src/http/endpoint.ts";
import type { InputReader } from "./input-reader.ts";

/** A value of this input that is sent as a header; undefined when it is empty. A value that no header can hold is an error. */
export function headerValue<const Name extends string>(
  reader: InputReader<Name>,
  input: Name,
  value: string,
): string | undefined {
  if (value === "") return undefined;
  if (!isCredential(value)) {
    reader.fault(input, "contains whitespace or non-ASCII characters; save the secret again without them");
  }
  return value;
}
