import { basename, extname } from "node:path";
import * as z from "zod";
import { READING } from "../contract/call-arguments.ts";
import { checkOptions, namesOf, shapesOf, spelt, withDefaults, without } from "../contract/options.ts";
import { isJsonObject, type JsonValue, receivedValue, writeJsonValue } from "../files/json/value.ts";
import { pathAtStart, parsePath } from "../files/json/path.ts";
import { readYamlObject } from "../files/yaml.ts";
import { closest } from "../text/closest.ts";
import { quoted, quotedName } from "../text/quoted.ts";
import type { DatasetRequest } from "../scoring/dataset.ts";
import type { EvaluationRequest } from "./evaluation.ts";
import { DEFINITION_OPTIONS, spelling, STRUCTURED } from "./options.ts";
import { readScorers } from "../scoring/scorers.ts";

const PLAIN = without(DEFINITION_OPTIONS, STRUCTURED);
const NAMES = new Map(namesOf(DEFINITION_OPTIONS).map((name) => [spelling(name), name]));

/** What an evaluation is, by the names of the options, wherever it was written; what was not written is not there. */
export type GivenDefinition = { readonly [Name in keyof typeof PLAIN]?: unknown } & {
  readonly [Name in keyof typeof STRUCTURED]?: JsonValue | undefined;
};

/** What is wrong with an option, or below it; to be read after the path. */
export interface DefinitionFault {
  readonly path: readonly string[];
  readonly message: string;
}

/** What is evaluated and how, without the files. */
export interface Definition extends Omit<
  EvaluationRequest,
  "dataset" | "dryRun" | "expected" | "nonce" | "resultsPath" | "resume" | "revisionId"
> {
  readonly dataset: Omit<DatasetRequest, "file" | "shard"> & {
    /** Empty where none is given. */
    readonly path: string;
  };
}

const fields = Object.entries(DEFINITION_OPTIONS).map(([name, { kind, about, default: fallback }]) => {
  // A time is written with its unit, or in seconds.
  const shape: z.ZodType = kind.form ? z.union([z.string(), z.number()], "must be a text such as 90s") : kind.shape();
  const text = spelt(about.replace("{form}", kind.form?.text ?? ""), spelling);
  const description = fallback === undefined ? text : `${text} Default: \`${fallback}\`.`;
  return [spelling(name), shape.optional().meta({ description })] as const;
});
const $schema = z
  .string()
  .optional()
  .meta({ description: "The address of the JSON schema of this file, for editors." });

/** The file of an evaluation. */
export const DefinitionFile = z.strictObject({ $schema, ...Object.fromEntries(fields) });

/** What the file of an evaluation and what is given beside it say together. */
export interface DefinitionReading {
  /** Undefined where something of it is wrong, or the file cannot be read; a fault of the file alone can be left out of it. */
  readonly definition: Definition | undefined;
  /** What is wrong with the file, each with its line. */
  readonly ofFile: readonly string[];
  /** What is wrong with what is given beside it. */
  readonly faults: readonly DefinitionFault[];
}

/** Reads the file of an evaluation, whose text is empty where there is none, and what is given beside it. */
export async function readDefinition(text: string, own: GivenDefinition): Promise<DefinitionReading> {
  const file = await readFile(text);
  const { definition, faults } = definitionOf({ ...file.given, ...own });
  const isOfFile = ({ path: [name = ""] }: DefinitionFault) =>
    Object.hasOwn(file.given, name) && !Object.hasOwn(own, name);
  const placed = faults.filter(isOfFile).map(({ path, message }) => `${file.place(path)} ${message}`);
  // What a file that cannot be read lacks is not known.
  const whole = file.isRead ? definition : undefined;
  return { definition: whole, ofFile: [...file.faults, ...placed], faults: faults.filter((fault) => !isOfFile(fault)) };
}

/** What the file says, and what is wrong with it; `place` is how a sentence names a path in it. */
async function readFile(text: string) {
  const read = await readYamlObject(text, "dataset: cases.jsonl");
  if (!read.ok) return { isRead: false, given: {} satisfies GivenDefinition, faults: read.faults, place: () => "" };
  const { value, lineOf } = read;
  const place = ([first = "", ...rest]: readonly string[]) => {
    const path = [spelling(first), ...rest];
    return `line ${String(lineOf(path))}: ${quotedName(path.join("."))}`;
  };
  const issues = DefinitionFile.safeParse(receivedValue(value), READING).error?.issues ?? [];
  const faults = issues.flatMap((issue) => {
    const path = issue.path.map(String);
    const keys = issue.code === "unrecognized_keys" ? issue.keys : [];
    if (keys.length === 0) return [{ path, message: issue.input === undefined ? "is missing" : issue.message }];
    return keys.map((key) => {
      const meant = path.length > 0 ? undefined : closest(key, NAMES.keys());
      const hint = meant === undefined ? "" : `; did you mean ${quotedName(meant)}?`;
      return { path: [...path, key], message: `is not a known key${hint}` };
    });
  });
  const given: Record<string, JsonValue> = {};
  for (const [key, name] of NAMES) {
    const written = Object.hasOwn(value, key) ? value[key] : undefined;
    if (written === undefined || faults.some(({ path: [first] }) => first === key)) continue;
    const { kind, parse } = DEFINITION_OPTIONS[name];
    const time = kind.form ? parse(typeof written === "string" ? written : writeJsonValue(written)) : undefined;
    if (time?.fault !== undefined) faults.push({ path: [key], message: time.fault });
    given[name] = typeof time?.value === "number" ? time.value : written;
  }
  return { isRead: true, given, faults: faults.map(({ path, message }) => `${place(path)} ${message}`), place };
}

const Structured = z.object(shapesOf(STRUCTURED));

/** What is given, with its defaults; nothing where something is wrong with it. The paths of faults begin with the name of an option. */
function definitionOf(given: GivenDefinition): {
  readonly definition: Definition | undefined;
  readonly faults: readonly DefinitionFault[];
} {
  const { input, run = {}, scorers = {}, prices = {}, ...plain } = given;
  const values = withDefaults(PLAIN, plain);
  const { dataset = "", datasetName = "", filter = [], output, limit, ...settings } = values;
  const all = new Map<string, unknown>(Object.entries(given));
  const faults: DefinitionFault[] = checkOptions(DEFINITION_OPTIONS, (name) => all.get(name) !== undefined).map(
    ({ field, message }) => ({ path: [field], message: spelt(message, spelling) }),
  );
  const read = Structured.safeParse(receivedValue({ run, scorers, prices }), READING);
  for (const { path, message } of read.error?.issues ?? []) faults.push({ path: path.map(String), message });
  const conditions = [filter].flat().flatMap((text) => {
    const { path, rest = "" } = pathAtStart(`$.${text}`) ?? {};
    const [, value] = /^\s*=\s*(\S.*)$/.exec(rest) ?? [];
    if (path && path.steps.length > 0 && value !== undefined) return [{ path, value: value.trim() }];
    faults.push({
      path: ["filter"],
      message: `${quoted(text)} is not a condition (example: metadata.topic = billing)`,
    });
    return [];
  });
  const at = parsePath(output);
  if (!at)
    faults.push({ path: ["output"], message: `${quoted(output)} is not a path (example: $.messages[-1].content)` });
  const reading = readScorers(read.success && isJsonObject(scorers) ? scorers : {});
  faults.push(...reading.faults.map(({ path, message }) => ({ path: ["scorers", ...path], message })));
  if (!at || !read.success || faults.length > 0) return { definition: undefined, faults };
  const name = datasetName === "" ? basename(dataset, extname(dataset)) : datasetName;
  const definition = {
    ...settings,
    output: at,
    run: isJsonObject(run) ? run : {},
    prices: read.data.prices ?? {},
    scorers: reading.scorers,
    dataset: { path: dataset, name, input, filter: conditions, limit },
  };
  return { definition, faults };
}
