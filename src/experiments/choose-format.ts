import type { ResultFormat } from "./format.ts";
import { isZip } from "./formats/zip-file.ts";
import { DataFileError } from "../files/json/errors.ts";
import { FAULT } from "../files/json/faults.ts";
import type { ResultFile } from "./result-file.ts";

const MOST_KEYS = 12;

/** The format of a file, by its content alone. Throws DataFileError when none fits, or more than one does. */
export function chooseFormat(file: ResultFile, formats: readonly ResultFormat[]): ResultFormat {
  const fitting = formats.filter(({ detect }) => detect(file));
  const [format, ...others] = fitting;
  if (format !== undefined && others.length === 0) return format;
  if (format === undefined) refuseBroken(file);
  const what =
    format === undefined
      ? `the format cannot be told: ${describe(file)}`
      : `the file may be ${fitting.map(({ name }) => name).join(" or ")}`;
  const advice = `Name the format with \`format\`: ${formats.map(({ name }) => name).join(", ")}.`;
  throw new DataFileError({ file: file.name }, what, { advice });
}

/** Refuses a file that is no text, or no JSON though it begins so: that tells more than what its format is not. */
function refuseBroken({ name, head, text, json }: ResultFile): void {
  if (isZip(head)) return;
  const zero = text.indexOf("\0");
  if (zero >= 0) throw new DataFileError({ file: name, line: lineOf(text, zero) }, FAULT.zeroByte);
  if (json?.fault !== undefined) throw new DataFileError({ file: name, line: json.fault.line }, json.fault.fault);
  if (text !== "" || head.length === 0 || head.includes(0)) return;
  throw new DataFileError({ file: name }, FAULT.notUtf8, { advice: "Write the file as UTF-8." });
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

/** What the beginning of a file shows: names of fields, never their values. */
function describe({ head, text, json }: ResultFile): string {
  if (head.length === 0) return "it is empty";
  if (json !== undefined && json.kind !== "other") {
    const { topKeys, kind } = json;
    const keys = topKeys.slice(0, MOST_KEYS).map((key) => JSON.stringify(key.slice(0, 60)));
    const more = topKeys.length > MOST_KEYS ? ` and ${String(topKeys.length - MOST_KEYS)} more` : "";
    const shape = { object: "a JSON object", array: "a JSON list", lines: "JSON lines" }[kind];
    return keys.length === 0 ? `${shape} without keys` : `${shape} with the keys ${keys.join(", ")}${more}`;
  }
  if (isZip(head)) return "a zip without a log of an evaluation";
  if (text === "") return "it is no text";
  if (text.trim() === "") return "it begins with nothing but white space";
  return text.startsWith("<") ? "XML" : "text that is no JSON";
}
