import { memoryBytes } from "../../../files/json/byte-source.ts";
import { DataFileError } from "../../../files/json/errors.ts";
import { peekJson } from "../../../files/json/peek.ts";
import { writeJsonValue } from "../../../files/json/value.ts";
import { readYaml } from "../../../files/yaml.ts";
import type { ResultFile } from "../../rows/result-file.ts";

/** True for what `promptfoo eval -o results.yaml` writes: the keys of its JSON, in that order. */
export function isPromptfooYaml({ text, json }: ResultFile): boolean {
  return json === undefined && /^evalId:.*\r?\nresults:\r?\n {2}version:/.test(text);
}

// The parser holds all of it many times over, at a few MB a second; JSON has no such limit.
const LARGEST = 8 * 1024 * 1024;
const ADVICE = "Let promptfoo write JSON: `-o results.json`.";

/** The same document as JSON, of which there is no place but the row. Throws DataFileError. */
export function yamlAsJson(file: ResultFile): ResultFile {
  const place = { file: file.name };
  if (file.size > LARGEST) throw new DataFileError(place, "the YAML has more than 8 MiB", { advice: ADVICE });
  const reading = readYaml(textOf(file), { largest: 2 * LARGEST });
  if (!reading.ok) {
    throw new DataFileError(place, `the file ${reading.faults[0] ?? "is no YAML"}`, { advice: ADVICE });
  }
  const bytes = memoryBytes(file.name, Buffer.from(writeJsonValue(reading.value)));
  return { ...file, bytes, json: peekJson(bytes) };
}

function textOf(file: ResultFile): string {
  const whole = Buffer.alloc(file.size);
  const opened = file.bytes.open();
  try {
    let length = 0;
    for (let count = -1; count !== 0 && length < whole.length; length += count)
      count = opened.read(whole.subarray(length));
    return whole.toString("utf8", 0, length);
  } finally {
    opened.close();
  }
}
