import { createHash, hash } from "node:crypto";
import { uuidOf } from "../contract/uuid.ts";
import { rolesOfNames } from "../experiments/formats/table/column-roles.ts";
import { readRecords, type FileRecord } from "../experiments/reading/records.ts";
import { rowId } from "../experiments/rows/identity.ts";
import type { FoundFile } from "../files/find-files.ts";
import { FileFaults } from "../files/file-faults.ts";
import { ExactNumber, isJsonList, isJsonObject, numberIn, writeJsonValue } from "../files/json/value.ts";
import type { JsonObject, JsonValue } from "../files/json/value.ts";
import { DataFileError, placeText, type FilePlace } from "../files/json/errors.ts";
import { kindOf } from "../files/json/kind.ts";
import { filledFrom, valueAtPath, type JsonPath } from "../files/json/path.ts";
import { canonicalJson } from "../text/canonical-json.ts";
import { countOf } from "../text/number.ts";
import { quoted } from "../text/quoted.ts";
import { DatasetError } from "./errors.ts";

/** Which cases of a file are asked, and what they are. */
export interface DatasetRequest {
  readonly file: FoundFile;
  readonly name: string;
  /** Made of a row: texts that begin with `$.` are paths in it. Undefined sends its `inputs`, or the whole row. */
  readonly input: JsonValue | undefined;
  /** `metadata.path = value`; all must hold. */
  readonly filter: readonly { readonly path: JsonPath; readonly value: string }[];
  readonly limit: number | undefined;
  /** Part `index` of `count`, from 1. */
  readonly shard: { readonly index: number; readonly count: number } | undefined;
}

export interface EvaluationCase {
  readonly id: string;
  /** Of its id, inputs and expected outputs; hex. */
  readonly digest: string;
  readonly row: JsonObject;
  /** As the row of the results has them. */
  readonly inputs: JsonObject;
  readonly expected: JsonObject | undefined;
  /** The inputs of its runs, in one thread: one run unless the case has several turns. */
  readonly turns: readonly [JsonValue, ...JsonValue[]];
  readonly cluster: string | undefined;
}

/** The cases of a dataset, in the order in which they are asked. */
export interface Dataset {
  readonly cases: readonly EvaluationCase[];
  /** Of all of its rows; hex. */
  readonly digest: string;
}

const ADVICE = "Correct the dataset, or choose other cases of it.";

/** Reads the cases. Throws DatasetError with all that is wrong in the file, and for a choice that leaves no case. */
export async function readDataset(request: DatasetRequest): Promise<Dataset> {
  const { file, filter, shard, limit } = request;
  const faults = new FileFaults({
    name: "The cases",
    undone: "nothing was asked",
    error: (sentence, found, count, options) =>
      new DatasetError(sentence, found, count, { advice: ADVICE, ...options }),
  });
  const all = await casesIn(request, faults);
  if (all.length === 0 && faults.count === 0) faults.add({ file: file.name }, "the dataset has no cases");
  faults.throwIfAny();
  const whole = createHash("sha256");
  for (const { row } of all) whole.update(`${canonicalJson(row)}\n`);
  const digest = whole.digest("hex");
  // Drawn, so that a deadline or a drift of the server hits cases of all kinds alike.
  const drawn = all.map((one) => ({ one, draw: hash("sha256", `${digest} ${one.digest}`, "hex") }));
  const ordered = drawn.sort((a, b) => (a.draw < b.draw ? -1 : 1)).map(({ one }) => one);
  const wanted = ordered.filter(({ row }) => filter.every(({ path, value }) => textAt(row, path) === value));
  if (wanted.length === 0) {
    const values = filter.map(({ path, value }) => `\`${path.text}\` = ${quoted(value)}`).join(" and ");
    faults.add({ file: file.name }, `no case has ${values}`);
  }
  const chosen = shard ? wanted.filter((one) => shardOf(one, shard.count) === shard.index) : wanted;
  if (shard && chosen.length === 0 && wanted.length > 0) {
    const which = `${String(shard.index)}/${String(shard.count)}`;
    faults.add({ file: file.name }, `none of ${countOf(wanted.length, "case")} is in shard ${which}`);
  }
  faults.throwIfAny();
  return { cases: chosen.slice(0, limit), digest };
}

/** Members that are no inputs, where the inputs are all that no other part claims. */
const BESIDE_INPUTS = new Set(["metadata", "cluster"]);

async function casesIn(
  { file, name: dataset, input }: DatasetRequest,
  faults: FileFaults,
): Promise<readonly EvaluationCase[]> {
  let records: readonly FileRecord[] = [];
  try {
    records = await readRecords(file, (place, message) => {
      faults.add(place, message);
    });
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    faults.addFile(error);
  }
  const names = [...new Set(records.flatMap(({ record }) => Object.keys(record)))];
  const roleOf = rolesOfNames(names);
  const namesOf = (part: string) => names.filter((name) => roleOf(name)?.part === part);
  const [idName = ""] = namesOf("id");
  // The outputs of a dataset are those that are expected.
  const expectedNames = new Set([namesOf("expected"), namesOf("outputs")].find((found) => found.length > 0));
  const seen = new Map<string, FilePlace>();
  return records.map(({ record: row, place }) => {
    const whole = row["inputs"] ?? row["input"];
    const entries = Object.entries(row).filter(([name]) => name !== idName && !BESIDE_INPUTS.has(name));
    const rest = entries.filter(([name]) => !expectedNames.has(name));
    const inputs = isJsonObject(whole) ? whole : Object.fromEntries(rest);
    const wanted = entries.filter(([name, value]) => expectedNames.has(name) && value !== null);
    const only = wanted.length === 1 ? wanted[0]?.[1] : undefined;
    const expected = isJsonObject(only) ? only : wanted.length > 0 ? Object.fromEntries(wanted) : undefined;
    const given = row[idName] ?? "";
    const isText = typeof given === "string";
    if (!isText && numberIn(given) === undefined)
      faults.add(place, `the id is ${kindOf(given)}, not a text or a number`);
    const named = isText ? given : writeJsonValue(given);
    const id = named === "" ? rowId({ dataset, id: undefined, inputs, expected, repetition: 0 }) : named;
    const key = uuidOf(id) ?? id;
    const before = seen.get(key);
    if (before) faults.add(place, `the case is also in ${placeText(before)}: give each an id of its own`);
    seen.set(key, place);
    const turns = row["turns"] ?? [null];
    const isTurns = isJsonList(turns) && turns.length > 0;
    if (!isTurns) faults.add(place, "`turns` must be a list with an input for each turn");
    const [first = null, ...more] = (isTurns ? turns : []).map((turn) => {
      const asked = turn ?? inputs;
      if (input === undefined) return asked;
      const filled = filledFrom({ ...row, turn: asked }, input);
      if (!filled.ok) faults.add(place, `there is no \`${filled.path}\`, which the input is made of`);
      return filled.ok ? filled.value : null;
    });
    const metadata = row["metadata"];
    const cluster = row["cluster"] ?? (isJsonObject(metadata) ? metadata["cluster"] : undefined);
    return {
      ...{ id, row, inputs, expected, turns: [first, ...more] },
      digest: hash("sha256", canonicalJson({ expected: expected ?? null, id, inputs }), "hex"),
      cluster: typeof cluster === "string" ? cluster : undefined,
    };
  });
}

function textAt(row: JsonObject, path: JsonPath): string | undefined {
  const value = valueAtPath(row, path)?.value;
  if (value instanceof ExactNumber) return value.text;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined;
}

/** Of its digest alone: a new case moves no other into another shard. */
function shardOf({ digest }: EvaluationCase, count: number): number {
  return (Number.parseInt(digest.slice(0, 12), 16) % count) + 1;
}
