import { LineCounter, parseDocument } from "yaml";
import * as z from "zod";
import type { InputReader } from "../inputs/input-reader.ts";
import type { DeployInputName } from "./declared-inputs.ts";

const JsonObject = z.record(z.string(), z.json());

/** A mapping of plain values, whose keys are its own, also one that is called `__proto__`. */
export type JsonMapping = z.infer<typeof JsonObject>;

/**
 * An input that is a mapping in YAML, which JSON is too; undefined when it is empty, or after a fault. `example` is a
 * line as a user could write it.
 */
export function readMapping(
  reader: InputReader<DeployInputName>,
  input: DeployInputName,
  example: string,
): JsonMapping | undefined {
  const text = reader.text(input);
  if (text === "") return undefined;
  const json = parseJson(text);
  if (isMapping(json)) return json;
  // The parser's own messages quote the text, which may hold what nobody should read: only the place is said.
  const lines = new LineCounter();
  // `silent` would drop further documents without a word.
  const document = parseDocument(text, { prettyErrors: false, lineCounter: lines, logLevel: "error" });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    reader.fault(input, `is no YAML: line ${String(line)}, column ${String(col)} (${error.code})`);
    return undefined;
  }
  try {
    const parsed: unknown = document.toJS();
    if (isMapping(parsed)) {
      // An alias may lead back to what it stands in; that cannot be written as JSON.
      JSON.stringify(parsed);
      return parsed;
    }
  } catch {
    // Too many aliases, one of an anchor that is not there, or a circle of them.
  }
  reader.fault(input, `is no YAML mapping of plain values; write lines such as ${example}`);
  return undefined;
}

// What zod hands out lacks the key `__proto__`, so that it only looks.
function isMapping(value: unknown): value is JsonMapping {
  return JsonObject.safeParse(value).success;
}

// YAML forbids the tabs by which some tools indent their JSON.
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
